import type { VendorEndpoints } from './bots/index.ts'
import type { ReceivingSettings } from './email/index.ts'
import type { DoorSettings } from './http/access/door.ts'
import type { BodySettings } from './http/limits/body-settings.ts'
import type { ConnectionLimits } from './http/limits/connection-limits.ts'
import type { RateCounter } from './http/limits/rate-limit.ts'
import type { LoopWatchSettings } from './http/loop-watch.ts'
import type { Log, PublicCacheSettings, RateLimits, RequestLog } from './http/server-deps.ts'
import type { SocketSettings } from './http/sockets/socket-declaration.ts'
import type { GoogleSettings, PasswordCost, TenantSettings } from './identity/index.ts'
import type { InboundSettings } from './inbound/index.ts'
import type { IntegrationSettings } from './integrations/index.ts'
import type { Clock } from './kernel/clock.ts'
import type { MeetingHosts } from './kernel/meeting-links.ts'
import type { EmbeddingSettings, ReadingLimits } from './knowledge/index.ts'
import type { MailSettings } from './mails/index.ts'
import type { ModelSettings, WriterOptions } from './meetings/index.ts'
import type { Blobs } from './storage/blobs/blobs.ts'
import type { Database } from './storage/database.ts'
import type { FanOut } from './storage/fan-out.ts'
import type { Redis } from './storage/redis.ts'
import type { Secrets } from './storage/secrets.ts'
import type { SettingReport } from './system/index.ts'
import type { BuiltInServer } from './vault/index.ts'
import type { WebhookSettings } from './webhooks/index.ts'

/** What the application needs from outside: `main.ts` passes the real ones, tests pass their own. */
export type Adapters = {
  version: string
  /** What administrators may know of the settings. */
  settingReport: SettingReport
  database: Database
  secrets: Secrets
  adminKey: string
  clock: Clock
  log: Log
  requestLog: RequestLog
  rateCounter: RateCounter
  fanOut: FanOut
  blobs: Blobs
  /** Null where the nodes share none. */
  redis?: Pick<Redis, 'ping'> | null
  rateLimits: RateLimits
  publicCache: PublicCacheSettings
  trustedProxies: string[]
  pageOrigins: string[]
  door: DoorSettings
  sockets?: Partial<SocketSettings>
  connections?: Partial<ConnectionLimits>
  bodies?: Partial<BodySettings>
  loop?: Partial<LoopWatchSettings>
  tenants: TenantSettings
  /** What hashing a password takes. Only tests say it. */
  passwordCost?: PasswordCost
  builtInServer: BuiltInServer
  mail: MailSettings
  email?: Partial<ReceivingSettings>
  auditRetentionDays: number
  analyticsRetentionDays: number
  google: GoogleSettings
  languageModel: ModelSettings | null
  /** Null: search compares words alone. */
  embeddings: EmbeddingSettings | null
  /** Null: tenants that never had a license have no limits of usage. */
  usageDefaultPlan: string | null
  /** Hosts of meetings beside those that everybody knows. */
  meetingHosts: MeetingHosts
  /** Where vendors of bots are asked instead of their own addresses. */
  botVendorEndpoints: VendorEndpoints
  inbound?: Partial<InboundSettings>
  /** Of one document. */
  reading?: Partial<ReadingLimits>
  writing?: Partial<WriterOptions>
  webhooks: WebhookSettings
  integrations: IntegrationSettings
}
