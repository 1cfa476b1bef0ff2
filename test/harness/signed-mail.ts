import { generateKeyPairSync } from 'node:crypto'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { testZone } from './zone.ts'

/** Writes mails as the servers of a domain would send them, with a signature that the zone confirms. */
export function mailSigner(zone: ReturnType<typeof testZone>, domain = 'example.com') {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  zone.set('TXT', `s1._domainkey.${domain}`, `v=DKIM1; k=rsa; p=${key}`)
  zone.set('TXT', `_dmarc.${domain}`, 'v=DMARC1; p=reject')
  const transport = createTransport({
    ...{ streamTransport: true, buffer: true, newline: 'windows' },
    dkim: {
      ...{ domainName: domain, keySelector: 's1' },
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  })
  /** Its bytes, for the end of a conversation: with the dot, which is doubled where a line begins with one. */
  return async (mail: SendMailOptions): Promise<string> => {
    const { message } = await transport.sendMail({ subject: 'Files', text: 'See below.', ...mail })
    return `${message
      .toString()
      .replace(/\r\n\./g, '\r\n..')
      .trimEnd()}\r\n.`
  }
}
