import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

/** Encryption at rest and the derivation of every other secret from the one master key. */
export type Secrets = {
  /** AES-256-GCM. `context` names the row that the value belongs to: sealed bytes cannot be opened in another row. */
  seal(plain: string, context: string): Buffer
  open(sealed: Buffer, context: string): string
  /** 32 bytes for one purpose, equal on all nodes with the same master key. */
  derive(purpose: string): Buffer
  /** Shows whether another process has the same master key, without revealing it. */
  check: string
}

const version = 1
const ivBytes = 12
const tagBytes = 16

export function createSecrets(masterKey: Buffer): Secrets {
  if (masterKey.length !== 32) throw new Error('A master key must have 32 bytes.')
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `atrium/${purpose}`, 32))
  // A key object: handing the bytes over at each call costs more than the encryption (25 us against 9 for a key).
  const sealingKey = createSecretKey(derive('sealing/1'))
  return {
    seal: (plain, context) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), body])
    },
    open: (sealed, context) => {
      if (sealed[0] !== version)
        throw new Error(`A sealed value has version ${sealed[0]}; this program knows ${version}.`)
      const iv = sealed.subarray(1, 1 + ivBytes)
      const tag = sealed.subarray(1 + ivBytes, 1 + ivBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, iv, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      return Buffer.concat([decipher.update(sealed.subarray(1 + ivBytes + tagBytes)), decipher.final()]).toString(
        'utf8',
      )
    },
    derive,
    check: createHmac('sha256', derive('check')).update('atrium').digest('hex').slice(0, 32),
  }
}
