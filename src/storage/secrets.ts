import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Encryption at rest and the derivation of every other secret from the one master key. */
export type Secrets = {
  /** AES-256-GCM. `boundTo` names the row the value belongs to: sealed bytes moved to another row do not open. */
  seal(plain: string, boundTo: string): Buffer
  open(sealed: Buffer, boundTo: string): string
  /** 32 bytes for one purpose, the same on every node that holds the master key. */
  derive(purpose: string): Buffer
  /** Tells, without revealing anything, whether another process holds the same master key. */
  check: string
}

const version = 1
const ivBytes = 12
const tagBytes = 16

export function createSecrets(masterKey: Buffer): Secrets {
  if (masterKey.length !== 32) throw new Error('A master key has 32 bytes.')
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `atrium/${purpose}`, 32))
  const sealingKey = derive('sealing/1')
  return {
    seal: (plain, boundTo) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(boundTo))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), body])
    },
    open: (sealed, boundTo) => {
      if (sealed[0] !== version)
        throw new Error(`A sealed value has version ${sealed[0]}; this program knows ${version}.`)
      const iv = sealed.subarray(1, 1 + ivBytes)
      const tag = sealed.subarray(1 + ivBytes, 1 + ivBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, iv, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(boundTo)).setAuthTag(tag)
      return Buffer.concat([decipher.update(sealed.subarray(1 + ivBytes + tagBytes)), decipher.final()]).toString(
        'utf8',
      )
    },
    derive,
    check: createHmac('sha256', derive('check')).update('atrium').digest('hex').slice(0, 32),
  }
}
