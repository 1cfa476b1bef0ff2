import { estimateEntropyBits, guessableBelowBits } from '../kernel/entropy.ts'
import { limitSettings } from './limit-settings.ts'
import { mailSettings } from './mail-settings.ts'
import { providerSettings } from './provider-settings.ts'
import type { Read } from './readers.ts'
import { serverSettings } from './server-settings.ts'
import { vpnSettings } from './vpn-settings.ts'
import { webSettings } from './web-settings.ts'

/** All settings, read once at the start. A bad value stops the start with the variable's name and what is allowed. */
export type Config = ReturnType<typeof readConfig>

/** The tables in `docs/configuration.md` are made from this list. */
export const settings = {
  ...serverSettings,
  ...limitSettings,
  ...mailSettings,
  ...webSettings,
  ...providerSettings,
  ...vpnSettings,
}

type Values = { [Name in keyof typeof settings]: (typeof settings)[Name][1] extends Read<infer T> ? T : never }

/** Thrown with one line for each bad variable. */
export class BadConfig extends Error {}

/** What receiving mail needs besides. */
function missingOfEmail(values: Record<string, unknown>): string[] {
  const { emailDomain, emailSmtpPort, emailLmtpPort, emailTlsCert, emailTlsKey } = values
  const faults: string[] = []
  if ((emailSmtpPort !== null || emailLmtpPort !== null) && emailDomain === null)
    faults.push('EMAIL_DOMAIN must be set because EMAIL_SMTP_PORT or EMAIL_LMTP_PORT is.')
  if ((emailTlsCert === null) !== (emailTlsKey === null))
    faults.push('EMAIL_TLS_CERT and EMAIL_TLS_KEY must be set together.')
  return faults
}

export function readConfig(environment: Record<string, string | undefined>): Values {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, [variable, reader]] of Object.entries(settings)) {
    const given = environment[variable]
    // An empty variable is how a compose file says "not set".
    const value = given === undefined || given === '' ? reader.defaultValue : reader.read(given)
    if (value === undefined) faults.push(`${variable} must be ${reader.allowed}.`)
    values[name] = value
  }
  faults.push(...missingOfS3(values))
  if (values['smtpUrl'] && values['mailFrom'] === null) faults.push('MAIL_FROM must be set because SMTP_URL is.')
  if (values['llmBaseUrl'] && values['llmModel'] === null) faults.push('LLM_MODEL must be set because LLM_BASE_URL is.')
  if (values['embeddingsBaseUrl'] && values['embeddingsModel'] === null)
    faults.push('EMBEDDINGS_MODEL must be set because EMBEDDINGS_BASE_URL is.')
  faults.push(...missingOfEmail(values))
  const weak = weakAdminKey(values)
  if (weak !== null && values['databaseUrl']) faults.push(weak)
  if (faults.length > 0) throw new BadConfig(faults.join('\n'))
  return values as Values
}

/** A warning where the admin key could be guessed. With a PostgreSQL server it is a fault instead. */
export function weakAdminKey({ adminKey }: Pick<Values, 'adminKey'> | Record<string, unknown>): string | null {
  if (typeof adminKey !== 'string' || estimateEntropyBits(adminKey) >= guessableBelowBits) return null
  return `ADMIN_KEY can be guessed: it must have at least ${guessableBelowBits} bits of entropy. Make one with: openssl rand -base64 24`
}

/** With only some of the S3 settings, files would silently go to the local disk. */
function missingOfS3(values: Record<string, unknown>): string[] {
  const names = ['s3Bucket', 's3Endpoint', 's3AccessKeyId', 's3SecretAccessKey'] as const
  if (names.every((name) => values[name] === null)) return []
  return names
    .filter((name) => values[name] === null)
    .map((name) => `${settings[name][0]} must be set because another S3 setting is.`)
}
