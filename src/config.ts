import { isIP } from 'node:net'
import { estimateEntropyBits, guessableBelowBits } from './kernel/entropy.ts'
import type { MeetingHosts } from './kernel/meeting-links.ts'
import { integer, list, listOrOff, optional, pairs, type Read, text, url, word } from './setting-readers.ts'

/** All settings, read once at the start. A bad value stops the start with the variable's name and what is allowed. */
export type Config = ReturnType<typeof readConfig>

function isNetwork(entry: string): boolean {
  const [address = '', bits] = entry.split('/')
  const version = isIP(address)
  return version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
}

function isOrigin(entry: string): boolean {
  return /^https?:\/\/[^\s/,]+$/.test(entry)
}

const knownAdminKeys = [
  'administrator',
  'changemechangeme',
  'admin-secret',
  'supersecretkey',
  'adminadminadmin',
  'passwordpassword',
  '123456789012',
]
const host = text('127.0.0.1', 'a host name or an IP address', /^[A-Za-z0-9.:_-]{1,253}$/)

/** Null: not listened on. */
const optionalPort: Read<number | null> = { ...integer(0, 1, 65_535), defaultValue: null }

/** A tenant's own limit may be lower or higher, or none. */
const limit = (value: number) => integer(value, 1, Number.MAX_SAFE_INTEGER)

/** `[variable, reader, meaning]`; the table in `docs/configuration.md` is made from this list. */
export const settings = {
  host: ['HOST', host, 'Address to listen on; `0.0.0.0` listens on all.'],
  port: ['PORT', integer(8080, 0, 65535), 'Port to listen on; 0 chooses a free one.'],
  dataFolder: [
    'DATA_DIR',
    text('./data', 'a path', /^[^\0]+$/),
    'Folder of the embedded database, the admin key and the master key.',
  ],
  adminKey: [
    'ADMIN_KEY',
    optional(
      '12 to 256 printable ASCII characters without spaces, and not a well-known word',
      (value) => /^[\x21-\x7e]{12,256}$/.test(value) && !knownAdminKeys.includes(value.toLowerCase()),
    ),
    'The administrator’s key. Without it the first start creates one and keeps it in `DATA_DIR/admin-key`. With PostgreSQL it must have 128 bits of entropy (`openssl rand -base64 24`); otherwise a weaker one causes a warning.',
  ],
  masterKey: [
    'MASTER_KEY',
    optional('64 hexadecimal digits (openssl rand -hex 32)', (value) => /^[0-9a-f]{64}$/i.test(value)),
    'Encrypts secrets in the database and signs tokens; the same on every node. Without it the first start creates one and keeps it in `DATA_DIR/master-key`.',
  ],
  databaseUrl: [
    'DATABASE_URL',
    url(['postgres:', 'postgresql:']),
    'Address of a PostgreSQL server to use instead of the embedded database.',
  ],
  databasePoolMax: [
    'DATABASE_POOL_MAX',
    integer(8, 1, 100),
    'Connections to PostgreSQL; about 8 is best, even for many callers.',
  ],
  redisUrl: [
    'REDIS_URL',
    optional(
      'an address that starts with redis:// or rediss:// and whose path, if any, is the number of a database',
      (value) => URL.canParse(value) && /^rediss?:\/\/[^/]+(\/\d*)?$/i.test(value),
    ),
    'Redis for what several nodes share: rate limits, and notifications of changed keys and tenants. While it is away, each node counts for itself.',
  ],
  s3Bucket: [
    'S3_BUCKET',
    optional('3 to 63 lower-case letters, digits, dots and hyphens', (value) =>
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value),
    ),
    'Bucket for uploaded files, in any store with the S3 protocol. Without it files are in `DATA_DIR/media`, which several nodes then have to share.',
  ],
  s3Endpoint: ['S3_ENDPOINT', url(['https:', 'http:']), 'Address of the store; required with `S3_BUCKET`.'],
  s3Region: ['S3_REGION', text('us-east-1', 'a region of the store', /^[A-Za-z0-9-]{1,63}$/), 'Region of the store.'],
  s3AccessKeyId: [
    'S3_ACCESS_KEY_ID',
    optional('a key id', (value) => /^[\x21-\x7e]{1,128}$/.test(value)),
    'Id of the key for the bucket. The key must be able to read, write, list and delete below `media/`.',
  ],
  s3SecretAccessKey: [
    'S3_SECRET_ACCESS_KEY',
    optional('the secret of the key', (value) => /^[\x21-\x7e]{1,256}$/.test(value)),
    'Secret of that key.',
  ],
  rateLimitMax: ['RATE_LIMIT_MAX', integer(1000, 1, 1_000_000_000), 'Requests that one caller may make in a window.'],
  rateLimitWindowSeconds: [
    'RATE_LIMIT_WINDOW_SECONDS',
    integer(900, 1, 86_400),
    'Length of the rate limit window, in seconds.',
  ],
  rateLimitAuthFailures: [
    'RATE_LIMIT_AUTH_FAILURES',
    integer(100, 1, 1_000_000_000),
    'Wrong credentials that one address may send in a window; failed logins are counted by tenant and address.',
  ],
  platformRegistration: [
    'PLATFORM_REGISTRATION',
    word('closed', ['closed', 'open']),
    'Whether anybody may register without an API key, as a user of the built-in tenant `platform`.',
  ],
  tenantMaxUsers: ['TENANT_MAX_USERS', limit(100_000), 'Users of a tenant without a limit of its own.'],
  tenantMaxApiKeys: ['TENANT_MAX_API_KEYS', limit(1000), 'The same for active API keys.'],
  tenantMaxDevices: ['TENANT_MAX_DEVICES', limit(100_000), 'The same for VPN devices.'],
  tenantMaxDevicesPerUser: ['TENANT_MAX_DEVICES_PER_USER', limit(100), 'The same for VPN devices of one user.'],
  tenantMaxActiveSessions: ['TENANT_MAX_ACTIVE_SESSIONS', limit(100_000), 'The same for open VPN sessions.'],
  tenantMaxMeetings: ['TENANT_MAX_MEETINGS', limit(1_000_000), 'The same for meetings.'],
  tenantMaxOrgs: ['TENANT_MAX_ORGS', limit(10_000), 'The same for organizations.'],
  tenantMaxOrgMembers: ['TENANT_MAX_ORG_MEMBERS', limit(10_000), 'The same for members of one organization.'],
  tenantMaxTasks: ['TENANT_MAX_TASKS', limit(100_000), 'The same for tasks of one organization.'],
  tenantMaxDocuments: ['TENANT_MAX_DOCUMENTS', limit(1_000_000), 'The same for documents.'],
  tenantMaxStorageBytes: [
    'TENANT_MAX_STORAGE_BYTES',
    limit(100 * 1024 ** 3),
    'The same for the bytes of stored mails and documents.',
  ],
  tenantMaxIntegrations: ['TENANT_MAX_INTEGRATIONS', limit(10_000), 'The same for integrations.'],
  tenantMaxLiveBots: ['TENANT_MAX_LIVE_BOTS', limit(1000), 'The same for bots that are scheduled, or in meetings.'],
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
    'Port on which mail to addresses at `EMAIL_DOMAIN` is taken by SMTP, usually 25.',
  ],
  emailLmtpPort: [
    'EMAIL_LMTP_PORT',
    optionalPort,
    'The same by LMTP, from a mail server in front. Nobody else may reach it.',
  ],
  emailTlsCert: [
    'EMAIL_TLS_CERT',
    optional('a path', (value) => !value.includes('\0')),
    'PEM file with the certificate for STARTTLS, and those that vouch for it. Without it mail is taken unencrypted.',
  ],
  emailTlsKey: [
    'EMAIL_TLS_KEY',
    optional('a path', (value) => !value.includes('\0')),
    'PEM file with its private key.',
  ],
  publicUrl: [
    'PUBLIC_URL',
    url(['https:', 'http:']),
    'Address of your site. `/sitemap.xml` lists its pages, and mails of tenants without a `customDomain` link to its `/reset-password` and `/verify-email`. Reminders of due tasks and calendars link to its `/assistant/v1/`, which it must pass on to Atrium. Without it there is no sitemap, those mails contain only a code, and reminders have no link that ends them.',
  ],
  publicMaxAgeSeconds: [
    'PUBLIC_MAX_AGE_SECONDS',
    integer(0, 0, 86_400),
    'How long browsers and proxies may cache a public answer without asking. With 0 they ask each time, so a change is seen at once.',
  ],
  publicCacheMb: ['PUBLIC_CACHE_MB', integer(64, 1, 10_000), 'Memory for cached public answers, in MB.'],
  pageOrigins: [
    'CORS_ORIGINS',
    list([], 'origins such as https://app.example.com', isOrigin),
    'Origins whose pages may call from a browser. Without it all may, because a call needs a credential anyway. Public reads are always open to all.',
  ],
  browserInsecure: [
    'BROWSER_INSECURE',
    word('false', ['false', 'true']),
    'Whether administrators may sign in to the console over plain HTTP from other machines. Whoever listens in on the way then gets the key.',
  ],
  connectionsMax: [
    'CONNECTIONS_MAX',
    integer(12_000, 1, 1_000_000),
    'Connections that this process accepts, WebSockets included.',
  ],
  connectionsPerAddressMax: [
    'CONNECTIONS_PER_ADDRESS_MAX',
    integer(512, 1, 1_000_000),
    'Connections of one address that this process accepts. Proxies of `TRUSTED_PROXIES` are exempt.',
  ],
  socketsMax: ['SOCKETS_MAX', integer(10_000, 1, 1_000_000), 'WebSocket connections that this process accepts.'],
  socketsPerUserMax: [
    'SOCKETS_PER_USER_MAX',
    integer(20, 1, 1_000_000),
    'WebSocket connections of one user that this process accepts.',
  ],
  socketsPerTenantMax: [
    'SOCKETS_PER_TENANT_MAX',
    integer(500, 1, 1_000_000),
    'WebSocket connections of one tenant that this process accepts.',
  ],
  socketOrigins: [
    'SOCKET_ORIGINS',
    list([], 'origins such as https://app.example.com', isOrigin),
    'Origins whose pages may open WebSockets. Without it all may, because a WebSocket needs a token anyway.',
  ],
  trustedProxies: [
    'TRUSTED_PROXIES',
    list([], 'addresses or networks', isNetwork),
    'Proxies whose `X-Forwarded-For` header is trusted.',
  ],
  auditRetentionDays: ['AUDIT_RETENTION_DAYS', integer(365, 1, 36_500), 'How many days an audit entry is kept.'],
  analyticsRetentionDays: [
    'ANALYTICS_RETENTION_DAYS',
    integer(90, 2, 36_500),
    'How many days a single visit is kept; the daily summaries stay.',
  ],
  drainSeconds: [
    'DRAIN_SECONDS',
    integer(0, 0, 300),
    'How long `/health` answers `draining` after SIGTERM before the port closes, so that a balancer notices.',
  ],
  logLevel: [
    'LOG_LEVEL',
    word('info', ['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    'Lowest severity that is logged.',
  ],
  logSlowMs: [
    'LOG_SLOW_MS',
    integer(1000, 1, 3_600_000),
    'A request that takes this many milliseconds or longer is logged.',
  ],
  logSample: [
    'LOG_SAMPLE',
    integer(100, 0, 1_000_000),
    'One of this many requests is logged, whatever its result; 0: none.',
  ],
  googleClientIds: [
    'GOOGLE_CLIENT_IDS',
    list([], 'OAuth client ids', (entry) => /^[\x21-\x2b\x2d-\x7e]{1,255}$/.test(entry)),
    'Client ids of the apps that sign in with Google. Without it nobody can sign in with Google.',
  ],
  googleJwksUrl: [
    'GOOGLE_JWKS_URL',
    text(
      'https://www.googleapis.com/oauth2/v3/certs',
      'an address that starts with https:// or http://',
      /^https?:\/\/[^\s/]+\S*$/,
    ),
    'Address of the keys that sign Google’s ID tokens.',
  ],
  llmBaseUrl: [
    'LLM_BASE_URL',
    url(['https:', 'http:']),
    'An endpoint with OpenAI’s chat completions protocol, such as `https://api.openai.com/v1`. It writes the summaries of meetings. Without it nothing leaves the installation.',
  ],
  llmApiKey: [
    'LLM_API_KEY',
    optional('1 to 1000 printable ASCII characters without spaces', (value) => /^[\x21-\x7e]{1,1000}$/.test(value)),
    'Key for that endpoint, if it needs one.',
  ],
  llmModel: [
    'LLM_MODEL',
    optional('the name of a model', (value) => /^[\x21-\x7e]{1,200}$/.test(value)),
    'Name of the model; required with `LLM_BASE_URL`.',
  ],
  llmTimeoutSeconds: [
    'LLM_TIMEOUT_SECONDS',
    integer(20, 1, 300),
    'How long a complete answer of the model may take. After that the local engine writes the summary.',
  ],
  llmInputTokens: [
    'LLM_INPUT_TOKENS',
    integer(24_000, 1000, 2_000_000),
    'Tokens of a transcript that are sent to the model. A longer transcript is shortened evenly over the meeting.',
  ],
  llmTokensPerDay: [
    'LLM_TOKENS_PER_DAY',
    integer(1_000_000, 0, 1_000_000_000_000),
    'Tokens, in and out, that one tenant may use in a day (UTC). After that the local engine writes.',
  ],
  embeddingsBaseUrl: [
    'EMBEDDINGS_BASE_URL',
    url(['https:', 'http:']),
    'An endpoint with OpenAI’s embeddings protocol, such as `https://api.openai.com/v1`. With it search and ask compare meanings, too: the texts of documents and transcripts of organizations, and questions, are sent there.',
  ],
  embeddingsApiKey: [
    'EMBEDDINGS_API_KEY',
    optional('1 to 1000 printable ASCII characters without spaces', (value) => /^[\x21-\x7e]{1,1000}$/.test(value)),
    'Key for that endpoint, if it needs one.',
  ],
  embeddingsModel: [
    'EMBEDDINGS_MODEL',
    optional('the name of a model', (value) => /^[\x21-\x7e]{1,200}$/.test(value)),
    'Name of the model; required with `EMBEDDINGS_BASE_URL`. After a change all vectors are made again.',
  ],
  usageDefaultPlan: [
    'USAGE_DEFAULT_PLAN',
    optional('TRIAL, STARTER, PRO or ENTERPRISE', (value) => /^(TRIAL|STARTER|PRO|ENTERPRISE)$/.test(value)),
    'Plan whose limits of usage hold for tenants that never had a license for `assistant-ai`. Without it they have no limits.',
  ],
  botMeetingHosts: [
    'BOT_MEETING_HOSTS',
    pairs(
      'pairs of `host=platform` (zoom, meet, teams, jitsi or page)',
      /^([a-z0-9.-]{1,253}(?::\d{1,5})?)=(zoom|meet|teams|jitsi|page)$/,
    ) as Read<MeetingHosts>,
    'Hosts where bots may join meetings, beside the public ones of Zoom, Google Meet, Teams and Jitsi: `meet.example.org=jitsi`. `page` is a meeting page of your own. These hosts alone may use plain HTTP.',
  ],
  inboundSecrets: [
    'INBOUND_SECRETS',
    pairs('pairs of `scheme=secret` with secrets of 8 characters or more', /^([a-z-]+)=(.{8,8192})$/),
    'Secrets of the providers of inbound webhooks, for an installation with one tenant. For `bot-framework` it is the application id, for `sns` the topics, separated by spaces. Providers then deliver to the addresses without a connection id.',
  ],
  inboundTenant: [
    'INBOUND_TENANT',
    optional('the slug or the id of a tenant', (value) => /^[a-z0-9-]{1,64}$/.test(value)),
    'Tenant that receives the deliveries of `INBOUND_SECRETS`. Without it, the only tenant besides the built-in one.',
  ],
  oauthApps: [
    'OAUTH_APPS',
    optional('a path', (value) => /^[^\0]+$/.test(value)),
    'Path of a JSON file with the OAuth apps of the providers that users may connect: `{"github": {"clientId": "...", "clientSecret": "..."}}`. A provider that is not in it is not configured.',
  ],
  providerEndpoints: [
    'PROVIDER_ENDPOINTS',
    pairs(
      'pairs of `provider=address`, with https:// (plain HTTP on loopback alone)',
      /^([a-z]+)=(https?:\/\/[^\s,?#]+)$/,
    ),
    'Where a provider is asked instead of its own addresses: `https://HOST/PATH` at `ADDRESS/HOST/PATH`. For emulators and proxies.',
  ],
  webhookAllowPrivate: [
    'WEBHOOK_ALLOW_PRIVATE',
    word('false', ['true', 'false']),
    'Only for development: allows tenants to receive events over plain HTTP, at any port, and inside the own network.',
  ],
  vpnRegion: [
    'VPN_REGION',
    text('local', 'lower-case letters, digits and hyphens', /^[a-z0-9][a-z0-9-]{0,31}$/),
    'Region of the built-in VPN server record.',
  ],
  vpnPublicIp: [
    'VPN_PUBLIC_IP',
    text('203.0.113.10', 'an IP address', /^[0-9A-Fa-f.:]{2,45}$/),
    'Public address of the built-in VPN server (the default is an example address, RFC 5737).',
  ],
  vpnEndpointHost: [
    'VPN_ENDPOINT_HOST',
    optional('a host name or an IP address', (value) => /^[A-Za-z0-9.:_-]{1,253}$/.test(value)),
    'Host in the `Endpoint` of every .conf file; without it `VPN_PUBLIC_IP`.',
  ],
  vpnEndpointPort: ['VPN_ENDPOINT_PORT', integer(51820, 1, 65535), 'UDP port in the `Endpoint`.'],
  vpnPublicKey: [
    'VPN_PUBLIC_KEY',
    optional('a WireGuard public key (44 characters of base64)', (value) => /^[A-Za-z0-9+/]{43}=$/.test(value)),
    'Public key of the built-in VPN server. Without it the first start creates an example key.',
  ],
  vpnSubnet4: [
    'VPN_SUBNET4',
    text('10.64.0.0/16', 'an IPv4 network', /^\d+\.\d+\.\d+\.\d+\/\d+$/),
    'IPv4 addresses of its devices; fixed at the first start.',
  ],
  vpnSubnet6: [
    'VPN_SUBNET6',
    text('fd42:a7:1::/64', 'an IPv6 network', /^[0-9a-fA-F:]+\/\d+$/),
    'IPv6 addresses of its devices; fixed at the first start.',
  ],
  vpnDns: [
    'VPN_DNS',
    listOrOff('IP addresses', (entry) => isIP(entry) !== 0),
    'Resolvers in the .conf files of its devices, or `off` for no `DNS` line. Without it, its address in the tunnel if its agent serves DNS, else public resolvers.',
  ],
  vpnCapacity: ['VPN_CAPACITY', integer(60_000, 1, 65_000), 'Maximum number of devices on it.'],
} as const satisfies Record<string, readonly [string, Read<unknown>, string]>

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
