import { integer, optional, type Read, type Settings, url } from './readers.ts'

/** Null: not listened on. */
const optionalPort: Read<number | null> = { ...integer(0, 1, 65_535), defaultValue: null }

/** How mail is sent and received. */
export const mailSettings = {
  smtpUrl: [
    'SMTP_URL',
    url(['smtp:', 'smtps:']),
    'Mail server, `smtps://user:password@host:465`; `smtp:` uses STARTTLS if the server offers it. Without it mails wait in the outbox.',
  ],
  mailFrom: [
    'MAIL_FROM',
    optional('an e-mail address', (value) =>
      /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,190}$/.test(value),
    ),
    'Sender address of mails; required with `SMTP_URL`.',
  ],
  emailDomain: [
    'EMAIL_DOMAIN',
    optional(
      'a domain in lower case, such as mail.example.com',
      (value) => /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,62}$/.test(value) && value.length <= 190,
    ),
    'Domain of the addresses of organizations. Without it they have none.',
  ],
  emailSmtpPort: [
    'EMAIL_SMTP_PORT',
    optionalPort,
    'Port on which mail to addresses at `EMAIL_DOMAIN` is received by SMTP, usually 25.',
  ],
  emailLmtpPort: [
    'EMAIL_LMTP_PORT',
    optionalPort,
    'The same by LMTP, from a mail server in front. Nobody else must be able to reach it.',
  ],
  emailTlsCert: [
    'EMAIL_TLS_CERT',
    optional('a path', (value) => !value.includes('\0')),
    'PEM file with the certificate for STARTTLS, and its chain. Without it, mail is received unencrypted.',
  ],
  emailTlsKey: [
    'EMAIL_TLS_KEY',
    optional('a path', (value) => !value.includes('\0')),
    'PEM file with its private key.',
  ],
} as const satisfies Settings
