import { isIP } from 'node:net'
import { closestMatch } from './kernel/closest-match.ts'

/** Every setting, read once at the start. A bad one stops the start with its name and what is allowed. */
export type Config = ReturnType<typeof readConfig>

type Read<T> = { allowed: string; standard: T; read(text: string): T | undefined }

function text(standard: string, allowed: string, pattern: RegExp): Read<string> {
  return { allowed, standard, read: (value) => (pattern.test(value) ? value : undefined) }
}

function integer(standard: number, min: number, max: number): Read<number> {
  const isAllowed = (value: number) => Number.isInteger(value) && value >= min && value <= max
  return {
    allowed: `an integer from ${min} to ${max}`,
    standard,
    read: (value) => (/^\d+$/.test(value) && isAllowed(Number(value)) ? Number(value) : undefined),
  }
}

function word<const T extends string>(standard: T, words: readonly T[]): Read<T> {
  return {
    allowed: `one of ${words.join(', ')}`,
    standard,
    read: (value) => words.find((candidate) => candidate === value),
  }
}

function url(protocols: string[]): Read<string | null> {
  const isAllowed = (value: string) => URL.canParse(value) && protocols.includes(new URL(value).protocol)
  return {
    allowed: `an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    standard: null,
    read: (value) => (isAllowed(value) ? value : undefined),
  }
}

function optional(allowed: string, isAllowed: (value: string) => boolean): Read<string | null> {
  return { allowed, standard: null, read: (value) => (isAllowed(value) ? value : undefined) }
}

function list(standard: string[], allowed: string, isAllowed: (entry: string) => boolean): Read<string[]> {
  return {
    allowed: `${allowed}, separated by commas`,
    standard,
    read: (value) => {
      const entries = value.split(',').map((entry) => entry.trim())
      return entries.every(isAllowed) ? entries : undefined
    },
  }
}

/** Each name once: of two values of one name the first would be gone without a word. */
function pairs(allowed: string, shape: RegExp): Read<ReadonlyMap<string, string>> {
  return {
    allowed: `${allowed}, each once, separated by commas`,
    standard: new Map(),
    read: (value) => {
      const found = value.split(',').map((entry) => shape.exec(entry.trim()))
      const named = new Map(found.map((match) => [match?.[1] ?? '', match?.[2] ?? '']))
      return found.includes(null) || named.size < found.length ? undefined : named
    },
  }
}

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

/** `[variable, reader, meaning]`; the table in `docs/configuration.md` is made from this list. */
export const settings = {
  host: ['HOST', host, 'Address to listen on. `0.0.0.0` for all.'],
  port: ['PORT', integer(8080, 0, 65535), 'Port to listen on; 0 takes a free one.'],
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
    'The key of the administrator. Without it one is made at the first start and kept in `DATA_DIR/admin-key`.',
  ],
  masterKey: [
    'MASTER_KEY',
    optional('64 hexadecimal digits (openssl rand -hex 32)', (value) => /^[0-9a-f]{64}$/i.test(value)),
    'Encrypts what is sealed in the database and signs tokens; the same on every node. Without it one is made and kept in `DATA_DIR/master-key`.',
  ],
  databaseUrl: [
    'DATABASE_URL',
    url(['postgres:', 'postgresql:']),
    'PostgreSQL to use instead of the embedded database.',
  ],
  databasePoolMax: [
    'DATABASE_POOL_MAX',
    integer(8, 1, 100),
    'Connections to PostgreSQL; about 8 is best also for many callers.',
  ],
  redisUrl: [
    'REDIS_URL',
    optional(
      'an address that starts with redis:// or rediss:// and whose path, if any, is the number of a database',
      (value) => URL.canParse(value) && /^rediss?:\/\/[^/]+(\/\d*)?$/i.test(value),
    ),
    'Redis for what several nodes share: rate limits, and news of changed keys and tenants; while it is away each node counts for itself.',
  ],
  s3Bucket: [
    'S3_BUCKET',
    optional('3 to 63 lower-case letters, digits, dots and hyphens', (value) =>
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value),
    ),
    'Bucket for uploaded files, in any store that speaks S3; without it they are in `DATA_DIR/media`, which several nodes then have to share.',
  ],
  s3Endpoint: ['S3_ENDPOINT', url(['https:', 'http:']), 'Address of that store; needed with `S3_BUCKET`.'],
  s3Region: ['S3_REGION', text('us-east-1', 'a region of the store', /^[A-Za-z0-9-]{1,63}$/), 'Its region.'],
  s3AccessKeyId: [
    'S3_ACCESS_KEY_ID',
    optional('a key id', (value) => /^[\x21-\x7e]{1,128}$/.test(value)),
    'Key id for the bucket: it reads, writes, lists and removes below `media/`.',
  ],
  s3SecretAccessKey: [
    'S3_SECRET_ACCESS_KEY',
    optional('the secret of the key', (value) => /^[\x21-\x7e]{1,256}$/.test(value)),
    'The secret of that key.',
  ],
  rateLimitMax: ['RATE_LIMIT_MAX', integer(1000, 1, 1_000_000_000), 'Requests of one caller in a window.'],
  rateLimitWindowSeconds: ['RATE_LIMIT_WINDOW_SECONDS', integer(900, 1, 86_400), 'Length of the window in seconds.'],
  rateLimitAuthFailures: [
    'RATE_LIMIT_AUTH_FAILURES',
    integer(100, 1, 1_000_000_000),
    'Wrong credentials of one address in a window; failed logins are counted by tenant and address.',
  ],
  smtpUrl: [
    'SMTP_URL',
    url(['smtp:', 'smtps:']),
    'Mail server, `smtps://user:password@host:465`; `smtp:` takes STARTTLS where it is offered. Without it mails wait in the outbox.',
  ],
  mailFrom: [
    'MAIL_FROM',
    optional('an e-mail address', (value) =>
      /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,190}$/.test(value),
    ),
    'Address that mails come from; needed with `SMTP_URL`.',
  ],
  publicUrl: [
    'PUBLIC_URL',
    url(['https:', 'http:']),
    'Address of the site: of its pages in `/sitemap.xml`, and of `/reset-password` and `/verify-email`, to which mails link for tenants without a `customDomain`; without it there is no sitemap, and their mails hold a code alone.',
  ],
  publicMaxAgeSeconds: [
    'PUBLIC_MAX_AGE_SECONDS',
    integer(0, 0, 86_400),
    'How long others may keep a public answer without asking; 0: they ask each time, and a change is seen at once.',
  ],
  publicCacheMb: ['PUBLIC_CACHE_MB', integer(64, 1, 10_000), 'Memory for prepared public answers, in MB.'],
  pageOrigins: [
    'CORS_ORIGINS',
    list([], 'origins such as https://app.example.com', isOrigin),
    'Pages that may call from a browser, beside public reads, which all may; without one all may, since a credential has to be shown in any case.',
  ],
  socketsMax: ['SOCKETS_MAX', integer(10_000, 1, 1_000_000), 'WebSocket connections of this process.'],
  socketsPerUserMax: ['SOCKETS_PER_USER_MAX', integer(2_000, 1, 1_000_000), 'Those of one user.'],
  socketOrigins: [
    'SOCKET_ORIGINS',
    list([], 'origins such as https://app.example.com', isOrigin),
    'Pages that may open WebSockets; without one all may, since a token has to be shown in any case.',
  ],
  trustedProxies: [
    'TRUSTED_PROXIES',
    list([], 'addresses or networks', isNetwork),
    'Proxies whose `X-Forwarded-For` is believed.',
  ],
  auditRetentionDays: ['AUDIT_RETENTION_DAYS', integer(365, 1, 36_500), 'Days that an entry of the audit log is kept.'],
  analyticsRetentionDays: [
    'ANALYTICS_RETENTION_DAYS',
    integer(90, 2, 36_500),
    'Days that a single visit is kept; the daily summaries stay.',
  ],
  drainSeconds: [
    'DRAIN_SECONDS',
    integer(0, 0, 300),
    'On SIGTERM, how long `/health` says `draining` before the port closes, for a balancer to see it.',
  ],
  logLevel: [
    'LOG_LEVEL',
    word('info', ['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    'Least severity that is logged.',
  ],
  logSlowMs: ['LOG_SLOW_MS', integer(1000, 1, 3_600_000), 'A request that takes this many milliseconds is logged.'],
  logSample: [
    'LOG_SAMPLE',
    integer(100, 0, 1_000_000),
    'One of this many requests is logged, whatever comes of it; 0: none.',
  ],
  googleClientIds: [
    'GOOGLE_CLIENT_IDS',
    list([], 'OAuth client ids', (entry) => /^[\x21-\x2b\x2d-\x7e]{1,255}$/.test(entry)),
    'Client ids of the apps that sign in with Google; without one nobody can.',
  ],
  googleJwksUrl: [
    'GOOGLE_JWKS_URL',
    text(
      'https://www.googleapis.com/oauth2/v3/certs',
      'an address that starts with https:// or http://',
      /^https?:\/\/[^\s/]+\S*$/,
    ),
    'Where the keys are that sign Google’s ID tokens.',
  ],
  llmBaseUrl: [
    'LLM_BASE_URL',
    url(['https:', 'http:']),
    'An endpoint that speaks OpenAI’s chat completions, such as `https://api.openai.com/v1`: it writes the summaries of meetings. Without it nothing leaves the installation.',
  ],
  llmApiKey: [
    'LLM_API_KEY',
    optional('1 to 1000 printable ASCII characters without spaces', (value) => /^[\x21-\x7e]{1,1000}$/.test(value)),
    'Its key, where it wants one.',
  ],
  llmModel: [
    'LLM_MODEL',
    optional('the name of a model', (value) => /^[\x21-\x7e]{1,200}$/.test(value)),
    'The model to ask for; needed with `LLM_BASE_URL`.',
  ],
  llmTimeoutSeconds: [
    'LLM_TIMEOUT_SECONDS',
    integer(20, 1, 300),
    'How long a whole answer of the model may take; then the local engine writes the summary.',
  ],
  llmInputTokens: [
    'LLM_INPUT_TOKENS',
    integer(24_000, 1000, 2_000_000),
    'Tokens of a transcript that the model is sent; of a longer one it reads fair parts.',
  ],
  llmTokensPerDay: [
    'LLM_TOKENS_PER_DAY',
    integer(1_000_000, 0, 1_000_000_000_000),
    'Tokens, in and out, of one tenant in a day of UTC; then the local engine writes.',
  ],
  inboundSecrets: [
    'INBOUND_SECRETS',
    pairs('pairs of `scheme=secret` with secrets of 8 characters or more', /^([a-z-]+)=(.{8,8192})$/),
    'Secrets of the providers of inbound webhooks where the installation serves one tenant; of `bot-framework` the application id, of `sns` the topics, separated by spaces. Providers then deliver to the plain addresses.',
  ],
  inboundTenant: [
    'INBOUND_TENANT',
    optional('the slug or the id of a tenant', (value) => /^[a-z0-9-]{1,64}$/.test(value)),
    'The tenant that those deliver to; without it the only one besides the built-in.',
  ],
  webhookAllowPrivate: [
    'WEBHOOK_ALLOW_PRIVATE',
    word('false', ['true', 'false']),
    'For development alone: tenants may have events sent by plain HTTP, to any port, and into the own network.',
  ],
  vpnRegion: [
    'VPN_REGION',
    text('local', 'lower-case letters, digits and hyphens', /^[a-z0-9][a-z0-9-]{0,31}$/),
    'Region of the built-in VPN server record.',
  ],
  vpnPublicIp: [
    'VPN_PUBLIC_IP',
    text('203.0.113.10', 'an IP address', /^[0-9A-Fa-f.:]{2,45}$/),
    'Public address of that server (the default is an example address, RFC 5737).',
  ],
  vpnEndpointHost: [
    'VPN_ENDPOINT_HOST',
    optional('a host name or an IP address', (value) => /^[A-Za-z0-9.:_-]{1,253}$/.test(value)),
    'Host in the `Endpoint` of every .conf; without it `VPN_PUBLIC_IP`.',
  ],
  vpnEndpointPort: ['VPN_ENDPOINT_PORT', integer(51820, 1, 65535), 'Its UDP port.'],
  vpnPublicKey: [
    'VPN_PUBLIC_KEY',
    optional('a WireGuard public key (44 characters of base64)', (value) => /^[A-Za-z0-9+/]{43}=$/.test(value)),
    'Its public key; without it an example key is made at the first start.',
  ],
  vpnSubnet4: [
    'VPN_SUBNET4',
    text('10.64.0.0/16', 'an IPv4 network', /^\d+\.\d+\.\d+\.\d+\/\d+$/),
    'Addresses of its devices; fixed at the first start.',
  ],
  vpnSubnet6: ['VPN_SUBNET6', text('fd42:a7:1::/64', 'an IPv6 network', /^[0-9a-fA-F:]+\/\d+$/), 'The same for IPv6.'],
  vpnDns: [
    'VPN_DNS',
    list(['10.64.0.1', 'fd42:a7:1::1'], 'IP addresses', (entry) => isIP(entry) !== 0),
    'Name servers in every .conf.',
  ],
  vpnCapacity: ['VPN_CAPACITY', integer(60_000, 1, 65_000), 'Most devices on it.'],
} as const satisfies Record<string, readonly [string, Read<unknown>, string]>

type Values = { [Name in keyof typeof settings]: (typeof settings)[Name][1] extends Read<infer T> ? T : never }

/** Thrown with one line for each bad variable. */
export class BadConfig extends Error {}

export function readConfig(environment: Record<string, string | undefined>): Values {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, [variable, reader]] of Object.entries(settings)) {
    const given = environment[variable]
    // An empty variable is how a compose file says "not set".
    const value = given === undefined || given === '' ? reader.standard : reader.read(given)
    if (value === undefined) faults.push(`${variable} must be ${reader.allowed}.`)
    values[name] = value
  }
  faults.push(...missingOfS3(values))
  if (values['smtpUrl'] && values['mailFrom'] === null) faults.push('MAIL_FROM must be set where SMTP_URL is.')
  if (values['llmBaseUrl'] && values['llmModel'] === null) faults.push('LLM_MODEL must be set where LLM_BASE_URL is.')
  if (faults.length > 0) throw new BadConfig(faults.join('\n'))
  return values as Values
}

const shortNameMax = 7
const mistypedLettersMax = 2

/** A line for each variable that is nearly one of ours: what it was meant to set keeps its default without a word. */
export function mistyped(environment: Record<string, string | undefined>): string[] {
  const variables = Object.values(settings).map(([variable]): string => variable)
  return Object.keys(environment).flatMap((name) => {
    // Short names are near to many, and lower-case ones are never ours.
    if (variables.includes(name) || name.length <= shortNameMax || !/^[A-Z0-9_]+$/.test(name)) return []
    const near = closestMatch(name, variables)
    return near !== null && near.distance <= mistypedLettersMax
      ? [`${name} is no setting; did you mean ${near.word}?`]
      : []
  })
}

/** Half a configured bucket would be files on the wrong disk without a word. */
function missingOfS3(values: Record<string, unknown>): string[] {
  const names = ['s3Bucket', 's3Endpoint', 's3AccessKeyId', 's3SecretAccessKey'] as const
  if (names.every((name) => values[name] === null)) return []
  return names
    .filter((name) => values[name] === null)
    .map((name) => `${settings[name][0]} must be set where another of the S3 settings is.`)
}
