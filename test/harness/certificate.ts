import { createPublicKey, type KeyObject, sign } from 'node:crypto'

type Subject = { privateKey: KeyObject; commonName: string; from: Date; to: Date }

/** A certificate that an RSA key signs for itself (RFC 5280 section 4.1), as PEM: Node reads them and makes none. */
export function selfSignedCertificate({ privateKey, commonName, from, to }: Subject): string {
  const name = der(0x30, der(0x31, der(0x30, commonNameOid, der(0x0c, Buffer.from(commonName)))))
  const version = der(0xa0, der(0x02, Buffer.from([2])))
  const validity = der(0x30, generalizedTime(from), generalizedTime(to))
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const signed = der(0x30, version, der(0x02, Buffer.from([1])), sha256WithRsa, name, validity, name, publicKey)
  const signature = sign('RSA-SHA256', signed, privateKey)
  const certificate = der(0x30, signed, sha256WithRsa, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

/** 2.5.4.3 */
const commonNameOid = Buffer.from('0603550403', 'hex')
/** 1.2.840.113549.1.1.11 with its NULL. */
const sha256WithRsa = Buffer.from('300d06092a864886f70d01010b0500', 'hex')

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

function generalizedTime(at: Date): Buffer {
  return der(0x18, Buffer.from(`${at.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`))
}
