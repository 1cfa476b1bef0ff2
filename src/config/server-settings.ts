import { integer, optional, type Settings, text, url, word } from './readers.ts'

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

/** Where the service listens, keeps its data, and writes its log. */
export const serverSettings = {
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
} as const satisfies Settings
