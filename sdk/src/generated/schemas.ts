// Generated from openapi/api.json by `npm run generate`.

export type AccessVerdict = {
  /** Whether no check failed. */
  allowed: boolean
  checks: Array<{
    check: 'KEY_KNOWN' | 'KEY_ACTIVE' | 'TENANT_ACTIVE' | 'PRODUCT_ON_KEY' | 'USER_KNOWN' | 'USER_ACTIVE' | 'USER_PRODUCT' | 'LICENSE_KNOWN' | 'LICENSE_OF_TENANT' | 'LICENSE_PRODUCT' | 'LICENSE_NOT_REVOKED' | 'LICENSE_NOT_EXPIRED' | 'LICENSE_USES_LEFT'
    /** Null: not part of the request, or skipped because an earlier check failed. */
    passed: boolean | null
    /** The error code that the caller would get. */
    code: 'VALIDATION_ERROR' | 'MALFORMED_JSON' | 'BODY_TOO_MANY_MEMBERS' | 'INVALID_PAGINATION' | 'UNKNOWN_PRODUCT' | 'PASSWORD_REJECTED' | 'API_KEY_MISSING' | 'API_KEY_INVALID' | 'ADMIN_KEY_MISSING' | 'ADMIN_KEY_INVALID' | 'TOKEN_MISSING' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED' | 'NODE_TOKEN_MISSING' | 'NODE_TOKEN_INVALID' | 'RUNNER_TOKEN_MISSING' | 'RUNNER_TOKEN_INVALID' | 'INVALID_CREDENTIALS' | 'SESSION_INVALID' | 'REFRESH_INVALID' | 'REFRESH_REUSED' | 'SIGNATURE_INVALID' | 'TENANT_SUSPENDED' | 'USER_SUSPENDED' | 'PRODUCT_NOT_ALLOWED' | 'REGISTRATION_CLOSED' | 'INSUFFICIENT_ROLE' | 'QUOTA_EXCEEDED' | 'ORIGIN_NOT_ALLOWED' | 'INSECURE_TRANSPORT' | 'CONFIRMATION_REQUIRED' | 'LICENSE_REQUIRED' | 'LICENSE_REVOKED' | 'LICENSE_EXPIRED' | 'LICENSE_EXHAUSTED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'NOT_ACCEPTABLE' | 'REQUEST_TIMEOUT' | 'EMAIL_TAKEN' | 'SLUG_TAKEN' | 'KEY_NOT_ACTIVE' | 'REAUTH_REQUIRED' | 'SCOPE_MISSING' | 'STATE_CONFLICT' | 'REVISION_AHEAD' | 'NODE_SUPERSEDED' | 'LEASE_LOST' | 'ACCOUNT_LINK_REQUIRED' | 'IDEMPOTENCY_IN_PROGRESS' | 'CAPACITY_EXHAUSTED' | 'PRECONDITION_FAILED' | 'BODY_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'RANGE_NOT_SATISFIABLE' | 'IDEMPOTENCY_KEY_REUSED' | 'UPGRADE_REQUIRED' | 'RATE_LIMITED' | 'USAGE_EXCEEDED' | 'LOGIN_THROTTLED' | 'INTERNAL' | 'NOT_CONFIGURED' | 'UNAVAILABLE' | null
    detail: string
  }>
}

export type AdminKey = {
  /** UUIDv7, lower case. */
  id: string
  name: string
  /** OWNER: may do everything. EDITOR: may read everything and change the catalog and content. VIEWER: may read everything. */
  role: 'OWNER' | 'EDITOR' | 'VIEWER'
  /** The first characters of the key. */
  keyPrefix: string
  status: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
  /** Null: never. */
  expiresAt: string | null
  /** Accurate to about a minute. Null: never used. */
  lastUsedAt: string | null
  createdAt: string
  revokedAt: string | null
}

export type AdminProductDownload = {
  /** UUIDv7, lower case. */
  id: string
  kind: 'SDK' | 'DESKTOP' | 'MOBILE' | 'CLI' | 'DOC' | 'OTHER'
  /** any if absent. */
  platform: 'windows' | 'macos' | 'linux' | 'ios' | 'android' | 'web' | 'any'
  /** any if absent. */
  arch: 'x64' | 'arm64' | 'universal' | 'any'
  /** Taken from the uploaded file if absent. */
  fileName: string | null
  /** Taken from the uploaded file if absent. */
  sizeBytes: number | null
  /** Lower-case hex. Taken from the uploaded file if absent. */
  sha256: string | null
  /** The publisher’s signature, as text. */
  signature: string | null
  packageManager: string | null
  installCommand: string | null
  /** Whether the download requires a license key of the product. */
  requiresLicense: boolean
  /** Smaller comes first; 100 if absent. */
  order: number
  /** UUIDv7, lower case. */
  productId: string
  /** The version it belongs to, or null. Downloads of a yanked version answer 404. */
  versionId: string | null
  /** UUIDv7, lower case. */
  mediaId: string | null
  externalUrl: string | null
  isActive: boolean
  /** Increases with each change. */
  revision: number
  createdAt: string
  updatedAt: string
}

export type AdminProductVersion = {
  /** UUIDv7, lower case. */
  id: string
  /** A semantic version (semver.org). Unique in the product. */
  version: string
  /** If absent: stable for a release, nightly for a prerelease named nightly, dev, canary or snapshot, beta for other prereleases. */
  channel: 'stable' | 'beta' | 'nightly'
  /** Whether it is the newest of its channel that is not yanked. */
  isLatest: boolean
  releasedAt: string
  /** Markdown. */
  notes: string | null
  /** The notes as sanitized HTML. */
  notesHtml: string | null
  breaking: boolean
  /** Minimum requirements by name. */
  minRequirements: Record<string, string>
  /** null: not yanked. */
  yankedAt: string | null
  /** Why it was yanked. */
  yankReason: string | null
  /** UUIDv7, lower case. */
  productId: string
  /** Increases with each change. */
  revision: number
  createdAt: string
  updatedAt: string
}

export type AnalyticsDevice = {
  device: 'desktop' | 'mobile' | 'tablet' | 'api' | 'bot'
  /** Views by people; a repeat by the same visitor within 30 seconds does not count. */
  views: number
  /** Views by people, every one counted. */
  raw: number
  /** Views by robots; not included in the other numbers. */
  bots: number
  /** Daily visitors per product, added up: a visitor on two days counts twice. Visitors who opted out of tracking are not counted. */
  uniques: number
}

export type AnalyticsDoc = {
  /** UUIDv7, lower case. */
  productId: string | null
  /** Its last known slug. */
  productSlug: string | null
  docSlug: string
  /** Views by people; a repeat by the same visitor within 30 seconds does not count. */
  views: number
  /** Views by people, every one counted. */
  raw: number
  /** Views by robots; not included in the other numbers. */
  bots: number
  /** Daily visitors per product, added up: a visitor on two days counts twice. Visitors who opted out of tracking are not counted. */
  uniques: number
}

export type AnalyticsDownload = {
  /** UUIDv7, lower case. */
  productId: string | null
  /** Its last known slug. */
  productSlug: string | null
  /** UUIDv7, lower case. */
  downloadId: string
  /** Views by people; a repeat by the same visitor within 30 seconds does not count. */
  views: number
  /** Views by people, every one counted. */
  raw: number
  /** Views by robots; not included in the other numbers. */
  bots: number
  /** Daily visitors per product, added up: a visitor on two days counts twice. Visitors who opted out of tracking are not counted. */
  uniques: number
}

export type AnalyticsEvent = {
  /** UUIDv7, lower case. */
  id: string
  type: 'product.view' | 'page.view' | 'doc.view' | 'sdk.download' | 'search' | 'cta.click'
  at: string
  /** More than one where visits were rolled up because the database was unreachable for long. */
  visits: number
  /** UUIDv7, lower case. */
  productId: string | null
  productSlug: string | null
  pageSlug: string | null
  docSlug: string | null
  /** UUIDv7, lower case. */
  downloadId: string | null
  /** UUIDv7, lower case. */
  versionId: string | null
  /** The same for one visitor on one day. Null for robots and for visitors who opted out of tracking. */
  visitorHash: string | null
  isBot: boolean
  /** Whether the same visitor viewed it within the last 30 seconds. */
  isRepeat: boolean
  referrerHost: string | null
  utm: Record<string, string> | null
  device: 'desktop' | 'mobile' | 'tablet' | 'api' | 'bot'
  agentFamily: string
}

export type AnalyticsOverview = {
  from: string
  to: string
  totals: AnalyticsTotals
  /** The same number of days right before. */
  previous: {
    from: string
    to: string
    totals: AnalyticsTotals
  }
  /** The ten most read products. */
  topProducts: Array<AnalyticsProduct>
  /** The ten most read pages. */
  topPages: Array<AnalyticsPage>
  /** The ten most read docs. */
  topDocs: Array<AnalyticsDoc>
  /** The ten most downloaded files; views are downloads. */
  topDownloads: Array<AnalyticsDownload>
  /** The ten most frequent referring hosts. */
  referrers: Array<AnalyticsReferrer>
  /** By kind of device. `api`: a program that identifies itself. */
  devices: Array<AnalyticsDevice>
}

export type AnalyticsPage = {
  pageSlug: string
  /** Views by people; a repeat by the same visitor within 30 seconds does not count. */
  views: number
  /** Views by people, every one counted. */
  raw: number
  /** Views by robots; not included in the other numbers. */
  bots: number
  /** Daily visitors per product, added up: a visitor on two days counts twice. Visitors who opted out of tracking are not counted. */
  uniques: number
}

export type AnalyticsPoint = {
  start: string
  value: number
}

export type AnalyticsProduct = {
  /** UUIDv7, lower case. */
  productId: string | null
  /** Its last known slug. */
  productSlug: string | null
  /** Views by people; a repeat by the same visitor within 30 seconds does not count. */
  views: number
  /** Views by people, every one counted. */
  raw: number
  /** Views by robots; not included in the other numbers. */
  bots: number
  /** Daily visitors per product, added up: a visitor on two days counts twice. Visitors who opted out of tracking are not counted. */
  uniques: number
}

export type AnalyticsReferrer = {
  /** Null: no referrer, or the own host. `(other)`: hosts beyond the daily limit of names. */
  host: string | null
  /** Views by people; a repeat by the same visitor within 30 seconds does not count. */
  views: number
  /** Views by people, every one counted. */
  raw: number
  /** Views by robots; not included in the other numbers. */
  bots: number
  /** Daily visitors per product, added up: a visitor on two days counts twice. Visitors who opted out of tracking are not counted. */
  uniques: number
}

export type AnalyticsTimeseries = {
  metric: 'views' | 'raw' | 'bots' | 'uniques' | 'productViews' | 'pageViews' | 'docViews' | 'downloads' | 'searches' | 'clicks'
  interval: 'day' | 'week' | 'month'
  from: string
  to: string
  /** One per interval, also for empty ones, named by its first day. Days outside `from` and `to` are not counted. */
  points: Array<AnalyticsPoint>
  /** Sum of all points. */
  total: number
}

/** `views`, `raw`, `bots` and `uniques` cover products, pages and docs. */
export type AnalyticsTotals = {
  /** Views by people; a repeat by the same visitor within 30 seconds does not count. */
  views: number
  /** Views by people, every one counted. */
  raw: number
  /** Views by robots; not included in the other numbers. */
  bots: number
  /** Daily visitors per product, added up: a visitor on two days counts twice. Visitors who opted out of tracking are not counted. */
  uniques: number
  /** Of products. */
  productViews: number
  /** Of pages. */
  pageViews: number
  /** Of product docs. */
  docViews: number
  /** Counted downloads. */
  downloads: number
  /** Searches. */
  searches: number
  /** Clicks on calls to action. */
  clicks: number
}

export type AnalyticsVersion = {
  /** UUIDv7, lower case. */
  versionId: string
  /** Views by people; a repeat by the same visitor within 30 seconds does not count. */
  views: number
  /** Views by people, every one counted. */
  raw: number
  /** Views by robots; not included in the other numbers. */
  bots: number
  /** Daily visitors per product, added up: a visitor on two days counts twice. Visitors who opted out of tracking are not counted. */
  uniques: number
}

export type ApiKey = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  tenantId: string
  name: string
  products: Array<string>
  /** The first characters of the key. */
  keyPrefix: string
  status: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
  /** Null: never. */
  expiresAt: string | null
  /** Accurate to about a minute. Null: never used. */
  lastUsedAt: string | null
  createdAt: string
  revokedAt: string | null
}

export type AskAnswer = {
  /** UUIDv7, lower case. */
  answerId: string
  /** Whether an answer was found in what you may read. */
  found: boolean
  /** The whole answer as text. Numbers in brackets are those of the citations. */
  answer: string
  parts: Array<{
    /** A sentence of the answer. */
    text: string
    /** The numbers of the citations that it is based on. */
    citations: Array<number>
  }>
  citations: Array<AskCitation>
  /** If nothing was found: up to three quotes that come nearest. */
  closest: Array<{
    citation: AskCitation
  }>
  /** Words that occur nowhere, with the words that were searched instead. */
  corrected: Record<string, string>
  engine: 'local' | 'llm'
  /** The name of the language model that wrote the answer. */
  model: string | null
  /** Why the local engine answered although a model is configured. */
  fallbackReason: 'TIMEOUT' | 'UNREACHABLE' | 'RATE_LIMITED' | 'REFUSED' | 'TOO_LARGE' | 'INVALID_OUTPUT' | 'BUDGET_SPENT' | 'PAUSED' | 'NOTHING_FOUND' | null
  searched: {
    /** Documents that were searched. */
    documents: number
    /** Meetings whose transcripts were searched. */
    meetings: number
    /** Documents, and meetings that are not live, that cannot be found yet. */
    waiting: number
  }
  generatedAt: string
}

export type AskCitation = {
  /** Its number in this answer. */
  n: number
  kind: 'document' | 'meeting'
  /** UUIDv7, lower case. */
  documentId: string | null
  /** UUIDv7, lower case. */
  meetingId: string | null
  /** Of the document. */
  version: number | null
  /** Of the document or meeting. */
  title: string
  /** From 1; of a presentation the slide. */
  page: number | null
  /** The headings above it, outermost first. */
  heading: Array<string>
  /** The number of the transcript entry. */
  seq: number | null
  speaker: string | null
  /** When it was said, `HH:MM:SS` into the meeting. */
  timestamp: string | null
  /** The API path of what is cited. */
  path: string
  /** Verbatim, as it is stored. */
  quote: string
  /** Where the quote begins, in code points of the document as text (`content?format=text`) or of the text of the entry. */
  start: number
  /** Where it ends, exclusive. */
  end: number
}

export type AskLine = {
  /** UUIDv7, lower case. */
  answerId: string
  question: string
  found: boolean
  engine: 'local' | 'llm'
  generatedAt: string
}

export type AuditEntry = {
  /** UUIDv7, lower case. */
  id: string
  at: string
  /** UUIDv7, lower case. */
  tenantId: string | null
  actor: {
    /** SYSTEM: the service itself. ANONYMOUS: a caller without a credential, for example during registration. */
    type: 'ADMIN' | 'API_KEY' | 'USER' | 'NODE' | 'RUNNER' | 'SYSTEM' | 'ANONYMOUS'
    /** Null for the admin key from the environment, for SYSTEM and for ANONYMOUS. */
    id: string | null
    /** A readable name of the actor. */
    label: string
  }
  action: string
  target: {
    type: string
    id: string | null
  }
  outcome: 'ALLOWED' | 'DENIED'
  /** What was changed, without secrets. */
  changes: Record<string, unknown> | null
  ip: string | null
  requestId: string | null
}

export type AuditVerification = {
  ok: boolean
  /** The number of sealed entries that were checked. */
  checked: number
  /** How many of them belong to erased tenants. */
  redacted: number
  /** The number of newest entries that are not in the chain yet. */
  unsealed: number
  /** The first wrong position. Null also if the problem has no position. */
  firstBadSeq: number | null
  /** The id of the entry at this position, if there is one. */
  firstBadId: string | null
  reason: 'ENTRY_CHANGED' | 'REDACTION_FORGED' | 'ENTRY_MISSING' | 'CHAIN_BROKEN' | 'NEWEST_MISSING' | 'ENTRY_ADDED' | 'BASE_CHANGED' | 'HEAD_CHANGED' | 'HISTORY_REPLACED' | null
  /** The newest position and its hash. Store it outside the server and send it later as `checkpoint`. */
  head: {
    seq: number
    hash: string
  } | null
  /** Where to continue. Null: everything was checked. */
  nextSeq: number | null
}

export type BlockRecord = {
  /** Lower-case letters, digits, dots, hyphens and underscores. */
  key: string
  /** A language tag (BCP 47), in any case. Default: en. */
  locale?: string
  /** The type of the value. */
  type: 'text' | 'markdown' | 'json' | 'url' | 'boolean' | 'number'
  /** A value of the block’s type: a string for text, markdown and url; anything for json. */
  value: unknown
  /** A note for editors. */
  description?: string | null
}

export type Bot = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  meetingId: string
  /** UUIDv7, lower case. */
  orgId: string | null
  /** UUIDv7, lower case. */
  requestedBy: string | null
  platform: 'zoom' | 'meet' | 'teams' | 'jitsi' | 'page' | 'none'
  provider: 'push' | 'replay' | 'runner' | 'browser' | 'recall' | 'attendee' | 'vexa'
  displayName: string
  status: 'scheduled' | 'queued' | 'joining' | 'waiting_room' | 'in_meeting' | 'leaving' | 'ended' | 'failed'
  /** Why it has this status. See the documentation of bots. */
  reason: string | null
  detail: string | null
  joinAt: string | null
  occurrence: {
    platform: 'zoom' | 'meet' | 'teams' | 'jitsi' | 'page' | 'none'
    room: string
    /** Null: the meeting was already running. */
    start: string | null
  }
  autoLeave: {
    waitingRoomSeconds: number
    aloneSeconds: number
    nobodyCameSeconds: number
    silenceSeconds: number
    silenceAfterSeconds: number
    maxSeconds: number
  }
  consent: {
    /** `notice`: posting the notice is enough. `required`: nothing is kept until a participant writes `!agree` or the organizer confirms. */
    mode: 'notice' | 'required'
    message: string
    /** When the notice was posted. Nothing is kept before that. */
    postedAt: string | null
    /** False: the meeting has no chat, so only the name says it. */
    delivered: boolean
    decisions: Array<{
      at: string
      by: string
      decision: 'agreed' | 'confirmed' | 'refused' | 'stopped' | 'forgotten'
    }>
  }
  chatAnswers: 'none' | 'mention'
  speed: number
  attempt: number
  admittedAt: string | null
  leftAt: string | null
  /** Whether nobody has confirmed that the bot has left. */
  leftUnconfirmed: boolean
  /** Between admission and leaving, of all attempts. */
  seconds: number
  /** Gaps in the transcript. */
  gaps: Array<{
    from: string
    to: string | null
    cause: string
  }>
  /** `deaf`: people talk, but no words arrive. */
  health: 'ok' | 'deaf' | null
  /** UUIDv7, lower case. */
  runnerId: string | null
  createdAt: string
  endedAt: string | null
  revision: number
}

export type BotRunner = {
  /** UUIDv7, lower case. */
  id: string
  name: string
  /** Whether it belongs to the platform and runs bots of all tenants. */
  isShared: boolean
  isEnrolled: boolean
  platforms: Array<string>
  slots: number
  version: string | null
  liveBots: number
  lastSeenAt: string | null
  createdAt: string
}

export type BotVendor = {
  vendor: 'recall' | 'attendee' | 'vexa'
  name: string
  /** Of Recall.ai: `us-east-1`, `us-west-2`, `eu-central-1` or `ap-northeast-1`. Its API keys belong to a region. */
  region: string | null
  baseUrl: string
  platforms: Array<string>
  /** Where the vendor sends its webhooks, below the base address of this installation. Null: no `webhookSecret` was set. */
  webhookPath: string | null
  createdAt: string
  updatedAt: string
}

export type BotWithEvents = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  meetingId: string
  /** UUIDv7, lower case. */
  orgId: string | null
  /** UUIDv7, lower case. */
  requestedBy: string | null
  platform: 'zoom' | 'meet' | 'teams' | 'jitsi' | 'page' | 'none'
  provider: 'push' | 'replay' | 'runner' | 'browser' | 'recall' | 'attendee' | 'vexa'
  displayName: string
  status: 'scheduled' | 'queued' | 'joining' | 'waiting_room' | 'in_meeting' | 'leaving' | 'ended' | 'failed'
  /** Why it has this status. See the documentation of bots. */
  reason: string | null
  detail: string | null
  joinAt: string | null
  occurrence: {
    platform: 'zoom' | 'meet' | 'teams' | 'jitsi' | 'page' | 'none'
    room: string
    /** Null: the meeting was already running. */
    start: string | null
  }
  autoLeave: {
    waitingRoomSeconds: number
    aloneSeconds: number
    nobodyCameSeconds: number
    silenceSeconds: number
    silenceAfterSeconds: number
    maxSeconds: number
  }
  consent: {
    /** `notice`: posting the notice is enough. `required`: nothing is kept until a participant writes `!agree` or the organizer confirms. */
    mode: 'notice' | 'required'
    message: string
    /** When the notice was posted. Nothing is kept before that. */
    postedAt: string | null
    /** False: the meeting has no chat, so only the name says it. */
    delivered: boolean
    decisions: Array<{
      at: string
      by: string
      decision: 'agreed' | 'confirmed' | 'refused' | 'stopped' | 'forgotten'
    }>
  }
  chatAnswers: 'none' | 'mention'
  speed: number
  attempt: number
  admittedAt: string | null
  leftAt: string | null
  /** Whether nobody has confirmed that the bot has left. */
  leftUnconfirmed: boolean
  /** Between admission and leaving, of all attempts. */
  seconds: number
  /** Gaps in the transcript. */
  gaps: Array<{
    from: string
    to: string | null
    cause: string
  }>
  /** `deaf`: people talk, but no words arrive. */
  health: 'ok' | 'deaf' | null
  /** UUIDv7, lower case. */
  runnerId: string | null
  createdAt: string
  endedAt: string | null
  revision: number
  events: Array<{
    at: string
    type: 'status' | 'refused' | 'consent' | 'gap' | 'health' | 'command' | 'calendar' | 'vendor'
    from: string | null
    to: string | null
    reason: string | null
    detail: string | null
  }>
  artifacts: Array<string>
}

export type BrowserSession = {
  /** UUIDv7, lower case. */
  id: string
  /** OWNER: may do everything. EDITOR: may read everything and change the catalog and content. VIEWER: may read everything. */
  role: 'OWNER' | 'EDITOR' | 'VIEWER'
  /** The named key that the session depends on. Null: the key of the environment. */
  keyId: string | null
  keyName: string
  createdAt: string
  expiresAt: string
  /** When the session ends if nobody uses it. Requests with `X-Atrium-Poll: 1` do not count. */
  idleExpiresAt: string
  /** Until then sensitive operations are allowed. */
  confirmedUntil: string | null
}

export type Bundle = {
  format: 'atrium.bundle'
  version: 1
  exportedAt: string
  parts: {
    products: Array<ProductRecord>
    pages: Array<PageRecord>
    slots: Array<SlotRecord>
    blocks: Array<BlockRecord>
  }
}

export type Collection = {
  /** UUIDv7, lower case. */
  id: string
  name: string
  /** `open`: to all members of the organization. `restricted`: to the listed members alone. */
  access: 'open' | 'restricted'
  /** Of an open collection: who keeps access when it is restricted. */
  members: Array<{
    /** UUIDv7, lower case. */
    userId: string
    access: 'read' | 'write'
  }>
  documentCount: number
  createdAt: string
  updatedAt: string
  /** Grows with every change. The ETag contains it. */
  revision: number
}

export type CollectionHistoryEntry = {
  /** Of the collection after the change. */
  revision: number
  action: 'created' | 'updated' | 'memberSet' | 'memberRemoved'
  /** The names of the changed fields. */
  fields: Array<string>
  /** Null: the service, or a user who was removed. */
  actor: {
    /** UUIDv7, lower case. */
    userId: string
    name: string | null
  } | null
  /** The member whose access has changed. */
  userId: string | null
  at: string
}

export type ContentBlock = {
  /** UUIDv7, lower case. */
  id: string
  /** Lower-case letters, digits, dots, hyphens and underscores. */
  key: string
  /** A language tag (BCP 47), in any case. Default: en. */
  locale: string
  /** The type of the value. */
  type: 'text' | 'markdown' | 'json' | 'url' | 'boolean' | 'number'
  /** A value of the block’s type: a string for text, markdown and url; anything for json. */
  value: unknown
  /** Safe HTML of a markdown block. */
  html: string | null
  updatedAt: string
  /** A note for editors. */
  description: string | null
  revision: number
  createdAt: string
}

export type Device = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  tenantId: string
  /** UUIDv7, lower case. */
  userId: string
  /** One line. Spaces at both ends are removed. */
  deviceName: string
  /** A platform label, stored as sent. Known labels: IOS, ANDROID, WINDOWS, MACOS, LINUX, ROUTER. */
  deviceType: string
  /** WireGuard public key in base64. */
  publicKey: string
  /** IPv4 address in the VPN. */
  assignedIp: string
  /** IPv6 address in the VPN. */
  assignedIpv6: string
  /** SUSPENDED while the user or the tenant is. REVOKED is final. */
  status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
  /** Whether the server lets the device in: PENDING and REMOVING until its node has acknowledged the change. On a server without a node nobody acknowledges: APPLIED while a session is open, else NONE. */
  peerState: 'NONE' | 'PENDING' | 'APPLIED' | 'REMOVING'
  server: {
    /** UUIDv7, lower case. */
    id: string
    region: string
    endpoint: string
  }
  /** Raised when the config file changes: fetch it again. */
  configVersion: number
  lastHandshakeAt: string | null
  /** Received by the server from the device. */
  rxBytes: number
  /** Sent by the server to the device. */
  txBytes: number
  createdAt: string
  revokedAt: string | null
  /** Revoked: when the node of the server had let go of the device. */
  confirmedAt: string | null
}

export type DocSection = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  productId: string
  /** Lower-case letters, digits and single hyphens. Unique in the product. */
  slug: string
  title: string
  /** Smaller comes first; 100 if absent. */
  order: number
  /** The section that contains this one. null: a top-level section. */
  parentId: string | null
  /** Increases with each change. */
  revision: number
  createdAt: string
  updatedAt: string
}

export type Document = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  collectionId: string
  title: string
  filename: string
  /** Detected from the bytes where possible. */
  mimeType: string
  /** Of the file, in bytes. */
  size: number
  sha256: string
  /** ISO 639-1; `und` if it cannot be told. */
  language: string | null
  status: 'queued' | 'extracting' | 'ready' | 'failed'
  /** `NO_TEXT`: nothing but pictures or white space. `TOO_LONG`: more than 1,000 pages or 5 million characters. `TOO_MUCH`: of time, memory or unpacked bytes. `USAGE_EXCEEDED`: a limit of pages or bytes; try again in the next window. */
  failure: {
    code: 'ENCRYPTED' | 'NO_TEXT' | 'BROKEN' | 'TOO_LONG' | 'TOO_MUCH' | 'USAGE_EXCEEDED'
    detail: string
  } | null
  /** Pages or slides. Null for types without them. */
  pages: number | null
  /** While the status is `extracting`. */
  progress: {
    pagesRead: number
    pages: number | null
  } | null
  /** Code points of the text. */
  characters: number | null
  /** The current version. Until one has been ready, the last one. The other members are about it. */
  version: number
  tags: Array<string>
  /** Null: a user who was removed. */
  createdBy: string | null
  createdAt: string
  updatedAt: string
  /** Since when its text is found. */
  indexedAt: string | null
  /** Grows with every change. The ETag contains it. */
  revision: number
}

export type DocumentVersion = {
  version: number
  filename: string
  /** Detected from the bytes where possible. */
  mimeType: string
  /** Of the file, in bytes. */
  size: number
  sha256: string
  /** ISO 639-1; `und` if it cannot be told. */
  language: string | null
  status: 'queued' | 'extracting' | 'ready' | 'failed'
  /** `NO_TEXT`: nothing but pictures or white space. `TOO_LONG`: more than 1,000 pages or 5 million characters. `TOO_MUCH`: of time, memory or unpacked bytes. `USAGE_EXCEEDED`: a limit of pages or bytes; try again in the next window. */
  failure: {
    code: 'ENCRYPTED' | 'NO_TEXT' | 'BROKEN' | 'TOO_LONG' | 'TOO_MUCH' | 'USAGE_EXCEEDED'
    detail: string
  } | null
  /** Pages or slides. Null for types without them. */
  pages: number | null
  /** While the status is `extracting`. */
  progress: {
    pagesRead: number
    pages: number | null
  } | null
  /** Code points of the text. */
  characters: number | null
  isCurrent: boolean
  /** Null: a user who was removed. */
  createdBy: string | null
  createdAt: string
  indexedAt: string | null
}

export type DraftedAnswer = {
  /** UUIDv7, lower case. */
  id: string
  /** The connection through which it was asked. */
  connectionId: string
  channel: 'chat' | 'collab'
  /** As the chat calls it. */
  conversation: string
  thread: string | null
  /** As the chat calls them. */
  askedBy: string
  /** Null for administrators of the platform below OWNER. */
  question: string | null
  /** The user whose meetings may be quoted. */
  userId: string | null
  /** The organization. What all its members may read is quoted. */
  orgId: string | null
  status: 'pending' | 'sent'
  /** user: the connection has no organization and names no user whose meetings may be quoted, and the person who asked is not known. answer: the search is still to be done. sending: it is being sent, or no account is connected that may send it. */
  waitingFor: 'user' | 'answer' | 'sending' | null
  /** What it waits for, in words. */
  reason: string | null
  createdAt: string
  /** When the search was done. */
  answeredAt: string | null
}

export type DraftedAnswerWithQuotes = {
  /** UUIDv7, lower case. */
  id: string
  /** The connection through which it was asked. */
  connectionId: string
  channel: 'chat' | 'collab'
  /** As the chat calls it. */
  conversation: string
  thread: string | null
  /** As the chat calls them. */
  askedBy: string
  /** Null for administrators of the platform below OWNER. */
  question: string | null
  /** The user whose meetings may be quoted. */
  userId: string | null
  /** The organization. What all its members may read is quoted. */
  orgId: string | null
  status: 'pending' | 'sent'
  /** user: the connection has no organization and names no user whose meetings may be quoted, and the person who asked is not known. answer: the search is still to be done. sending: it is being sent, or no account is connected that may send it. */
  waitingFor: 'user' | 'answer' | 'sending' | null
  /** What it waits for, in words. */
  reason: string | null
  createdAt: string
  /** When the search was done. */
  answeredAt: string | null
  /** The answer as it would be sent, made of the quotes that still exist. Null until the search is done. Null for administrators of the platform below OWNER. */
  text: string | null
  /** A quote is deleted together with its meeting or document. Null for administrators of the platform below OWNER. */
  quotes: Array<{
    /** Null for a document. */
    meetingId: string | null
    /** Null for a document. */
    meetingTitle: string | null
    /** Null for a document. */
    meetingAt: string | null
    /** The entry of the transcript. Null for a document. */
    seq: number | null
    /** Null for a document. */
    speaker: string | null
    /** HH:MM:SS into the meeting. Null for a document. */
    timestamp: string | null
    /** Null for a meeting. */
    documentId: string | null
    /** Null for a meeting. */
    documentTitle: string | null
    /** The version of the document. Null for a meeting. */
    version: number | null
    /** Null where the document has no pages, and for a meeting. */
    page: number | null
    /** Of the document, from the highest heading to the nearest. */
    heading: Array<string>
    quote: string
  }> | null
}

export type EmailAttachment = {
  filename: string | null
  /** By its first bytes, whatever the mail says. */
  type: string
  sizeBytes: number
}

export type EmailCitation = {
  kind: string
  /** UUIDv7, lower case. */
  id: string
  quote: string
  offsetMs: number | null
  page: number | null
}

export type EmailConfig = {
  /** Null: the tenant’s. */
  orgId: string | null
  /** Mail to it is received here. Null without a domain of the installation or a name at it, and with `inbound.kind` `none`. */
  address: string | null
  identity: {
    /** The name of the sender. */
    fromName: string | null
    /** The sender. Mails wait until `verify` has shown that its domain is yours. */
    fromAddress: string | null
    /** Plain text below every mail. */
    signature: string | null
  }
  transport: {
    /** `platform`: the mail server of the installation. `integration`: the account of the organization at Google or Microsoft. `none`: nothing is sent. */
    kind: 'platform' | 'smtp' | 'integration' | 'none'
    /** A name or IP address. It has to be public. */
    host: string | null
    port: number | null
    /** `tls` from the first byte, `starttls`, or `none`, which never carries a password over a public network. */
    security: 'tls' | 'starttls' | 'none' | null
    userName: string | null
    /** Whether a password is stored. */
    hasPassword: boolean
  }
  inbound: {
    /** `platform`: mail to `localPart` is received. `webhook`: also all mail of one connection. `imap`: also the mailbox at `host`, or without `host` that of the organization’s integration. `none`: nothing is received. */
    kind: 'platform' | 'webhook' | 'imap' | 'none'
    /** The name before the @ at the domain of the installation. Unique in the installation. */
    localPart: string | null
    /** The id of an inbound webhook. */
    connectionId: string | null
    /** A name or IP address. It has to be public. */
    host: string | null
    port: number | null
    /** `tls` from the first byte, `starttls`, or `none`, which never carries a password over a public network. */
    security: 'tls' | 'starttls' | 'none' | null
    userName: string | null
    /** Received mails are moved to it. */
    folder: string | null
    /** Whether a password is stored. */
    hasPassword: boolean
  }
  replies: {
    /** `draft`: a person approves each answer. */
    mode: 'off' | 'draft' | 'send'
    /** Whose mails are answered. */
    audience: 'members' | 'participants' | 'domains' | 'anyone'
    /** With the audience `domains`: senders of these. */
    domains: Array<string>
    /** Users who approve drafts. Empty: the admins and owners. */
    approvers: Array<string>
    /** The most automatic mails to one address in an hour. */
    perSenderHour: number
    /** The most automatic mails in one thread in a day. */
    perThreadDay: number
    /** The most automatic mails in a day. */
    perDay: number
    /** Domains whose ARC seals are trusted. */
    trustedForwarders: Array<string>
  }
  commands: {
    /** Calendar invitations create meetings. */
    invites: boolean
    /** Transcript files create meetings. */
    transcripts: boolean
    /** Mail to `+docs` adds its attachments to the documents. */
    documents: boolean
  }
  /** The fields that are set here. All others are the tenant’s or the defaults. */
  own: Array<string>
  status: {
    /** `unverified`: never checked since it was changed. `failing`: what was verified no longer holds. */
    sending: 'unverified' | 'verified' | 'failing'
    /** `unverified`: never checked since it was changed. `failing`: what was verified no longer holds. */
    receiving: 'unverified' | 'verified' | 'failing'
    /** Null: no mailbox is read by IMAP. */
    mailbox: {
      /** Why it could not be read. Null: it could. */
      cause: 'LOGIN_FAILED' | 'NOT_CONNECTED' | 'HOST_NOT_ALLOWED' | 'TLS_FAILED' | 'FOLDER_FAILED' | 'NOT_REACHABLE' | 'SERVER_ERROR' | 'QUOTA_EXCEEDED' | 'NOT_STORED' | null
      /** What its server said. */
      detail: string | null
      /** When it was last read to its end. */
      readAt: string | null
      /** When it is read again at the latest, or tried again. */
      nextReadAt: string
    } | null
  }
  /** Grows with every change. 0: nothing was ever set. */
  revision: number
  updatedAt: string | null
}

export type EmailDigest = {
  /** How often you get a digest. `off` (the default): never. */
  frequency: 'off' | 'daily' | 'weekly'
  /** An IANA time zone: where your days begin. */
  timeZone: string
  /** At this hour of your time zone. */
  hour: number
  /** The day of a weekly digest. 1 is Monday, 7 is Sunday. */
  weekday: number
}

export type EmailDkimKey = {
  selector: string
  domain: string
  record: {
    type: 'TXT' | 'MX'
    name: string
    value: string
  }
  /** When its record was found. It signs from then on. Null: not yet. */
  seenAt: string | null
  createdAt: string
}

export type EmailMessage = {
  /** UUIDv7, lower case. */
  id: string
  /** Null: it reached none of our addresses. */
  threadId: string | null
  /** UUIDv7, lower case. */
  orgId: string | null
  /** The inbound webhook that delivered it. Null: it came another way. */
  connectionId: string | null
  direction: 'in' | 'out'
  /** Its Message-ID; a digest if it has none or a very long one. */
  messageId: string
  inReplyTo: string | null
  references: Array<string>
  /** Empty if the mail names nobody. */
  from: string
  /** Empty for a bounce; null if it is not known. */
  envelopeFrom: string | null
  to: Array<string>
  cc: Array<string>
  subject: string
  /** The text without quotes and signature. Null until it was read. */
  replyText: string | null
  /** Received mails: `received`, `processed`, `ignored`, `quarantined`, `dead`. Mails of ours: `draft`, `discarded`, `queued`, `sending`, `sent`, `deferred`, `bounced`, `failed`, `suppressed`. */
  status: 'received' | 'processed' | 'ignored' | 'quarantined' | 'dead' | 'draft' | 'discarded' | 'queued' | 'sending' | 'sent' | 'deferred' | 'bounced' | 'failed' | 'suppressed'
  /** By DMARC. `none`: nothing that can be checked. Null: not checked. */
  authenticity: 'pass' | 'none' | 'fail' | null
  /** The sender is not in the thread, and gets no answer. */
  isStranger: boolean
  /** Why it counts as written by a program. */
  automatic: string | null
  attachments: Array<EmailAttachment>
  citations: Array<EmailCitation>
  /** What happened to it. */
  outcome: string | null
  /** Why. */
  cause: string | null
  /** The results for SPF, DKIM, DMARC, ARC and spam: our own, or those of the provider in its words. */
  verdicts: Record<string, string>
  /** The size of the mail as it came. It is kept for 30 days; null: there is none. */
  rawBytes: number | null
  /** For a mail of ours: when it was written. */
  receivedAt: string
  sentAt: string | null
  /** Grows with every change. */
  revision: number
}

export type EmailMessageWithText = {
  /** UUIDv7, lower case. */
  id: string
  /** Null: it reached none of our addresses. */
  threadId: string | null
  /** UUIDv7, lower case. */
  orgId: string | null
  /** The inbound webhook that delivered it. Null: it came another way. */
  connectionId: string | null
  direction: 'in' | 'out'
  /** Its Message-ID; a digest if it has none or a very long one. */
  messageId: string
  inReplyTo: string | null
  references: Array<string>
  /** Empty if the mail names nobody. */
  from: string
  /** Empty for a bounce; null if it is not known. */
  envelopeFrom: string | null
  to: Array<string>
  cc: Array<string>
  subject: string
  /** The text without quotes and signature. Null until it was read. */
  replyText: string | null
  /** Received mails: `received`, `processed`, `ignored`, `quarantined`, `dead`. Mails of ours: `draft`, `discarded`, `queued`, `sending`, `sent`, `deferred`, `bounced`, `failed`, `suppressed`. */
  status: 'received' | 'processed' | 'ignored' | 'quarantined' | 'dead' | 'draft' | 'discarded' | 'queued' | 'sending' | 'sent' | 'deferred' | 'bounced' | 'failed' | 'suppressed'
  /** By DMARC. `none`: nothing that can be checked. Null: not checked. */
  authenticity: 'pass' | 'none' | 'fail' | null
  /** The sender is not in the thread, and gets no answer. */
  isStranger: boolean
  /** Why it counts as written by a program. */
  automatic: string | null
  attachments: Array<EmailAttachment>
  citations: Array<EmailCitation>
  /** What happened to it. */
  outcome: string | null
  /** Why. */
  cause: string | null
  /** The results for SPF, DKIM, DMARC, ARC and spam: our own, or those of the provider in its words. */
  verdicts: Record<string, string>
  /** The size of the mail as it came. It is kept for 30 days; null: there is none. */
  rawBytes: number | null
  /** For a mail of ours: when it was written. */
  receivedAt: string
  sentAt: string | null
  /** Grows with every change. */
  revision: number
  /** The whole text. */
  text: string
}

export type EmailSuppression = {
  /** UUIDv7, lower case. */
  id: string
  /** The organization whose mail led to it. Null: the tenant itself. */
  orgId: string | null
  address: string
  /** bounce: a mail server said that the address does not exist or takes no mail. delivery_failures: five mails in 14 days could not be delivered. complaint: somebody reported a mail as spam. unsubscribed: they asked for no more mails. manual: added by an administrator. */
  reason: 'bounce' | 'delivery_failures' | 'complaint' | 'unsubscribed' | 'manual'
  /** When mails are sent again. Null: never. */
  until: string | null
  createdAt: string
}

export type EmailThread = {
  /** UUIDv7, lower case. */
  id: string
  /** Null: the tenant’s. */
  orgId: string | null
  /** Of its first mail. */
  subject: string
  correspondents: Array<string>
  messageCount: number
  lastMessageAt: string
  createdAt: string
}

export type EmailThreadWithMessages = {
  /** UUIDv7, lower case. */
  id: string
  /** Null: the tenant’s. */
  orgId: string | null
  /** Of its first mail. */
  subject: string
  correspondents: Array<string>
  messageCount: number
  lastMessageAt: string
  createdAt: string
  /** The newest 200, oldest first, without texts. */
  messages: Array<EmailMessage>
}

export type EmailTrace = {
  /** ignored: there is no answer. command: the mail was a command. Null: the mail has not been processed yet. */
  outcome: 'ignored' | 'draft' | 'sent' | 'command' | null
  /** What decided. Null: nothing spoke against sending. */
  cause: 'QUARANTINED' | 'NOT_AUTHENTIC' | 'UNPROVEN_SENDER' | 'AUTOMATIC' | 'ASKED_TO_STOP' | 'SUPPRESSED' | 'NOT_ADDRESSED' | 'STRANGER_IN_THREAD' | 'SENDER_NOT_ALLOWED' | 'REPEATED' | 'QUOTA_SPENT' | 'NO_QUESTION' | 'NOTHING_FOUND' | 'UNAVAILABLE' | 'MODE_OFF' | 'MODE_DRAFT' | 'COMMAND' | null
  /** In the order in which they were made. A step that stopped is the last one. */
  steps: Array<EmailTraceStep>
}

export type EmailTraceStep = {
  step: 'parsed' | 'authentic' | 'automatic' | 'suppressed' | 'addressed' | 'threaded' | 'allowed' | 'quota' | 'retrieved' | 'drafted' | 'mode'
  /** held: the answer waits for a person. stopped: there is no answer. */
  result: 'passed' | 'held' | 'stopped'
  cause: 'QUARANTINED' | 'NOT_AUTHENTIC' | 'UNPROVEN_SENDER' | 'AUTOMATIC' | 'ASKED_TO_STOP' | 'SUPPRESSED' | 'NOT_ADDRESSED' | 'STRANGER_IN_THREAD' | 'SENDER_NOT_ALLOWED' | 'REPEATED' | 'QUOTA_SPENT' | 'NO_QUESTION' | 'NOTHING_FOUND' | 'UNAVAILABLE' | 'MODE_OFF' | 'MODE_DRAFT' | 'COMMAND' | null
  /** For people. It contains no text and no address of the mail. */
  detail: string
}

export type EmailVerification = {
  /** UUIDv7, lower case. */
  id: string
  /** Null: the tenant itself. */
  orgId: string | null
  /** `passed` needs login, ownership and round trip. The other steps are advice. */
  status: 'running' | 'passed' | 'failed'
  steps: Array<{
    /** login: at the server that sends. ownership, spf, dkim, dmarc, mx: what the domain of `fromAddress` publishes; without one of your own these are left out. roundTrip: a mail to your own address. */
    name: 'login' | 'ownership' | 'spf' | 'dkim' | 'dmarc' | 'mx' | 'roundTrip'
    result: 'waiting' | 'passed' | 'failed'
    /** Why it failed. */
    cause: 'NO_TRANSPORT' | 'LOGIN_FAILED' | 'MAILBOX_FAILED' | 'DNS_FAILED' | 'NO_RECORD' | 'OTHER_RECORD' | 'SEVERAL_RECORDS' | 'NO_KEY' | 'NO_ADDRESS' | 'NOT_SENT' | 'NOT_ARRIVED' | 'SETTINGS_CHANGED' | null
    detail: string | null
    /** What to publish. The values for SPF, DMARC and MX are suggestions. */
    record: {
      type: 'TXT' | 'MX'
      name: string
      value: string
    } | null
  }>
  createdAt: string
  endedAt: string | null
}

export type Health = {
  /** `draining`: the process is about to stop. Send it no new requests. `unavailable`: the database is down. Redis and the files do not change the status. */
  status: 'ok' | 'draining' | 'unavailable'
  /** Only for administrators (`X-Admin-Key`): it says which known faults this installation may have. Null for everybody else. */
  version: string | null
  uptimeSeconds: number
  checks: {
    database: {
      status: 'up' | 'down'
      /** Milliseconds the check took. */
      latencyMs: number
    }
    redis: {
      /** `unused`: `REDIS_URL` is not set. The service needs no Redis to answer: while it is down, each node counts the rate limits for itself. */
      status: 'up' | 'down' | 'unused'
      /** Milliseconds the check took. */
      latencyMs: number
    }
    blobs: {
      /** `down`: uploads and downloads of files are answered with 503, everything else works. `apart`: another node of this database keeps uploaded files where this node does not see them, so they are a 404 here. */
      status: 'up' | 'down' | 'apart'
      kind: 'folder' | 'bucket'
      /** Milliseconds the check took. */
      latencyMs: number
    }
  }
}

export type HomepageSlot = {
  /** UUIDv7, lower case. */
  id: string
  /** Identifies the slot in bundles. Derived from the kind when absent. */
  slug: string
  kind: 'HERO_SLIDE' | 'FEATURED_BANNER' | 'LOGO_STRIP' | 'PRODUCT_SPOTLIGHT' | 'ANNOUNCEMENT_BAR' | 'TESTIMONIAL' | 'STAT_STRIP' | 'CTA_BLOCK' | 'FOOTER_LINKS'
  title: string | null
  subtitle: string | null
  /** Markdown. */
  body: string | null
  /** The link of the slot. */
  href: string | null
  /** The text of the button. */
  ctaLabel: string | null
  /** The product to show. */
  productSlug: string | null
  /** Only for FOOTER_LINKS. */
  links: Array<{
    label: string
    /** A path, or an address that starts with https:, http: or mailto:. */
    href: string
  }>
  /** Position within its kind. */
  order: number
  /** Whether the slot can be shown. */
  isActive: boolean
  startsAt: string | null
  endsAt: string | null
  /** Safe HTML. */
  bodyHtml: string | null
  media: {
    /** UUIDv7, lower case. */
    id: string
    url: string
    alt: string | null
    mimeType: string
    width: number | null
    height: number | null
    variants: Record<string, {
      url: string
      width: number
      height: number
      size: number
      mimeType: string
    }>
  } | null
}

export type InboundConnection = {
  /** UUIDv7, lower case. */
  id: string
  channel: 'issue-tracker' | 'chat' | 'collab' | 'email' | 'bot'
  /** How the provider signs its deliveries. */
  scheme: 'jira-hmac' | 'jira-jwt' | 'linear' | 'github' | 'slack' | 'bot-framework' | 'graph' | 'sns' | 'mailgun' | 'postmark' | 'sendgrid' | 'recall' | 'attendee' | 'vexa' | 'zoom' | 'google-channel'
  provider: string
  name: string
  /** The organization on whose board the issues of a tracker stand. Null: only administrators of the tenant see them. */
  orgId: string | null
  account: string | null
  /** The integration for which the service made it, and with which it is removed. */
  integrationId: string | null
  settings: Record<string, unknown>
  /** Deliveries to a paused connection are refused. */
  status: 'active' | 'paused'
  hasSecret: boolean
  /** The previous secret is valid until then. */
  previousSecretUntil: string | null
  /** It comes from the setting INBOUND_SECRETS and is changed and removed there. It also receives deliveries to the address without a connection id. */
  isEnvironment: boolean
  /** The path that the provider calls, below the base address of this installation. */
  path: string
  /** When a delivery was last verified, to the minute. */
  lastSeenAt: string | null
  createdAt: string
  updatedAt: string
}

export type InboundDelivery = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  connectionId: string
  scheme: 'jira-hmac' | 'jira-jwt' | 'linear' | 'github' | 'slack' | 'bot-framework' | 'graph' | 'sns' | 'mailgun' | 'postmark' | 'sendgrid' | 'recall' | 'attendee' | 'vexa' | 'zoom' | 'google-channel'
  /** One refusal stands for all with the same cause, connection and minute: `duplicates` counts the others. */
  kind: 'event' | 'confirmation' | 'refusal'
  eventType: string | null
  /** The subject of the delivery. Deliveries about one subject are processed one after another. */
  entity: string | null
  status: 'received' | 'processed' | 'ignored' | 'retrying' | 'dead' | 'rejected'
  /** Since it was received or last replayed. */
  attempts: number
  /** Why it was refused, or why the last attempt failed. */
  cause: 'SIGNATURE_MISSING' | 'SIGNATURE_MALFORMED' | 'SIGNATURE_MISMATCH' | 'TIMESTAMP_MISSING' | 'TIMESTAMP_STALE' | 'TOKEN_EXPIRED' | 'ISSUER_MISMATCH' | 'AUDIENCE_MISMATCH' | 'KEY_UNKNOWN' | 'SERVICE_URL_MISMATCH' | 'ENDORSEMENT_MISSING' | 'CERTIFICATE_REFUSED' | 'TOPIC_UNKNOWN' | 'UNREADABLE' | 'ACCOUNT_SHARED' | 'CONNECTION_PAUSED' | 'CONNECTION_DELETED' | 'TENANT_SUSPENDED' | 'CONTENT_TYPE' | 'BODY_TOO_LARGE' | 'BODY_TOO_MANY_MEMBERS' | 'UNUSABLE' | 'UNPROCESSABLE' | 'FAILED' | null
  detail: string | null
  /** According to the provider. */
  occurredAt: string | null
  receivedAt: string
  /** How often it was received again. */
  duplicates: number
  bodyBytes: number
  /** It can be replayed as long as its body is kept. */
  hasBody: boolean
}

export type InboundDeliveryWithTimeline = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  connectionId: string
  scheme: 'jira-hmac' | 'jira-jwt' | 'linear' | 'github' | 'slack' | 'bot-framework' | 'graph' | 'sns' | 'mailgun' | 'postmark' | 'sendgrid' | 'recall' | 'attendee' | 'vexa' | 'zoom' | 'google-channel'
  /** One refusal stands for all with the same cause, connection and minute: `duplicates` counts the others. */
  kind: 'event' | 'confirmation' | 'refusal'
  eventType: string | null
  /** The subject of the delivery. Deliveries about one subject are processed one after another. */
  entity: string | null
  status: 'received' | 'processed' | 'ignored' | 'retrying' | 'dead' | 'rejected'
  /** Since it was received or last replayed. */
  attempts: number
  /** Why it was refused, or why the last attempt failed. */
  cause: 'SIGNATURE_MISSING' | 'SIGNATURE_MALFORMED' | 'SIGNATURE_MISMATCH' | 'TIMESTAMP_MISSING' | 'TIMESTAMP_STALE' | 'TOKEN_EXPIRED' | 'ISSUER_MISMATCH' | 'AUDIENCE_MISMATCH' | 'KEY_UNKNOWN' | 'SERVICE_URL_MISMATCH' | 'ENDORSEMENT_MISSING' | 'CERTIFICATE_REFUSED' | 'TOPIC_UNKNOWN' | 'UNREADABLE' | 'ACCOUNT_SHARED' | 'CONNECTION_PAUSED' | 'CONNECTION_DELETED' | 'TENANT_SUSPENDED' | 'CONTENT_TYPE' | 'BODY_TOO_LARGE' | 'BODY_TOO_MANY_MEMBERS' | 'UNUSABLE' | 'UNPROCESSABLE' | 'FAILED' | null
  detail: string | null
  /** According to the provider. */
  occurredAt: string | null
  receivedAt: string
  /** How often it was received again. */
  duplicates: number
  bodyBytes: number
  /** It can be replayed as long as its body is kept. */
  hasBody: boolean
  contentType: string
  /** SHA-256 of the body as it was received, in hexadecimal. */
  bodySha256: string
  /** Headers that identify the delivery. Never a signature or a credential. */
  headers: Record<string, string>
  /** What processing it changed. */
  effects: Array<{
    kind: 'task' | 'answer' | 'message'
    action: 'created' | 'updated' | 'unchanged' | 'drafted' | 'stored'
    /** Its id: of an answer in `/assistant/v1/answers`, of a message in `/assistant/v1/email/messages`. */
    targetId: string
    /** PENDING waits for something that is not connected yet. It is not lost. */
    status: 'DONE' | 'PENDING'
    /** What a pending effect waits for. */
    reason?: string
  }>
  /** The last fifty entries, oldest first. */
  timeline: Array<{
    at: string
    event: string
    detail: string | null
  }>
}

export type Integration = {
  /** UUIDv7, lower case. */
  id: string
  provider: 'google' | 'microsoft' | 'slack' | 'zoom' | 'atlassian' | 'github' | 'linear' | 'notion' | 'hubspot'
  ownerKind: 'user' | 'org'
  /** The organization whose integration it is. Null: the user’s own. */
  orgId: string | null
  /** The account at the provider. Null until it is known. */
  account: {
    id: string
    name: string
  } | null
  /** The sites to choose one from while the status is `choosing`. */
  choices: Array<{
    id: string
    name: string
  }>
  features: Array<{
    name: 'calendar' | 'transcripts' | 'post' | 'answer' | 'tasks' | 'export' | 'import' | 'crm' | 'mail'
    /** `scope_missing`: the user did not allow its scopes. `admin_consent`: an administrator of the directory has to allow them. */
    status: 'on' | 'off' | 'scope_missing' | 'admin_consent'
    /** By feature: `post`, `tasks` and `export` have `target` and `when`, `calendar` has `calendarIds` and `when`, `import` has `fileIds` and `collectionId`, `crm` has `when`. With `when: manual` nothing is written automatically. */
    settings: Record<string, unknown>
  }>
  /** `pending`: nobody has confirmed yet. `reauth_required`: the provider no longer accepts our access; connect again with `integrationId`. */
  status: 'pending' | 'choosing' | 'active' | 'reauth_required' | 'disconnecting'
  /** Why it is not active. */
  cause: string | null
  health: {
    lastUsedAt: string | null
    lastSuccessAt: string | null
    /** Failed calls since the last success. */
    failures: number
    /** The provider asked us to wait until then. */
    nextTryAt: string | null
  }
  /** Whose OAuth app it was connected with. */
  app: 'own' | 'platform'
  /** Null: the user was removed. */
  connectedBy: string | null
  createdAt: string
  updatedAt: string
  revision: number
}

export type IntegrationAction = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  integrationId: string
  action: 'post_summary' | 'create_issue' | 'export_meeting' | 'log_meeting' | 'update_issue' | 'update_export' | 'send_answer'
  subject: {
    type: 'meeting' | 'task' | 'answer'
    /** UUIDv7, lower case. */
    id: string
  }
  /** By provider: slack `{channelId}`, microsoft `{teamId, channelId}`, github `{repository}`, linear `{teamId}`, atlassian `{projectId, issueTypeId?}`, notion `{pageId}`, google `{folderId?}`, hubspot none. Absent: the one in the settings of the feature. */
  target: Record<string, string>
  /** `uncertain`: an answer was lost. Before the next attempt we look whether this one succeeded. */
  status: 'queued' | 'sending' | 'uncertain' | 'done' | 'failed' | 'cancelled'
  attempts: number
  externalId: string | null
  externalUrl: string | null
  /** Why it failed, or what it waits for. */
  cause: string | null
  nextTryAt: string | null
  createdAt: string
}

export type Invitation = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  orgId: string
  email: string
  /** The role after accepting. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired'
  /** The user who sent it last. Null: the user was removed. */
  invitedBy: string | null
  createdAt: string
  /** Seven days after the last mail. */
  expiresAt: string
  /** Whether the mail was sent. PENDING for long: the installation has no mail server. Null: the mail is no longer kept. */
  mailStatus: 'PENDING' | 'SENT' | 'FAILED' | 'DISCARDED' | null
}

export type Job = {
  /** UUIDv7, lower case. */
  id: string
  /** What the job does. */
  kind: string
  /** Null for work of the platform. */
  tenantId: string | null
  /** `queued`: the job waits to run. `active`: it is running. `failed`: an attempt failed and will be retried. `dead`: it has used all its attempts. */
  state: 'dead' | 'failed' | 'queued' | 'active'
  /** Attempts so far, including one that is running. */
  attempts: number
  attemptsMax: number
  /** Why the last try failed. */
  error: string | null
  enqueuedAt: string
  /** The job does not run before this time. For a failed job, the time of its next attempt. */
  runAt: string
  /** When the last try began. */
  startedAt: string | null
  diedAt: string | null
}

export type KeptAsk = {
  /** UUIDv7, lower case. */
  answerId: string
  /** Whether an answer was found in what you may read. */
  found: boolean
  /** The whole answer as text. Numbers in brackets are those of the citations. */
  answer: string
  parts: Array<{
    /** A sentence of the answer. */
    text: string
    /** The numbers of the citations that it is based on. */
    citations: Array<number>
  }>
  citations: Array<AskCitation>
  /** If nothing was found: up to three quotes that come nearest. */
  closest: Array<{
    citation: AskCitation
  }>
  /** Words that occur nowhere, with the words that were searched instead. */
  corrected: Record<string, string>
  engine: 'local' | 'llm'
  /** The name of the language model that wrote the answer. */
  model: string | null
  /** Why the local engine answered although a model is configured. */
  fallbackReason: 'TIMEOUT' | 'UNREACHABLE' | 'RATE_LIMITED' | 'REFUSED' | 'TOO_LARGE' | 'INVALID_OUTPUT' | 'BUDGET_SPENT' | 'PAUSED' | 'NOTHING_FOUND' | null
  searched: {
    /** Documents that were searched. */
    documents: number
    /** Meetings whose transcripts were searched. */
    meetings: number
    /** Documents, and meetings that are not live, that cannot be found yet. */
    waiting: number
  }
  generatedAt: string
  question: string
  feedback: {
    helpful: boolean
    comment: string | null
  } | null
}

export type License = {
  /** UUIDv7, lower case. */
  id: string
  /** The license key, for the person who may use the license. Null for administrators below OWNER. */
  key: string | null
  /** The last five characters of the key. */
  keyHint: string
  /** UUIDv7, lower case. */
  tenantId: string
  /** The slug of a product. */
  product: string
  /** TRIAL and STARTER have a limited number of uses. PRO and ENTERPRISE are unlimited. */
  plan: 'TRIAL' | 'STARTER' | 'PRO' | 'ENTERPRISE'
  /** EXPIRED from the instant of `expiresAt` on. REVOKED is final, and shown even if the license has also expired. */
  status: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
  /** Null: unlimited. */
  maxUses: number | null
  /** The number of uses taken and not refunded. */
  usesCount: number
  /** Null: unlimited. */
  usesRemaining: number | null
  /** Null: never. */
  expiresAt: string | null
  /** A note of your own. */
  label: string | null
  createdAt: string
  updatedAt: string
  revokedAt: string | null
  lastUsedAt: string | null
  /** Accurate to about a minute. */
  lastValidatedAt: string | null
}

export type LicenseUse = {
  /** The id of the VPN session or of the validation that took the use. */
  operationId: string
  source: 'SESSION' | 'VALIDATE'
  usedAt: string
  /** When the use was refunded. Null: it counts. */
  refundedAt: string | null
}

export type LicenseVerdict = {
  valid: boolean
  /** NOT_FOUND: the key is unknown, mistyped or of another tenant. PRODUCT_MISMATCH: the license is for another product than requested, or for one that the API key does not list. */
  code: 'VALID' | 'NOT_FOUND' | 'REVOKED' | 'EXPIRED' | 'PRODUCT_MISMATCH' | 'USES_EXHAUSTED'
  /** Null with NOT_FOUND and PRODUCT_MISMATCH. */
  plan: 'TRIAL' | 'STARTER' | 'PRO' | 'ENTERPRISE' | null
  /** Null: unlimited. 0 if `valid` is false. With `consume`, the number after this use. */
  usesRemaining: number | null
  /** Null: never, or not known. */
  expiresAt: string | null
}

export type Mail = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  tenantId: string
  /** Null: to an address that may have no user. */
  userId: string | null
  recipient: string
  kind: 'VERIFY_EMAIL' | 'RESET_PASSWORD' | 'INVITATION' | 'TASKS_DUE' | 'USAGE_THRESHOLD' | 'DIGEST' | 'INTEGRATION_REAUTH'
  /** PENDING: not sent yet. FAILED: rejected by the mail server, or all attempts failed. DISCARDED: it was no longer valid or wanted before it could be sent. */
  status: 'PENDING' | 'SENT' | 'FAILED' | 'DISCARDED'
  attempts: number
  /** The last answer of the mail server. */
  lastError: string | null
  createdAt: string
  /** The token in the mail is valid until then. The mail is not sent later. */
  expiresAt: string
  sentAt: string | null
}

export type Media = {
  /** UUIDv7, lower case. */
  id: string
  filename: string
  /** The name that the file was uploaded under. */
  originalName: string
  /** Detected from the bytes. */
  mimeType: string
  kind: 'image' | 'video' | 'audio' | 'document' | 'archive' | 'binary'
  /** Bytes. */
  size: number
  sha256: string
  /** Pixels, as displayed. */
  width: number | null
  height: number | null
  hasAlpha: boolean | null
  alt: string | null
  title: string | null
  caption: string | null
  tags: Array<string>
  /** A folder path in lower case. */
  folder: string | null
  focalX: number
  focalY: number
  url: string
  /** `thumb` 160, `sm` 480, `md` 960, `lg` 1920 wide or less, and `og` 1200 x 630; none where images cannot be scaled here. */
  variants: Record<string, {
    url: string
    width: number
    height: number
    /** Bytes. */
    size: number
    mimeType: string
  }>
  /** An image of at most 16 pixels, to show while the image loads. */
  placeholder: string | null
  uploadedBy: string
  usedByCount: number
  createdAt: string
  updatedAt: string
  revision: number
}

export type MediaWithUses = {
  /** UUIDv7, lower case. */
  id: string
  filename: string
  /** The name that the file was uploaded under. */
  originalName: string
  /** Detected from the bytes. */
  mimeType: string
  kind: 'image' | 'video' | 'audio' | 'document' | 'archive' | 'binary'
  /** Bytes. */
  size: number
  sha256: string
  /** Pixels, as displayed. */
  width: number | null
  height: number | null
  hasAlpha: boolean | null
  alt: string | null
  title: string | null
  caption: string | null
  tags: Array<string>
  /** A folder path in lower case. */
  folder: string | null
  focalX: number
  focalY: number
  url: string
  /** `thumb` 160, `sm` 480, `md` 960, `lg` 1920 wide or less, and `og` 1200 x 630; none where images cannot be scaled here. */
  variants: Record<string, {
    url: string
    width: number
    height: number
    /** Bytes. */
    size: number
    mimeType: string
  }>
  /** An image of at most 16 pixels, to show while the image loads. */
  placeholder: string | null
  uploadedBy: string
  usedByCount: number
  createdAt: string
  updatedAt: string
  revision: number
  usedBy: Array<{
    kind: string
    /** UUIDv7, lower case. */
    id: string
    label: string
  }>
}

export type Meeting = {
  /** UUIDv7, lower case. */
  id: string
  /** One line. Spaces around it are removed. */
  title: string
  /** The first entry makes a scheduled meeting active. completed, cancelled and failed are final. */
  status: 'scheduled' | 'active' | 'completed' | 'cancelled' | 'failed'
  /** `MISSED`: the calendar event is over, and nobody started the meeting. Null: there is no such cause. */
  cause: 'MISSED' | null
  /** The meeting is deleted after this many days without activity. Null: never. */
  ttl_days: number | null
  settings: {
    /** Sets the tone of summaries and answers and the extra section of detailed summaries, but never facts or length. */
    personality: 'neutral' | 'supportive' | 'challenger' | 'analyst' | 'coach'
    /** The mode of a summary when the request names none. */
    summaryMode: 'short' | 'detailed'
  }
  participants: Array<{
    name: string
    email: string | null
  }>
  /** UUIDv7, lower case. */
  ownerId: string
  /** The organization with which the meeting is shared. */
  orgId: string | null
  /** `private`: only the owner. `org`: all members of the organization may read. `members`: those in `sharedWith`. */
  visibility: 'private' | 'org' | 'members'
  /** Shown to the owner alone; null for others. */
  sharedWith: Array<{
    /** UUIDv7, lower case. */
    userId: string
    /** `write` also adds to the transcript, changes, starts, ends and cancels. Viewers only read. */
    access: 'read' | 'write'
  }> | null
  /** What you may do. */
  access: 'owner' | 'write' | 'read'
  /** The number of entries in the transcript. */
  entryCount: number
  wordCount: number
  createdAt: string
  updatedAt: string
  scheduledAt: string | null
  scheduledEnd: string | null
  /** The link for joining, without passcodes. */
  joinUrl: string | null
  calendarEvent: {
    /** The UID of iCalendar: the same in the calendars of all who were invited. */
    uid: string
    /** Which occurrence of a series, by its originally planned start (RECURRENCE-ID). Null: it does not recur. */
    occurrence: string | null
  } | null
  startedAt: string | null
  endedAt: string | null
  /** The last activity plus `ttl_days`. The meeting is deleted soon after this time. Null: never. */
  expiresAt: string | null
  /** Grows with every change. The ETag contains it. */
  revision: number
}

export type MeetingWithTranscript = {
  /** UUIDv7, lower case. */
  id: string
  /** One line. Spaces around it are removed. */
  title: string
  /** The first entry makes a scheduled meeting active. completed, cancelled and failed are final. */
  status: 'scheduled' | 'active' | 'completed' | 'cancelled' | 'failed'
  /** `MISSED`: the calendar event is over, and nobody started the meeting. Null: there is no such cause. */
  cause: 'MISSED' | null
  /** The meeting is deleted after this many days without activity. Null: never. */
  ttl_days: number | null
  settings: {
    /** Sets the tone of summaries and answers and the extra section of detailed summaries, but never facts or length. */
    personality: 'neutral' | 'supportive' | 'challenger' | 'analyst' | 'coach'
    /** The mode of a summary when the request names none. */
    summaryMode: 'short' | 'detailed'
  }
  participants: Array<{
    name: string
    email: string | null
  }>
  /** UUIDv7, lower case. */
  ownerId: string
  /** The organization with which the meeting is shared. */
  orgId: string | null
  /** `private`: only the owner. `org`: all members of the organization may read. `members`: those in `sharedWith`. */
  visibility: 'private' | 'org' | 'members'
  /** Shown to the owner alone; null for others. */
  sharedWith: Array<{
    /** UUIDv7, lower case. */
    userId: string
    /** `write` also adds to the transcript, changes, starts, ends and cancels. Viewers only read. */
    access: 'read' | 'write'
  }> | null
  /** What you may do. */
  access: 'owner' | 'write' | 'read'
  /** The number of entries in the transcript. */
  entryCount: number
  wordCount: number
  createdAt: string
  updatedAt: string
  scheduledAt: string | null
  scheduledEnd: string | null
  /** The link for joining, without passcodes. */
  joinUrl: string | null
  calendarEvent: {
    /** The UID of iCalendar: the same in the calendars of all who were invited. */
    uid: string
    /** Which occurrence of a series, by its originally planned start (RECURRENCE-ID). Null: it does not recur. */
    occurrence: string | null
  } | null
  startedAt: string | null
  endedAt: string | null
  /** The last activity plus `ttl_days`. The meeting is deleted soon after this time. Null: never. */
  expiresAt: string | null
  /** Grows with every change. The ETag contains it. */
  revision: number
  transcript: Array<TranscriptEntry>
  /** Whether the transcript has more entries. `GET .../transcript?afterSeq=` returns the rest. */
  transcriptTruncated: boolean
}

/** By meter. */
export type MeterTotals = {
  /** In meetings. */
  meetings?: number
  /** In words. */
  transcriptWords?: number
  /** In tokens. */
  modelTokens?: number
  /** In answers. */
  asks?: number
  /** In pages. */
  documentPages?: number
  /** In minutes. */
  botMinutes?: number
  /** In sessions. */
  vpnSessions?: number
  /** In bytes. */
  vpnBytes?: number
  /** In deliveries. */
  webhookDeliveries?: number
  /** In mails. */
  mails?: number
  /** In requests. */
  apiCalls?: number
  /** In summaries. */
  summaries?: number
  /** In minutes. */
  transcriptMinutes?: number
}

export type MeterUsage = {
  day?: string
  /** The Monday. */
  week?: string
  /** The first day. */
  month?: string
  /** Null: uses outside of organizations. */
  org?: string | null
  /** Null: uses of nobody, or of somebody who was removed. */
  user?: string | null
  /** Null: uses without an engine. */
  engine?: 'local' | 'llm' | null
  meter: 'meetings' | 'transcriptWords' | 'modelTokens' | 'asks' | 'documentPages' | 'botMinutes' | 'vpnSessions' | 'vpnBytes' | 'webhookDeliveries' | 'mails' | 'apiCalls' | 'summaries' | 'transcriptMinutes'
  amount: number
}

export type NamedVpnSession = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  deviceId: string
  /** UUIDv7, lower case. */
  tenantId: string
  /** UUIDv7, lower case. */
  userId: string
  /** UUIDv7, lower case. */
  serverId: string
  /** The last group of the license key. */
  licenseKeyHint: string
  /** PENDING until the first handshake. On a server without a node, ACTIVE right after the connect. */
  status: 'PENDING' | 'ACTIVE' | 'ENDED'
  source: 'CONNECT'
  connectedAt: string
  disconnectedAt: string | null
  /** NEVER_CONNECTED: no handshake within 120 s. IDLE_TIMEOUT: no handshake for 300 s. A session that ends while it is PENDING gives its use back. */
  endReason: 'CLIENT' | 'NEVER_CONNECTED' | 'IDLE_TIMEOUT' | 'DEVICE_REVOKED' | 'LICENSE_REVOKED' | 'LICENSE_EXPIRED' | 'QUOTA_EXCEEDED' | 'SERVER_DISABLED' | 'ADMIN' | null
  lastHandshakeAt: string | null
  /** Received by the server from the device. */
  rxBytes: number
  /** Sent by the server to the device. */
  txBytes: number
  tenantName: string
  /** Null: the user was deleted. */
  userEmail: string | null
  deviceName: string
  serverName: string
}

export type NewAdminKey = {
  /** UUIDv7, lower case. */
  id: string
  name: string
  /** OWNER: may do everything. EDITOR: may read everything and change the catalog and content. VIEWER: may read everything. */
  role: 'OWNER' | 'EDITOR' | 'VIEWER'
  /** The first characters of the key. */
  keyPrefix: string
  status: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
  /** Null: never. */
  expiresAt: string | null
  /** Accurate to about a minute. Null: never used. */
  lastUsedAt: string | null
  createdAt: string
  revokedAt: string | null
  /** The key itself. It is shown only in this answer. */
  key: string
}

export type NewApiKey = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  tenantId: string
  name: string
  products: Array<string>
  /** The first characters of the key. */
  keyPrefix: string
  status: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
  /** Null: never. */
  expiresAt: string | null
  /** Accurate to about a minute. Null: never used. */
  lastUsedAt: string | null
  createdAt: string
  revokedAt: string | null
  /** The key itself. It is shown only in this answer. */
  key: string
}

export type NewSignInLink = {
  /** UUIDv7, lower case. */
  id: string
  /** OWNER: may do everything. EDITOR: may read everything and change the catalog and content. VIEWER: may read everything. */
  role: 'OWNER' | 'EDITOR' | 'VIEWER'
  /** Null: the key of the environment. */
  keyId: string | null
  expiresAt: string
  /** Opens the console signed in, once. Only this answer shows it. */
  url: string
}

export type Organization = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  tenantId: string
  name: string
  /** An IANA time zone: where the organization’s days begin. */
  timeZone: string
  /** Your own role. Null if you are no member. */
  role: 'owner' | 'admin' | 'member' | 'viewer' | null
  memberCount: number
  createdAt: string
  updatedAt: string
  /** Grows with every change. The ETag contains it. */
  revision: number
}

export type OrganizationMember = {
  /** UUIDv7, lower case. */
  userId: string
  name: string | null
  email: string
  /** `viewer` reads what is open to all members. `member` also adds and changes. `admin` also invites and manages members and viewers. `owner` may do everything. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  joinedAt: string
  notifications: {
    /** Whether you get a mail in the morning about tasks that are due. */
    tasksDue: boolean
  }
}

export type OwnLimit = {
  /** `eachUser`: every user who has no limit of their own for the meter. */
  scope: 'org' | 'user' | 'eachUser'
  /** Null for `eachUser`. */
  id: string | null
  /** A meter that is counted exactly, or `modelTokensPerDay`. */
  meter: 'meetings' | 'transcriptWords' | 'modelTokens' | 'asks' | 'documentPages' | 'botMinutes' | 'modelTokensPerDay'
  /** For a month (`modelTokensPerDay`: for a day). The limit of the tenant applies as well. */
  limit: number
  updatedAt: string
}

export type Page = {
  /** UUIDv7, lower case. */
  id: string
  /** Segments of `a-z`, `0-9` and `-`, joined by `/`. Unique. */
  slug: string
  title: string
  meta: {
    title?: string
    description?: string
    /** An address or the id of an uploaded file. */
    ogImage?: string
    canonical?: string
    noindex?: boolean
    keywords?: Array<string>
  }
  sections: Array<PageSection>
  /** A word for the client, for example which layout to use. */
  template: string | null
  locale: string
  /** Only a PUBLISHED page is public. */
  status: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'
  /** When the page or its draft will be published automatically; null for never. */
  publishAt: string | null
  /** When it was last published. */
  publishedAt: string | null
  /** Increases with each change. */
  revision: number
  createdAt: string
  updatedAt: string
  /** When the page will be unpublished automatically; null for never. */
  unpublishAt: string | null
  hasDraft: boolean
  /** The next version to publish; null if there is no draft. */
  draft: PageCopy | null
}

export type PageCopy = {
  title: string
  sections: Array<PageSection>
  meta: {
    title?: string
    description?: string
    /** An address or the id of an uploaded file. */
    ogImage?: string
    canonical?: string
    noindex?: boolean
    keywords?: Array<string>
  }
  /** A word for the client, for example which layout to use. */
  template: string | null
  locale: string
}

export type PageLine = {
  /** UUIDv7, lower case. */
  id: string
  /** Segments of `a-z`, `0-9` and `-`, joined by `/`. Unique. */
  slug: string
  title: string
  meta: {
    title?: string
    description?: string
    /** An address or the id of an uploaded file. */
    ogImage?: string
    canonical?: string
    noindex?: boolean
    keywords?: Array<string>
  }
  /** A word for the client, for example which layout to use. */
  template: string | null
  locale: string
  /** Only a PUBLISHED page is public. */
  status: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'
  /** When the page or its draft will be published automatically; null for never. */
  publishAt: string | null
  /** When it was last published. */
  publishedAt: string | null
  /** Increases with each change. */
  revision: number
  createdAt: string
  updatedAt: string
  /** When the page will be unpublished automatically; null for never. */
  unpublishAt: string | null
  hasDraft: boolean
}

export type PageRecord = {
  /** Segments of `a-z`, `0-9` and `-`, joined by `/`. Unique. */
  slug: string
  /** Only a PUBLISHED page is public. */
  status?: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'
  title: string
  /** A word for the client, for example which layout to use. */
  template?: string | null
  locale?: string
  meta?: {
    title?: string
    description?: string
    /** An address or the id of an uploaded file. */
    ogImage?: string
    canonical?: string
    noindex?: boolean
    keywords?: Array<string>
  }
  /** In order, without the `html` that is rendered from Markdown. Instead of the id of an uploaded file, a section or `meta.ogImage` has `sha256:` with the SHA-256 of its content. */
  sections?: Array<{
    /** Known types and the rules for their content: `hero` (heading), `features` (items), `rich_text` (markdown), `image` (mediaId or url), `gallery` (items), `video` (mediaId or url), `cta` (heading), `banner` (text), `pricing` (productSlug or plans), `product_grid` (slugs), `faq` (items), `testimonials` (items), `stats` (items), `logos` (items), `steps` (items), `code` (code), `html` (html). Other types are stored as sent, and the answer lists them in `warnings`; a name that is almost a known type is refused. */
    type: string
    content?: Record<string, unknown>
  }>
  /** The next version to publish; null if there is no draft. */
  draft?: {
    title: string
    /** A word for the client, for example which layout to use. */
    template?: string | null
    locale?: string
    meta?: {
      title?: string
      description?: string
      /** An address or the id of an uploaded file. */
      ogImage?: string
      canonical?: string
      noindex?: boolean
      keywords?: Array<string>
    }
    /** In order, without the `html` that is rendered from Markdown. Instead of the id of an uploaded file, a section or `meta.ogImage` has `sha256:` with the SHA-256 of its content. */
    sections?: Array<{
      /** Known types and the rules for their content: `hero` (heading), `features` (items), `rich_text` (markdown), `image` (mediaId or url), `gallery` (items), `video` (mediaId or url), `cta` (heading), `banner` (text), `pricing` (productSlug or plans), `product_grid` (slugs), `faq` (items), `testimonials` (items), `stats` (items), `logos` (items), `steps` (items), `code` (code), `html` (html). Other types are stored as sent, and the answer lists them in `warnings`; a name that is almost a known type is refused. */
      type: string
      content?: Record<string, unknown>
    }>
  } | null
  /** Slugs it had before, which lead to it as long as nothing else has them. Absent: they stay as they are. */
  formerSlugs?: Array<string>
}

export type PageRevision = {
  /** Increases with each change of the page. */
  number: number
  action: 'CREATED' | 'SAVED' | 'DRAFT_SAVED' | 'DRAFT_DISCARDED' | 'PUBLISHED' | 'SCHEDULED' | 'UNPUBLISHED' | 'ARCHIVED' | 'RESTORED'
  /** Whether it is a revision of the draft. */
  isDraft: boolean
  slug: string
  title: string
  status: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'
  note: string | null
  actor: {
    type: string
    /** UUIDv7, lower case. */
    id: string | null
    label: string
  }
  createdAt: string
  snapshot: PageCopy
}

export type PageRevisionLine = {
  /** Increases with each change of the page. */
  number: number
  action: 'CREATED' | 'SAVED' | 'DRAFT_SAVED' | 'DRAFT_DISCARDED' | 'PUBLISHED' | 'SCHEDULED' | 'UNPUBLISHED' | 'ARCHIVED' | 'RESTORED'
  /** Whether it is a revision of the draft. */
  isDraft: boolean
  slug: string
  title: string
  status: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'
  note: string | null
  actor: {
    type: string
    /** UUIDv7, lower case. */
    id: string | null
    label: string
  }
  createdAt: string
}

export type PageSection = {
  /** UUIDv7, lower case. */
  id: string
  type: string
  content: Record<string, unknown>
  order: number
}

export type Picture = {
  /** UUIDv7, lower case. */
  id: string
  url: string
  mimeType: string
  /** Pixels. */
  width: number | null
  /** Pixels. */
  height: number | null
  alt: string | null
  /** Smaller versions by name: `{ url, width, height, size, mimeType }`. */
  variants: Record<string, unknown>
} | null

export type PlanLimits = {
  plan: 'TRIAL' | 'STARTER' | 'PRO' | 'ENTERPRISE'
  meters: {
    /** For a month, or at any time for what is stored. Null: no limit. */
    meetings: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    transcriptWords: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    modelTokens: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    asks: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    documentPages: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    botMinutes: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    storageBytes: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    documents: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    vpnSessions: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    vpnBytes: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    webhookDeliveries: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    mails: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    apiCalls: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    summaries: number | null
    /** For a month, or at any time for what is stored. Null: no limit. */
    transcriptMinutes: number | null
  }
}

export type PlatformOverview = {
  counts: {
    tenants: number
    users: number
    licenses: number
    /** Without revoked ones. */
    devices: number
    openVpnSessions: number
    vpnServers: number
    /** Whose agent has not reported for five minutes. */
    offlineVpnServers: number
  }
  /** `today`: since midnight UTC. `lastWeek`: the seven days before today, together. */
  activity: {
    /** Tenants that were created. */
    newTenants: {
      today: number
      lastWeek: number
    }
    /** Users that registered. */
    newUsers: {
      today: number
      lastWeek: number
    }
    /** Licenses that were issued. */
    newLicenses: {
      today: number
      lastWeek: number
    }
    /** Requests of tenants. They show here about a minute later. */
    apiCalls: {
      today: number
      lastWeek: number
    }
    /** Licenses that were validated. */
    validations: {
      today: number
      lastWeek: number
    }
    /** VPN sessions that were started. */
    vpnConnections: {
      today: number
      lastWeek: number
    }
  }
  health: {
    /** `GET /health` has the details. */
    status: 'ok' | 'draining' | 'unavailable'
    version: string
  }
  /** Jobs that have failed for good. `GET /v1/platform/admin/jobs?state=dead` lists them. */
  deadJobs: number
  failingEndpoints: {
    total: number
    /** Webhook endpoints whose last delivery failed, at most five, longest first. */
    endpoints: Array<{
      /** UUIDv7, lower case. */
      id: string
      /** UUIDv7, lower case. */
      tenantId: string
      tenantName: string
      /** The host of the endpoint. */
      urlHint: string
      status: string
      failingSince: string
    }>
  }
  endingLicenses: {
    total: number
    /** Licenses that end within two weeks, at most five, the first to end first. */
    licenses: Array<{
      /** UUIDv7, lower case. */
      id: string
      /** UUIDv7, lower case. */
      tenantId: string
      tenantName: string
      product: string
      plan: string
      expiresAt: string
    }>
  }
  /** The last ten, newest first. */
  lastAuditEntries: Array<{
    /** UUIDv7, lower case. */
    id: string
    at: string
    /** UUIDv7, lower case. */
    tenantId: string | null
    actorLabel: string
    action: string
    targetType: string
    targetId: string | null
    outcome: 'ALLOWED' | 'DENIED'
  }>
}

export type PlatformSearchResult = {
  /** AUDIT_ENTRIES: what a request changed; `id` is that of the request. */
  kind: 'TENANT' | 'USER' | 'API_KEY' | 'ADMIN_KEY' | 'LICENSE' | 'DEVICE' | 'VPN_SESSION' | 'VPN_SERVER' | 'AUDIT_ENTRIES'
  id: string
  /** UUIDv7, lower case. */
  tenantId: string | null
  name: string
  /** What distinguishes it from others with the same name. */
  detail: string | null
}

export type Problem = {
  /** Link to the explanation of the code. */
  type: string
  title: string
  status: number
  /** What is wrong with this request, for a person. An internal error has no detail. */
  detail?: string
  /** A stable code for programs. */
  code: string
  requestId: string
  errors?: Array<{
    /** JSON pointer to the invalid value. */
    path: string
    code: string
    message: string
  }>
  /** The values that the current state allows. */
  allowed?: Array<string>
  /** The rate limit that refused the request. */
  limit?: {
    /** Whom the limit counts. */
    counted: 'ADDRESS' | 'API_KEY_AT_ADDRESS' | 'USER' | 'ADMIN_KEY' | 'BROWSER_SESSION' | 'NODE' | 'RUNNER' | 'CONNECTION'
    /** How many requests a window allows. */
    max: number
    windowSeconds: number
    /** When the next request is possible. */
    until: string
  }
  /** The usage limit that refused the request. */
  usage?: {
    /** What is counted. */
    meter: string
    used: number
    limit: number
    /** UTC days. `to` is not in the window. */
    window: {
      from: string
      to: string
      kind: 'month' | 'day'
    }
    /** Where the limit comes from: the name of a plan, `OVERRIDE` (set by the platform) or `OWN` (set by the tenant). */
    plan: string
    /** Whose limit it is. */
    scope: 'tenant' | 'org' | 'user'
  }
}

export type Product = {
  /** UUIDv7, lower case. */
  id: string
  slug: string
  name: string
  tagline: string
  /** Markdown. */
  description: string
  /** The description as sanitized HTML, safe to embed in any page. */
  descriptionHtml: string
  /** What kind of product it is. */
  type: 'SDK' | 'API' | 'APP' | 'SERVICE'
  /** The type as it was entered, if that differs. */
  typeLabel: string | null
  /** A DRAFT is not public. */
  status: 'DRAFT' | 'COMING_SOON' | 'BETA' | 'LIVE' | 'DEPRECATED'
  /** The status as it was entered, if that differs. */
  statusLabel: string | null
  isFeatured: boolean
  /** Smaller comes first. */
  sortOrder: number
  /** The path prefix of its routes. */
  apiPrefix: string | null
  /** UUIDv7, lower case. */
  iconMediaId: string | null
  icon: Picture
  /** UUIDv7, lower case. */
  coverMediaId: string | null
  cover: Picture
  tags: Array<string>
  links: {
    website: string | null
    repo: string | null
    support: string | null
    changelog: string | null
  }
  seo: {
    title: string | null
    description: string | null
    /** An uploaded picture. */
    imageId: string | null
    /** Search engines are asked to leave it out. */
    noindex: boolean
  }
  features: Array<ProductFeature>
  plans: Array<ProductPlan>
  media: Array<ProductMedia>
  downloads: Array<ProductDownload>
  versions: Array<ProductVersion>
  /** The newest stable version that is not yanked. */
  latestVersion: string | null
  docs: Array<{
    slug: string
    title: string
    section: string | null
    order: number
  }>
  /** When its status was first COMING_SOON. */
  announcedAt: string | null
  /** When its status was first BETA. */
  betaAt: string | null
  /** When its status was first LIVE. */
  launchedAt: string | null
  /** When its status was first DEPRECATED. */
  deprecatedAt: string | null
  /** When a DEPRECATED product ends. */
  sunsetAt: string | null
  /** The slug of the product that replaces a DEPRECATED one. */
  replacedBy: string | null
  createdAt: string
  updatedAt: string
  /** Counts changes of the product and of everything that belongs to it. */
  revision: number
}

export type ProductAnalytics = {
  /** UUIDv7, lower case. */
  productId: string
  from: string
  to: string
  totals: AnalyticsTotals
  /** The same number of days right before. */
  previous: {
    from: string
    to: string
    totals: AnalyticsTotals
  }
  /** The ten most read docs. */
  docs: Array<AnalyticsDoc>
  /** The ten most downloaded files; views are downloads. */
  downloads: Array<AnalyticsDownload>
  /** The ten most downloaded versions; views are downloads. */
  versions: Array<AnalyticsVersion>
  /** The ten most frequent referring hosts. */
  referrers: Array<AnalyticsReferrer>
  /** By kind of device. `api`: a program that identifies itself. */
  devices: Array<AnalyticsDevice>
}

export type ProductDoc = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  productId: string
  /** null: the doc comes before all sections. */
  sectionId: string | null
  /** Lower-case letters, digits and single hyphens. Unique in the product. */
  slug: string
  title: string
  /** Plain text for lists. */
  summary: string | null
  /** Smaller comes first; 100 if absent. */
  order: number
  /** A DRAFT is not public. */
  status: 'DRAFT' | 'PUBLISHED'
  seo: {
    title: string | null
    description: string | null
    noindex: boolean
  }
  wordCount: number
  /** When it was first published. null: never. */
  publishedAt: string | null
  /** Who changed it last. */
  editedBy: string
  /** Increases with each change. */
  revision: number
  createdAt: string
  updatedAt: string
  /** CommonMark with tables and strikethrough. HTML in it is shown as text. */
  markdown: string
  /** The Markdown as sanitized HTML, safe to embed in any page. */
  html: string
  toc: Array<{
    /** The heading’s `id` in the HTML. */
    id: string
    text: string
    level: number
  }>
}

export type ProductDocLine = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  productId: string
  /** null: the doc comes before all sections. */
  sectionId: string | null
  /** Lower-case letters, digits and single hyphens. Unique in the product. */
  slug: string
  title: string
  /** Plain text for lists. */
  summary: string | null
  /** Smaller comes first; 100 if absent. */
  order: number
  /** A DRAFT is not public. */
  status: 'DRAFT' | 'PUBLISHED'
  seo: {
    title: string | null
    description: string | null
    noindex: boolean
  }
  wordCount: number
  /** When it was first published. null: never. */
  publishedAt: string | null
  /** Who changed it last. */
  editedBy: string
  /** Increases with each change. */
  revision: number
  createdAt: string
  updatedAt: string
}

export type ProductDownload = {
  /** UUIDv7, lower case. */
  id: string
  kind: 'SDK' | 'DESKTOP' | 'MOBILE' | 'CLI' | 'DOC' | 'OTHER'
  /** any if absent. */
  platform: 'windows' | 'macos' | 'linux' | 'ios' | 'android' | 'web' | 'any'
  /** any if absent. */
  arch: 'x64' | 'arm64' | 'universal' | 'any'
  /** Taken from the uploaded file if absent. */
  fileName: string | null
  /** Taken from the uploaded file if absent. */
  sizeBytes: number | null
  /** Lower-case hex. Taken from the uploaded file if absent. */
  sha256: string | null
  /** The publisher’s signature, as text. */
  signature: string | null
  packageManager: string | null
  installCommand: string | null
  /** Whether the download requires a license key of the product. */
  requiresLicense: boolean
  /** Smaller comes first; 100 if absent. */
  order: number
  /** null: it belongs to no version. */
  version: string | null
  /** Redirects to the file and counts the download. null: there is only an install command. */
  url: string | null
}

export type ProductFeature = {
  /** UUIDv7, lower case. */
  id: string
  /** Unique in the product. Made from the title if absent. */
  slug: string
  title: string
  description: string
  /** The name of an icon that the pages know. */
  icon: string | null
  group: string | null
  isHighlighted: boolean
  /** Maps the code of a plan to whether it has the feature, or to how much of it. */
  availability: Record<string, boolean | string>
  /** The position in the list, from 0. */
  order: number
  createdAt: string
  updatedAt: string
}

export type ProductLine = {
  slug: string
  name: string
  tagline: string
  type: string
  status: string
  link: string
}

export type ProductMedia = {
  /** UUIDv7, lower case. */
  id: string
  kind: 'SCREENSHOT' | 'VIDEO' | 'LOGO' | 'COVER' | 'DIAGRAM'
  /** An uploaded file. */
  mediaId: string | null
  /** The address of the picture or film. */
  url: string | null
  /** Alternative text. Required unless `kind` is VIDEO. */
  alt: string | null
  caption: string | null
  /** UUIDv7, lower case. */
  posterMediaId: string | null
  posterUrl: string | null
  /** Pixels. */
  width: number | null
  /** Pixels. */
  height: number | null
  /** Smaller versions by name: `{ url, width, height, size, mimeType }`. */
  variants: Record<string, unknown>
  /** The position in the list, from 0. */
  order: number
  createdAt: string
  updatedAt: string
}

export type ProductPlan = {
  /** UUIDv7, lower case. */
  id: string
  /** TRIAL, STARTER, PRO, ENTERPRISE or a word of your own, in any letter case. Unique in the product. */
  code: string
  name: string
  description: string
  /** In hundredths of the currency unit. null: on request. */
  priceCents: number | null
  /** ISO 4217. Required with a price. */
  currency: string | null
  /** How often the price is paid. */
  interval: 'month' | 'year' | 'once' | null
  /** null: unlimited. */
  maxUses: number | null
  trialDays: number | null
  /** The lines of the plan in a price table. */
  features: Array<string>
  isPopular: boolean
  cta: {
    label: string
    /** An http or https address, or a path that starts with a slash. */
    url: string
  } | null
  isActive: boolean
  /** The position in the list, from 0. */
  order: number
  createdAt: string
  updatedAt: string
}

export type ProductRecord = {
  /** Lower-case letters and digits, with single hyphens between them. */
  slug: string
  name: string
  /** SDK, API, APP or SERVICE, in any letter case. */
  type: string
  /** DRAFT (the default), COMING_SOON, BETA, LIVE or DEPRECATED, in any letter case, with hyphens or spaces. Also development, in-development, dev (COMING_SOON), alpha, preview (BETA), published, active (LIVE), retired, sunset (DEPRECATED). */
  status?: string
  tagline?: string | null
  /** Markdown. */
  description?: string | null
  isFeatured?: boolean
  /** Smaller comes first; 100 if absent. */
  sortOrder?: number | null
  /** The path prefix of its routes. */
  apiPrefix?: string | null
  tags?: Array<string> | null
  links?: {
    /** An http or https address. */
    website?: string | null
    /** An http or https address. */
    repo?: string | null
    /** An http or https address. */
    support?: string | null
    /** An http or https address. */
    changelog?: string | null
  } | null
  /** An uploaded file, identified by the SHA-256 of its content. */
  iconMedia?: {
    sha256: string
    /** For the reader alone. */
    filename: string
  } | null
  /** An uploaded file, identified by the SHA-256 of its content. */
  coverMedia?: {
    sha256: string
    /** For the reader alone. */
    filename: string
  } | null
  seo?: {
    title?: string | null
    description?: string | null
    noindex?: boolean
    /** An uploaded file, identified by the SHA-256 of its content. */
    image?: {
      sha256: string
      /** For the reader alone. */
      filename: string
    } | null
  } | null
  /** When a DEPRECATED product ends. May be in the past. */
  sunsetAt?: string | null
  /** The slug of the product that replaces a DEPRECATED one; null: none. */
  replacedBy?: string | null
  /** Slugs it had before, which lead to it as long as nothing else has them. Absent: they stay as they are. */
  formerSlugs?: Array<string>
  /** In display order. */
  features?: Array<{
    title: string
    /** Lower-case letters and digits, with single hyphens between them. */
    slug: string
    description?: string | null
    /** The name of an icon that the pages know. */
    icon?: string | null
    group?: string | null
    isHighlighted?: boolean
    /** Maps the code of a plan to whether it has the feature, or to how much of it. */
    availability?: Record<string, boolean | string> | null
  }>
  /** In display order. */
  plans?: Array<{
    /** TRIAL, STARTER, PRO, ENTERPRISE or a word of your own, in any letter case. Unique in the product. */
    code: string
    name: string
    description?: string | null
    /** In hundredths of the currency unit. null: on request. */
    priceCents?: number | null
    /** ISO 4217. Required with a price. */
    currency?: string | null
    /** How often the price is paid. */
    interval?: 'month' | 'year' | 'once' | null
    /** How many uses a license of the plan has. null: unlimited. */
    maxUses?: number | null
    trialDays?: number | null
    /** The lines of the plan in a price table. */
    features?: Array<string> | null
    isPopular?: boolean
    /** The button of the plan. */
    cta?: {
      label: string
      /** An http or https address, or a path that starts with a slash. */
      url: string
    } | null
    /** Only active plans are public. */
    isActive?: boolean
  }>
  /** In display order. */
  media?: Array<{
    kind: 'SCREENSHOT' | 'VIDEO' | 'LOGO' | 'COVER' | 'DIAGRAM'
    /** An http or https address. */
    url?: string | null
    /** Alternative text. Required unless `kind` is VIDEO. */
    alt?: string | null
    caption?: string | null
    /** An uploaded file, identified by the SHA-256 of its content. */
    media?: {
      sha256: string
      /** For the reader alone. */
      filename: string
    } | null
    /** An uploaded file, identified by the SHA-256 of its content. */
    posterMedia?: {
      sha256: string
      /** For the reader alone. */
      filename: string
    } | null
  }>
  /** With equal `order`, the earlier one comes first. */
  docSections?: Array<{
    /** Lower-case letters, digits and single hyphens. Unique in the product. */
    slug: string
    title: string
    /** Smaller comes first; 100 if absent. */
    order?: number
    /** The slug of the section that contains it; null: none. */
    parent?: string | null
  }>
  /** With equal `order`, the earlier one comes first. */
  docs?: Array<{
    /** Lower-case letters, digits and single hyphens. Unique in the product. */
    slug: string
    title: string
    /** CommonMark with tables and strikethrough. HTML in it is shown as text. */
    markdown: string
    /** Plain text for lists. */
    summary?: string | null
    /** Smaller comes first; 100 if absent. */
    order?: number
    /** A DRAFT is not public. */
    status?: 'DRAFT' | 'PUBLISHED'
    seo?: {
      title?: string | null
      description?: string | null
      noindex?: boolean
    }
    /** The slug of its section; null: none. */
    section?: string | null
  }>
  /** Newest first. */
  versions?: Array<{
    /** A semantic version (semver.org). Unique in the product. */
    version: string
    /** If absent: stable for a release, nightly for a prerelease named nightly, dev, canary or snapshot, beta for other prereleases. */
    channel?: 'stable' | 'beta' | 'nightly'
    releasedAt: string
    /** Markdown. */
    notes?: string | null
    breaking?: boolean
    /** Minimum requirements by name. */
    minRequirements?: Record<string, string>
    /** true withdraws the version: it is never the latest, and its downloads answer 404. */
    yanked?: boolean
    /** Why it was yanked. */
    yankReason?: string | null
  }>
  /** With equal `order`, the earlier one comes first. */
  downloads?: Array<{
    kind: 'SDK' | 'DESKTOP' | 'MOBILE' | 'CLI' | 'DOC' | 'OTHER'
    /** any if absent. */
    platform?: 'windows' | 'macos' | 'linux' | 'ios' | 'android' | 'web' | 'any'
    /** any if absent. */
    arch?: 'x64' | 'arm64' | 'universal' | 'any'
    /** Taken from the uploaded file if absent. */
    fileName?: string | null
    /** Taken from the uploaded file if absent. */
    sizeBytes?: number | null
    /** Lower-case hex. Taken from the uploaded file if absent. */
    sha256?: string | null
    /** The publisher’s signature, as text. */
    signature?: string | null
    /** An https address. Cannot be combined with `mediaId`. */
    externalUrl?: string | null
    packageManager?: string | null
    installCommand?: string | null
    /** Whether the download requires a license key of the product. */
    requiresLicense?: boolean
    /** false hides it from the public. */
    isActive?: boolean
    /** Smaller comes first; 100 if absent. */
    order?: number
    /** The version it belongs to, or null. */
    version?: string | null
    /** An uploaded file, identified by the SHA-256 of its content. */
    media?: {
      sha256: string
      /** For the reader alone. */
      filename: string
    } | null
  }>
}

export type ProductVersion = {
  /** UUIDv7, lower case. */
  id: string
  /** A semantic version (semver.org). Unique in the product. */
  version: string
  /** If absent: stable for a release, nightly for a prerelease named nightly, dev, canary or snapshot, beta for other prereleases. */
  channel: 'stable' | 'beta' | 'nightly'
  /** Whether it is the newest of its channel that is not yanked. */
  isLatest: boolean
  releasedAt: string
  /** Markdown. */
  notes: string | null
  /** The notes as sanitized HTML. */
  notesHtml: string | null
  breaking: boolean
  /** Minimum requirements by name. */
  minRequirements: Record<string, string>
  /** null: not yanked. */
  yankedAt: string | null
  /** Why it was yanked. */
  yankReason: string | null
}

export type PublicContentBlock = {
  /** Lower-case letters, digits, dots, hyphens and underscores. */
  key: string
  /** A language tag (BCP 47), in any case. Default: en. */
  locale: string
  /** The type of the value. */
  type: 'text' | 'markdown' | 'json' | 'url' | 'boolean' | 'number'
  /** A value of the block’s type: a string for text, markdown and url; anything for json. */
  value: unknown
  /** Safe HTML of a markdown block. */
  html: string | null
  updatedAt: string
}

export type PublicPage = {
  /** UUIDv7, lower case. */
  id: string
  /** Segments of `a-z`, `0-9` and `-`, joined by `/`. Unique. */
  slug: string
  title: string
  meta: {
    title?: string
    description?: string
    /** An address or the id of an uploaded file. */
    ogImage?: string
    canonical?: string
    noindex?: boolean
    keywords?: Array<string>
  }
  sections: Array<PageSection>
  /** A word for the client, for example which layout to use. */
  template: string | null
  locale: string
  /** Only a PUBLISHED page is public. */
  status: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'
  /** Always null: only administrators see schedules. */
  publishAt: string | null
  /** When it was last published. */
  publishedAt: string | null
  /** Increases with each change. */
  revision: number
  createdAt: string
  updatedAt: string
  /** With `resolve=products`: the products that sections show, by slug. DRAFT products are left out. */
  products?: Record<string, unknown>
}

export type PublicPageLine = {
  /** UUIDv7, lower case. */
  id: string
  /** Segments of `a-z`, `0-9` and `-`, joined by `/`. Unique. */
  slug: string
  title: string
  meta: {
    title?: string
    description?: string
    /** An address or the id of an uploaded file. */
    ogImage?: string
    canonical?: string
    noindex?: boolean
    keywords?: Array<string>
  }
  /** When it was last published. */
  publishedAt: string | null
  updatedAt: string
  sections?: Array<PageSection>
}

export type Quota = {
  /** A meter, or a limit that is stored with the tenant. */
  meter: 'meetings' | 'transcriptWords' | 'modelTokens' | 'asks' | 'documentPages' | 'botMinutes' | 'storageBytes' | 'documents' | 'vpnSessions' | 'vpnBytes' | 'webhookDeliveries' | 'mails' | 'apiCalls' | 'summaries' | 'transcriptMinutes' | 'modelTokensPerDay' | 'maxUsers' | 'maxApiKeys' | 'maxDevices' | 'maxDevicesPerUser' | 'maxActiveSessions' | 'maxMeetings' | 'maxOrgs' | 'maxOrgMembers' | 'maxTasks' | 'maxDocuments' | 'maxStorageBytes' | 'maxIntegrations' | 'maxLiveBots' | 'maxMailsPerDay' | 'requestsPerWindow'
  unit: string
  window: UsageWindow
  used: number
  /** For requests to a model that have not been answered. */
  reserved: number
  /** Shown beside the limit. Nothing happens there. */
  soft: number | null
  /** Null: none. */
  limit: number | null
  /** Null where there is no limit. */
  remaining: number | null
  /** When the next window begins. */
  resetsAt: string | null
  /** What happens at the limit. */
  atLimit: 'REFUSE' | 'FALL_BACK' | 'TELL'
  /** Who has set the limit. OWN: an administrator of the tenant. DEFAULT: the installation. */
  source: 'OVERRIDE' | 'PLAN' | 'DEFAULT' | 'OWN' | null
  /** The plan that the limit is from. */
  plan: string | null
  forecast: UsageForecast
}

export type RankedTenant = {
  /** UUIDv7, lower case. */
  tenantId: string
  name: string
  amount: number
  reserved: number
  /** Null: none. */
  limit: number | null
}

export type ReceivedInvitation = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  orgId: string
  orgName: string
  /** The role after accepting. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  createdAt: string
  expiresAt: string
}

export type SearchResult = {
  kind: 'document' | 'meeting'
  /** UUIDv7, lower case. */
  documentId: string | null
  /** UUIDv7, lower case. */
  meetingId: string | null
  /** Of the document. */
  version: number | null
  /** Of the document or meeting. */
  title: string
  /** From 1; of a presentation the slide. */
  page: number | null
  /** The headings above it, outermost first. */
  heading: Array<string>
  /** The number of the transcript entry. */
  seq: number | null
  speaker: string | null
  /** When it was said, `HH:MM:SS` into the meeting. */
  timestamp: string | null
  /** The API path of what is cited. */
  path: string
  /** HTML: the text is escaped, and `<mark>` is the only element. */
  snippet: string
}

export type SetQuota = {
  meter: 'meetings' | 'transcriptWords' | 'modelTokens' | 'asks' | 'documentPages' | 'botMinutes' | 'storageBytes' | 'documents' | 'vpnSessions' | 'vpnBytes' | 'webhookDeliveries' | 'mails' | 'apiCalls' | 'summaries' | 'transcriptMinutes' | 'modelTokensPerDay'
  /** Null: the plan decides. */
  override: {
    /** Shown beside the limit. Nothing happens there. Null: none. */
    soft: number | null
    /** The limit instead of that of the plan. Null: no limit. Absent: the limit of the plan. */
    hard: number | null
    /** Whether the limit of the plan holds; `hard` is then null. */
    isPlanLimit: boolean
    /** REFUSE: 429 `USAGE_EXCEEDED`. FALL_BACK: the local engine works instead of the language model. TELL: only notices are sent. Null: the default of the meter. */
    atLimit: 'REFUSE' | 'FALL_BACK' | 'TELL' | null
    /** Null: until it is deleted. */
    until: string | null
    /** Recorded in the audit log. */
    reason: string
  } | null
  /** The sum of the grants in the current window. */
  granted: number
}

export type Setting = {
  /** The variable. */
  name: string
  /** Null: not set, or a secret. Of an address only the host and the path are shown. */
  value: string | null
  /** DATA_FOLDER: made at the first start and kept there. */
  source: 'ENVIRONMENT' | 'DATA_FOLDER' | 'DEFAULT'
  isSecret: boolean
  meaning: string
}

export type SettingWarning = {
  code: string
  message: string
  fix: string
}

export type SignInLink = {
  /** UUIDv7, lower case. */
  id: string
  /** OWNER: may do everything. EDITOR: may read everything and change the catalog and content. VIEWER: may read everything. */
  role: 'OWNER' | 'EDITOR' | 'VIEWER'
  /** Null: the key of the environment. */
  keyId: string | null
  expiresAt: string
  createdAt: string
  usedAt: string | null
  status: 'WAITING' | 'USED' | 'EXPIRED'
}

export type SignedInBrowser = {
  /** UUIDv7, lower case. */
  id: string
  /** OWNER: may do everything. EDITOR: may read everything and change the catalog and content. VIEWER: may read everything. */
  role: 'OWNER' | 'EDITOR' | 'VIEWER'
  /** The named key that the session depends on. Null: the key of the environment. */
  keyId: string | null
  keyName: string
  createdAt: string
  expiresAt: string
  /** When the session ends if nobody uses it. Requests with `X-Atrium-Poll: 1` do not count. */
  idleExpiresAt: string
  /** Until then sensitive operations are allowed. */
  confirmedUntil: string | null
  /** The link that was used. Null: signed in with the key itself. */
  signInLinkId: string | null
  /** The address from which somebody signed in. */
  ip: string | null
  lastActiveAt: string
}

/** The answer with its quotes, or the confirmation of a command. Null: there would be no answer. */
export type SimulatedEmail = {
  to: string
  subject: string
  text: string
} | null

export type Slot = {
  /** UUIDv7, lower case. */
  id: string
  /** Identifies the slot in bundles. Derived from the kind when absent. */
  slug: string
  kind: 'HERO_SLIDE' | 'FEATURED_BANNER' | 'LOGO_STRIP' | 'PRODUCT_SPOTLIGHT' | 'ANNOUNCEMENT_BAR' | 'TESTIMONIAL' | 'STAT_STRIP' | 'CTA_BLOCK' | 'FOOTER_LINKS'
  title: string | null
  subtitle: string | null
  /** Markdown. */
  body: string | null
  /** The link of the slot. */
  href: string | null
  /** The text of the button. */
  ctaLabel: string | null
  /** The product to show. */
  productSlug: string | null
  /** Only for FOOTER_LINKS. */
  links: Array<{
    label: string
    /** A path, or an address that starts with https:, http: or mailto:. */
    href: string
  }>
  /** Position within its kind. */
  order: number
  /** Whether the slot can be shown. */
  isActive: boolean
  startsAt: string | null
  endsAt: string | null
  /** Safe HTML. */
  bodyHtml: string | null
  media: {
    /** UUIDv7, lower case. */
    id: string
    url: string
    alt: string | null
    mimeType: string
    width: number | null
    height: number | null
    variants: Record<string, {
      url: string
      width: number
      height: number
      size: number
      mimeType: string
    }>
  } | null
  /** An uploaded file. */
  mediaId: string | null
  /** Whether the homepage shows it now. */
  isLive: boolean
  revision: number
  createdAt: string
  updatedAt: string
}

export type SlotRecord = {
  /** Identifies the slot in bundles. Derived from the kind when absent. */
  slug: string
  /** One of HERO_SLIDE, FEATURED_BANNER, LOGO_STRIP, PRODUCT_SPOTLIGHT, ANNOUNCEMENT_BAR, TESTIMONIAL, STAT_STRIP, CTA_BLOCK, FOOTER_LINKS, in any case. */
  kind: string
  title?: string | null
  subtitle?: string | null
  /** Markdown. */
  body?: string | null
  /** The link of the slot. */
  href?: string | null
  /** The text of the button. */
  ctaLabel?: string | null
  /** The product to show. */
  productSlug?: string | null
  /** Only for FOOTER_LINKS. */
  links?: Array<{
    label: string
    /** A path, or an address that starts with https:, http: or mailto:. */
    href: string
  }>
  /** Position within its kind. */
  order?: number
  /** Whether the slot can be shown. */
  isActive?: boolean
  /** Shown from this time on; null for no start. */
  startsAt?: string | null
  /** Shown until this time; null for no end. */
  endsAt?: string | null
  /** An uploaded file, named by the SHA-256 of its content. */
  media?: {
    sha256: string
    /** For the reader alone. */
    filename: string
  } | null
}

export type Summary = {
  /** UUIDv7, lower case. */
  meetingId: string
  mode: 'short' | 'detailed'
  /** Plain text. short: 4 to 6 sentences. detailed: 400 to 700 words, with each heading on its own line. */
  summary: string
  sentenceCount: number
  wordCount: number
  /** Everybody who spoke, most words first. */
  contributions: Array<{
    speaker: string
    /** The share of all spoken words, from 0 to 1. */
    share: number
    turns: number
    text: string
  }>
  topics: Array<string>
  decisions: Array<{
    text: string
    /** high: said in so many words, or agreed to by somebody else. low: it may be one; it is not in the text of the summary. */
    confidence: 'high' | 'low'
    /** The numbers (`seq`) of the entries it rests on. */
    entries: Array<number>
  }>
  actionItems: Array<{
    text: string
    owner: string | null
    /** The speaker's own words. */
    due: string | null
    /** high: said in so many words, or agreed to by somebody else. low: it may be one; it is not in the text of the summary. */
    confidence: 'high' | 'low'
    /** The numbers (`seq`) of the entries it rests on. */
    entries: Array<number>
  }>
  questions: Array<{
    text: string
    speaker: string
    /** The numbers (`seq`) of the entries it rests on. */
    entries: Array<number>
  }>
  /** The sentences of the summary in their order, each with the entries it rests on. */
  citations: Array<{
    sentence: string
    /** The heading above the sentence. Null in short mode. */
    section: string | null
    /** speech: quotes or reports the cited entries. record: states counts, times or what is missing. model: written by the model and checked against the cited entries. */
    basis: 'speech' | 'record' | 'model'
    /** Whether the sentence only fills the promised length. */
    isPadding: boolean
    /** The numbers (`seq`) of the entries it rests on. */
    entries: Array<number>
  }>
  /** local: without a language model. llm: the configured language model. */
  engine: 'local' | 'llm'
  /** The model that wrote the summary. Null: the local engine wrote it. */
  model: string | null
  /** Why the local engine wrote the summary although a model is configured. Null: no model is configured, or the model wrote it. */
  fallbackReason: 'TIMEOUT' | 'UNREACHABLE' | 'RATE_LIMITED' | 'REFUSED' | 'TOO_LARGE' | 'INVALID_OUTPUT' | 'BUDGET_SPENT' | 'PAUSED' | 'TOO_LITTLE' | null
  /** transcript: the whole transcript was read. excerpt: it was too long, so fair parts of it were read; `contributions` still count all of it. empty: the transcript has no entries yet. */
  basis: 'transcript' | 'excerpt' | 'empty'
  /** Times during which a bot was away from the running meeting, for example because its runner died. Nothing that was said then is in the transcript. */
  gaps: Array<{
    from: string
    /** Null: the bot has not returned yet. */
    to: string | null
    cause: string
    /** Where it begins in the transcript, in milliseconds. */
    offsetMs: number
  }>
  /** The revision of the summarized meeting. */
  revision: number
  generatedAt: string
}

export type Task = {
  /** UUIDv7, lower case. */
  id: string
  /** Null: an issue of a connection without an organization. */
  orgId: string | null
  /** In the organization. */
  number: number | null
  title: string
  description: string
  status: 'proposed' | 'open' | 'in_progress' | 'done' | 'dismissed'
  priority: 'none' | 'low' | 'medium' | 'high' | 'urgent'
  /** A member of the organization. */
  assigneeId: string | null
  /** As it was spoken, or as the tracker has it. */
  assigneeName: string | null
  /** A day in the time zone of the organization. */
  due: string | null
  /** As it was spoken. */
  dueText: string | null
  /** Never for a task that is done or dismissed. */
  overdue: boolean
  /** An organization has at most 50 different ones. */
  labels: Array<string>
  /** Orders the tasks of a status, compared byte by byte. May change when other tasks are moved. */
  position: string | null
  source: 'manual' | 'meeting' | 'tracker'
  /** What was said. Null for who may not read the meeting. */
  evidence: {
    /** UUIDv7, lower case. */
    meetingId: string
    speaker: string
    timestamp: string
    quote: string
    /** The entries of the transcript. */
    seqs: Array<number>
  } | null
  hasEvidence: boolean
  /** The issue of the task in a tracker. */
  link: {
    provider: string
    key: string
    url: string | null
    /** `READ_ONLY`: changes in the tracker appear here, but not the other way round. Otherwise both are kept in sync: `SYNCED`, `PENDING` (a change here is on its way), or `FAILED` (it could not be written, or the issue is gone). */
    sync: 'READ_ONLY' | 'SYNCED' | 'PENDING' | 'FAILED'
  } | null
  /** Fields that were changed here and in the tracker at the same time. The tracker’s value wins. A new value here ends the conflict, and so does `DELETE .../conflicts/:field`. */
  conflicts: Array<TaskConflict>
  /** Null: the service, or a user who was removed. */
  createdBy: string | null
  createdAt: string
  updatedAt: string
  startedAt: string | null
  completedAt: string | null
  /** Grows with every change. The ETag contains it. */
  revision: number
}

export type TaskComment = {
  /** UUIDv7, lower case. */
  id: string
  text: string
  /** Null: the user was removed. */
  author: {
    /** UUIDv7, lower case. */
    userId: string
    name: string | null
  } | null
  createdAt: string
  editedAt: string | null
}

export type TaskConflict = {
  field: 'title' | 'status' | 'assigneeId' | 'due'
  /** What the task had. Of an assignee the id of the user. */
  ours: string | null
  /** What the issue has. Of an assignee the name there. */
  theirs: string | null
  at: string
}

export type TaskHistoryEntry = {
  /** UUIDv7, lower case. */
  taskId: string
  /** Of the task after the change. */
  revision: number
  field: 'title' | 'description' | 'status' | 'priority' | 'assigneeId' | 'assigneeName' | 'due' | 'labels'
  /** As text. Of a description neither the old one nor the new one is kept. Null, too, for what was changed in accepting a proposal, except for the status. */
  from: string | null
  /** As text. */
  to: string | null
  /** A person, the meeting of a proposal, the tracker of an issue, or the service itself. */
  origin: 'user' | 'meeting' | 'tracker' | 'system'
  /** Null: no person, or one who was removed. */
  actor: {
    /** UUIDv7, lower case. */
    userId: string
    name: string | null
  } | null
  at: string
}

export type Tenant = {
  /** UUIDv7, lower case. */
  id: string
  name: string
  slug: string
  contactEmail: string
  status: 'ACTIVE' | 'SUSPENDED'
  /** The start of the newest active API key. Null if there is none. */
  apiKey: string | null
  limits: {
    /** The number of users. Null: no limit. */
    maxUsers: number | null
    /** The number of active API keys. Null: no limit. */
    maxApiKeys: number | null
    /** The number of VPN devices that are not revoked. Null: no limit. */
    maxDevices: number | null
    /** The same per user. Null: no limit. */
    maxDevicesPerUser: number | null
    /** The number of open VPN sessions. Null: no limit. */
    maxActiveSessions: number | null
    /** The number of meetings. Null: no limit. */
    maxMeetings: number | null
    /** The number of organizations. Null: no limit. */
    maxOrgs: number | null
    /** The number of members of each organization. Null: no limit. */
    maxOrgMembers: number | null
    /** The number of tasks of each organization. Null: no limit. */
    maxTasks: number | null
    /** The number of documents, without those that could not be read. Null: no limit. */
    maxDocuments: number | null
    /** The number of integrations with other services. Null: no limit. */
    maxIntegrations: number | null
    /** Bots that are scheduled, on their way or in meetings. Null: no limit. */
    maxLiveBots: number | null
    /** Mails of conversations that are sent in a day (UTC). Null: no limit. */
    maxMailsPerDay: number | null
    /** The bytes of stored mails and documents, as they were received, and of their texts. Null: no limit. */
    maxStorageBytes: number | null
    /** Requests per caller in a rate limit window. Null: the default of the server. */
    requestsPerWindow: number | null
  }
  /** Slugs of the products that the users of the tenant may use, with an API key or without one. */
  products: Array<string>
  /** Null if no member is set. */
  whitelabelConfig: {
    displayName: string | null
    /** An https URL. */
    logoUrl: string | null
    /** An https URL. */
    faviconUrl: string | null
    primaryColor: string | null
    supportEmail: string | null
    /** An https URL. */
    supportUrl: string | null
    /** A host name in lower case. */
    customDomain: string | null
    emailFromName: string | null
  } | null
  createdAt: string
  updatedAt: string
}

export type TenantEmailMessage = {
  /** UUIDv7, lower case. */
  id: string
  /** Null: it reached none of our addresses. */
  threadId: string | null
  /** UUIDv7, lower case. */
  orgId: string | null
  /** The inbound webhook that delivered it. Null: it came another way. */
  connectionId: string | null
  direction: 'in' | 'out'
  /** Its Message-ID; a digest if it has none or a very long one. */
  messageId: string
  inReplyTo: string | null
  references: Array<string>
  /** Empty if the mail names nobody. */
  from: string
  /** Empty for a bounce; null if it is not known. */
  envelopeFrom: string | null
  to: Array<string>
  cc: Array<string>
  subject: string
  /** The text without quotes and signature. Null until it was read. */
  replyText: string | null
  /** Received mails: `received`, `processed`, `ignored`, `quarantined`, `dead`. Mails of ours: `draft`, `discarded`, `queued`, `sending`, `sent`, `deferred`, `bounced`, `failed`, `suppressed`. */
  status: 'received' | 'processed' | 'ignored' | 'quarantined' | 'dead' | 'draft' | 'discarded' | 'queued' | 'sending' | 'sent' | 'deferred' | 'bounced' | 'failed' | 'suppressed'
  /** By DMARC. `none`: nothing that can be checked. Null: not checked. */
  authenticity: 'pass' | 'none' | 'fail' | null
  /** The sender is not in the thread, and gets no answer. */
  isStranger: boolean
  /** Why it counts as written by a program. */
  automatic: string | null
  attachments: Array<EmailAttachment>
  citations: Array<EmailCitation>
  /** What happened to it. */
  outcome: string | null
  /** Why. */
  cause: string | null
  /** The results for SPF, DKIM, DMARC, ARC and spam: our own, or those of the provider in its words. */
  verdicts: Record<string, string>
  /** The size of the mail as it came. It is kept for 30 days; null: there is none. */
  rawBytes: number | null
  /** For a mail of ours: when it was written. */
  receivedAt: string
  sentAt: string | null
  /** Grows with every change. */
  revision: number
  /** The text of the mail. Null for administrators of the platform below OWNER: mails carry links that log in. */
  text: string | null
}

export type TenantUsage = {
  day: string
  /** Null where the usage belongs to no single product. */
  product: string | null
  /** Answered requests with keys and users of the tenant, except answers with 429 or 5xx. */
  apiCalls: number
  /** License validations with any result. */
  validations: number
  /** Started VPN sessions. */
  connections: number
  /** Total length of the VPN sessions that ended on the day, in whole minutes. */
  connectionMinutes: number
  /** Bytes from devices to the VPN. Zero until VPN nodes report them. */
  bytesUp: number
  /** Bytes from the VPN to devices. Zero until VPN nodes report them. */
  bytesDown: number
  /** Devices that started a VPN session. */
  activeDevices: number
  /** Users who made a request. */
  activeUsers: number
}

/** Totals. A device or user counts once for each day and product. */
export type TenantUsageTotals = {
  /** Answered requests with keys and users of the tenant, except answers with 429 or 5xx. */
  apiCalls: number
  /** License validations with any result. */
  validations: number
  /** Started VPN sessions. */
  connections: number
  /** Total length of the VPN sessions that ended on the day, in whole minutes. */
  connectionMinutes: number
  /** Bytes from devices to the VPN. Zero until VPN nodes report them. */
  bytesUp: number
  /** Bytes from the VPN to devices. Zero until VPN nodes report them. */
  bytesDown: number
  /** Devices that started a VPN session. */
  activeDevices: number
  /** Users who made a request. */
  activeUsers: number
}

export type Tokens = {
  /** A JWT. Send it as `Authorization: Bearer <token>`. */
  accessToken: string
  /** Can be used once, within 30 days. */
  refreshToken: string
  tokenType: 'Bearer'
  /** Seconds until the access token expires. */
  expiresIn: number
  user: User
}

export type TranscriptEntry = {
  /** The number of the entry. Numbers grow along the transcript and may have gaps. */
  seq: number
  speaker: string
  text: string
  /** The offset into the meeting, HH:MM:SS, without the fraction of the second. */
  timestamp: string
  /** The same offset exactly, in milliseconds. */
  offsetMs: number
  /** Your own id for this entry. An entry sent with the same id replaces the earlier one. */
  segmentId: string | null
  /** Present where it was written in the chat, and not said. */
  kind?: 'chat'
}

export type UnsettledReservation = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  tenantId: string
  /** UUIDv7, lower case. */
  orgId: string | null
  /** UUIDv7, lower case. */
  userId: string | null
  tokens: number
  reservedAt: string
  countedAt: string
}

export type UsageDifference = {
  meter: 'meetings' | 'transcriptWords' | 'modelTokens' | 'asks' | 'documentPages' | 'botMinutes' | 'storageBytes' | 'documents' | 'vpnSessions' | 'vpnBytes' | 'webhookDeliveries' | 'mails' | 'apiCalls' | 'summaries' | 'transcriptMinutes'
  scope: 'tenant' | 'org' | 'user'
  /** UUIDv7, lower case. */
  subjectId: string
  /** Null for what is stored. */
  span: 'month' | 'day' | null
  /** The first day. Null for what is stored. */
  window: string | null
  /** What the counter said. */
  counted: number
  /** The sum of the uses, or of what is stored. */
  expected: number
  /** Counters of what is stored are corrected. */
  isCorrected: boolean
}

/** From the last 28 days by weekday. Null where the first use in them is less than seven days ago. */
export type UsageForecast = {
  /** The expected amount at the end of the window. */
  atEnd: number
  /** Null: not in this window. */
  reachesLimitAt: string | null
} | null

export type UsageRecount = {
  /** UUIDv7, lower case. */
  id: string
  createdAt: string
  /** Null: its job has not run yet. */
  finishedAt: string | null
  /** At most 1000. Null until it ran. */
  differences: Array<UsageDifference> | null
}

export type UsageThresholds = {
  /** A meter, or `modelTokensPerDay`. Null: all that are not in the list. */
  meter: 'meetings' | 'transcriptWords' | 'modelTokens' | 'asks' | 'documentPages' | 'botMinutes' | 'storageBytes' | 'documents' | 'vpnSessions' | 'vpnBytes' | 'webhookDeliveries' | 'mails' | 'apiCalls' | 'summaries' | 'transcriptMinutes' | 'modelTokensPerDay' | null
  /** Percentages of a limit. Empty: no notices. */
  percents: Array<number>
}

/** In UTC. Null: as much as there is now. */
export type UsageWindow = {
  from: string
  /** The first day after the window. */
  to: string
  kind: 'month' | 'day'
} | null

export type User = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  tenantId: string
  email: string
  name: string | null
  /** An ADMIN administers the tenant. */
  role: 'USER' | 'ADMIN'
  /** A SUSPENDED user cannot log in. */
  status: 'ACTIVE' | 'SUSPENDED'
  emailVerified: boolean
  /** Whether the user can log in with Google. */
  googleLinked: boolean
  /** Null: never since registration. */
  lastLoginAt: string | null
  createdAt: string
}

export type VpnPeer = {
  /** WireGuard public key in base64. */
  publicKey: string
  presharedKey: string
  allowedIps: Array<string>
  /** In how many seconds the node must remove the peer by itself, counted from the answer. Null: never. */
  notAfterSeconds: number | null
}

export type VpnPeers = {
  kind: 'delta' | 'snapshot'
  revision: number
  /** Delta: peers to add or replace. */
  upserts?: Array<VpnPeer>
  /** Delta: peers to remove, if present. */
  removes?: Array<string>
  /** Snapshot: the number of peers. */
  count?: number
  /** Snapshot: SHA-256 in hex over one line for each peer, `publicKey presharedKey allowedIps`, sorted by public key; `allowedIps` joined by commas, each line ended by LF. */
  sha256?: string
  /** Snapshot: all peers. Remove any other. */
  peers?: Array<VpnPeer>
}

export type VpnServer = {
  /** UUIDv7, lower case. */
  id: string
  /** Unique among servers. */
  name: string
  /** Lower case letters, digits and hyphens. */
  region: string
  publicIp: string
  /** A host name or an IP address. */
  endpointHost: string
  endpointPort: number
  /** Null until the node has enrolled. */
  publicKey: string | null
  /** From /8 to /30. Must not overlap with another server. */
  subnet4: string
  /** From /32 to /104. Must not overlap with another server. */
  subnet6: string
  /** Addresses of the DNS resolvers for the configuration files. */
  dns: Array<string>
  /** Whether `dns` is not set, but follows from what the agent can do. */
  isDnsAutomatic: boolean
  /** Bytes. 1280 is the least that IPv6 allows (RFC 8200 section 5). */
  mtu: number
  /** Number of devices; at most the addresses in `subnet4`. */
  capacity: number
  /** Devices that are not revoked. */
  activeCount: number
  status: 'ACTIVE' | 'DRAINING' | 'DISABLED'
  /** By the age of the node’s last report: STALE after 60 s, OFFLINE after 5 minutes. The built-in server without a node is ONLINE. */
  health: 'ONLINE' | 'STALE' | 'OFFLINE'
  /** When its node last reported. */
  lastSeenAt: string | null
  agentVersion: string | null
  /** Increases with each change of its peers. */
  revision: number
  /** The last revision that its node has applied. */
  appliedRevision: number
  /** Peers that its node could not configure. */
  rejectedPeers: Array<{
    /** WireGuard public key in base64. */
    publicKey: string
    reason: string
  }>
}

export type VpnServerChoice = {
  /** UUIDv7, lower case. */
  id: string
  /** Unique among servers. */
  name: string
  /** Lower case letters, digits and hyphens. */
  region: string
  status: 'ACTIVE' | 'DRAINING' | 'DISABLED'
  /** By the age of the node’s last report: STALE after 60 s, OFFLINE after 5 minutes. The built-in server without a node is ONLINE. */
  health: 'ONLINE' | 'STALE' | 'OFFLINE'
  /** Whether a new device would be placed here. */
  hasRoom: boolean
}

export type VpnSession = {
  /** UUIDv7, lower case. */
  id: string
  /** UUIDv7, lower case. */
  deviceId: string
  /** UUIDv7, lower case. */
  tenantId: string
  /** UUIDv7, lower case. */
  userId: string
  /** UUIDv7, lower case. */
  serverId: string
  /** The last group of the license key. */
  licenseKeyHint: string
  /** PENDING until the first handshake. On a server without a node, ACTIVE right after the connect. */
  status: 'PENDING' | 'ACTIVE' | 'ENDED'
  source: 'CONNECT'
  connectedAt: string
  disconnectedAt: string | null
  /** NEVER_CONNECTED: no handshake within 120 s. IDLE_TIMEOUT: no handshake for 300 s. A session that ends while it is PENDING gives its use back. */
  endReason: 'CLIENT' | 'NEVER_CONNECTED' | 'IDLE_TIMEOUT' | 'DEVICE_REVOKED' | 'LICENSE_REVOKED' | 'LICENSE_EXPIRED' | 'QUOTA_EXCEEDED' | 'SERVER_DISABLED' | 'ADMIN' | null
  lastHandshakeAt: string | null
  /** Received by the server from the device. */
  rxBytes: number
  /** Sent by the server to the device. */
  txBytes: number
}

export type VpnUsageDay = {
  day: string
  /** Sessions connected on the day. */
  connections: number
  /** Bytes that the servers received in these sessions. */
  rxBytes: number
  /** Bytes that the servers sent in these sessions. */
  txBytes: number
}

export type Warning = {
  /** JSON pointer into this answer. */
  path: string
  code: string
  message: string
}

export type WebhookAttempt = {
  number: number
  startedAt: string
  durationMs: number
  /** STATUS: the response is not 2xx. REDIRECT: the response is 3xx; redirects are not followed. NAME: the host name has no address. ADDRESS: the host name has an address that is not public. CERTIFICATE: the certificate is not trusted, is for another name, or has expired. TLS: the encrypted connection failed for another reason. ANSWER: the response is not valid HTTP. */
  result: 'DELIVERED' | 'STATUS' | 'REDIRECT' | 'TIMEOUT' | 'NAME' | 'ADDRESS' | 'CONNECTION' | 'TLS' | 'CERTIFICATE' | 'ANSWER'
  /** Null: there was no response. */
  statusCode: number | null
  /** The first 1,024 characters of the response body. Null for administrators of the platform below OWNER, because a receiver may write anything into it. */
  answer: string | null
}

export type WebhookDelivery = {
  /** The `webhook-id` header, the same in all attempts. */
  messageId: string
  eventType: string
  /** FAILED: there is no further attempt unless you resend or recover it. */
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  attempts: number
  nextAttemptAt: string | null
  createdAt: string
  /** The last ten attempts, newest first. */
  tries: Array<WebhookAttempt>
}

export type WebhookEndpoint = {
  /** UUIDv7, lower case. */
  id: string
  /** With some receivers, a token in it is the only secret. Null for administrators of the platform below OWNER. */
  url: string | null
  /** The host of the URL, without its path and without parts of the name that may be a token. */
  urlHint: string
  description: string | null
  eventTypes: Array<string>
  /** The maximum number of deliveries per minute; further ones are sent later. Null: no limit. */
  ratePerMinute: number | null
  status: 'ACTIVE' | 'DISABLED'
  /** GONE: the endpoint answered 410. FAILING: every attempt failed for five days. */
  disabledReason: 'GONE' | 'FAILING' | null
  disabledAt: string | null
  /** The time of the first failure since the last success. Null: the last attempt succeeded. */
  failingSince: string | null
  /** Until then, the secret from before the rotation signs as well. */
  previousSecretUntil: string | null
  createdAt: string
  updatedAt: string
}

export type WebhookEventType = {
  type: string
  description: string
  /** An example of the request body. */
  example: {
    type: string
    timestamp: string
    data: Record<string, unknown>
  }
}
