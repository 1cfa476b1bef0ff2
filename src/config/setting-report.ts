import type { AdminKey } from '../greeting.ts'
import { serverAddress } from '../storage/server-address.ts'
import type { SettingReport } from '../system/index.ts'
import { type Config, settings, weakAdminKey } from './config.ts'

/** Never shown, whatever they hold. */
const secretSettings: ReadonlySet<string> = new Set([
  'ADMIN_KEY',
  'MASTER_KEY',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'LLM_API_KEY',
  'EMBEDDINGS_API_KEY',
  'INBOUND_SECRETS',
])

/** Made at the first start, where the environment has none. */
const keptSettings: ReadonlySet<string> = new Set(['ADMIN_KEY', 'MASTER_KEY'])

type Environment = Record<string, string | undefined>
type Reported = { config: Config; adminKey: Pick<AdminKey, 'value' | 'from'> }

/** What administrators may know of the settings. */
export function settingReport(environment: Environment, reported: Reported): SettingReport {
  const { config } = reported
  return {
    settings: Object.entries(settings).map(([name, [variable, , meaning]]) => {
      const isSecret = secretSettings.has(variable)
      const isSet = (environment[variable] ?? '') !== ''
      const source = isSet ? 'ENVIRONMENT' : keptSettings.has(variable) ? 'DATA_FOLDER' : 'DEFAULT'
      return {
        name: variable,
        value: isSecret ? null : shownValue(config[name as keyof Config]),
        source,
        isSecret,
        meaning,
      }
    }),
    warnings: warnings(reported),
  }
}

/** An address may hold a password; a host and a path do not. */
function shownValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Map) return String(value.size)
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  if (text === '') return null
  return URL.canParse(text) && new URL(text).password !== '' ? serverAddress(text) : text
}

type Warning = SettingReport['warnings'][number]

function warnings({ config, adminKey }: Reported): Warning[] {
  const { smtpUrl, publicUrl, trustedProxies, databaseUrl, redisUrl } = config
  const all: [holds: boolean, Warning][] = [
    [
      smtpUrl === null,
      {
        code: 'NO_MAIL_SERVER',
        message: 'Mails wait in the outbox: nobody can verify an address or reset a password.',
        fix: 'Set SMTP_URL and MAIL_FROM, and restart.',
      },
    ],
    [
      publicUrl === null,
      {
        code: 'NO_PUBLIC_URL',
        message: 'Mails contain codes in place of links, and there is no sitemap.',
        fix: 'Set PUBLIC_URL to the address of your site, and restart.',
      },
    ],
    [
      publicUrl?.startsWith('https:') === true && trustedProxies.length === 0,
      {
        code: 'NO_TRUSTED_PROXY',
        message: 'PUBLIC_URL has TLS, but no proxy is trusted: all clients seem to have the address of the proxy.',
        fix: 'Set TRUSTED_PROXIES to the address of the proxy, and restart.',
      },
    ],
    [
      config.vpnPublicKey === null,
      {
        code: 'EXAMPLE_VPN_SERVER',
        message: 'The built-in VPN server is an example: devices on it cannot connect.',
        fix: 'Add a VPN server and start its agent, or set VPN_PUBLIC_KEY.',
      },
    ],
    [
      databaseUrl !== null && redisUrl === null,
      {
        code: 'NO_REDIS',
        message: 'With several nodes each counts rate limits for itself.',
        fix: 'Set REDIS_URL on all nodes, if there are several.',
      },
    ],
    [
      config.browserInsecure === 'true',
      {
        code: 'INSECURE_SIGN_IN',
        message: 'Administrators may sign in over plain HTTP: anybody who can read the network traffic gets the key.',
        fix: 'Put a proxy with TLS in front, name it in TRUSTED_PROXIES, and remove BROWSER_INSECURE.',
      },
    ],
    [
      config.webhookAllowPrivate === 'true',
      {
        code: 'PRIVATE_WEBHOOKS',
        message: 'Tenants can have requests sent into your own network.',
        fix: 'Remove WEBHOOK_ALLOW_PRIVATE, unless all tenants are yours.',
      },
    ],
    [
      config.providerEndpoints.size > 0,
      {
        code: 'PROVIDERS_ELSEWHERE',
        message: 'Some providers of integrations are asked at other addresses, which get the tokens of users.',
        fix: 'Remove PROVIDER_ENDPOINTS, unless these are emulators or proxies of yours.',
      },
    ],
    [
      config.botVendorEndpoints.size > 0,
      {
        code: 'VENDORS_ELSEWHERE',
        message: 'Some vendors of bots are asked at other addresses, which get the keys of tenants.',
        fix: 'Remove BOT_VENDOR_ENDPOINTS, unless these are emulators or proxies of yours.',
      },
    ],
    [
      weakAdminKey({ adminKey: adminKey.value }) !== null,
      {
        code: 'WEAK_ADMIN_KEY',
        message: 'ADMIN_KEY can be guessed.',
        fix: 'Make one with: openssl rand -base64 24',
      },
    ],
  ]
  return all.filter(([holds]) => holds).map(([, warning]) => warning)
}
