/** Which of the four routes a provider calls. */
export const channels = ['issue-tracker', 'chat', 'collab', 'email'] as const
export type Channel = (typeof channels)[number]

/** How a provider proves that a delivery is its own. A connection has exactly one: what arrives cannot choose another. */
export const schemeNames = [
  'jira-hmac',
  'jira-jwt',
  'linear',
  'github',
  'slack',
  'bot-framework',
  'graph',
  'sns',
  'mailgun',
  'postmark',
  'sendgrid',
] as const
export type SchemeName = (typeof schemeNames)[number]

/** A request as it came. Header names are in lower case; a header that came more than once is a list. */
export type RawDelivery = {
  body: Buffer
  /** Lower case, without parameters; `boundary` of a multipart type is in `headers`. */
  contentType: string
  headers: Record<string, string | string[] | undefined>
  query: Record<string, string | undefined>
}

/** What a connection knows of its provider: an application id, topics, a user name. Never a secret. */
export type SchemeSettings = Record<string, string | string[]>

export type Verifying = {
  /** Those that hold now: the current one first, and during a rotation the one before. */
  secrets: readonly string[]
  settings: SchemeSettings
  now: Date
}

/** Why a delivery was refused: for the tenant's log alone, the caller sees one answer for all of them. */
export const failureCauses = [
  'SIGNATURE_MISSING',
  'SIGNATURE_MALFORMED',
  'SIGNATURE_MISMATCH',
  'TIMESTAMP_MISSING',
  'TIMESTAMP_STALE',
  'TOKEN_EXPIRED',
  'ISSUER_MISMATCH',
  'AUDIENCE_MISMATCH',
  'KEY_UNKNOWN',
  'SERVICE_URL_MISMATCH',
  'ENDORSEMENT_MISSING',
  'CERTIFICATE_REFUSED',
  'TOPIC_UNKNOWN',
  'UNREADABLE',
] as const
export type FailureCause = (typeof failureCauses)[number]

/** `detail` helps who set the connection up ("clock skew 412 s", "computed over 1,204 bytes") and holds no secret. */
export type Verification = { isVerified: true } | { isVerified: false; cause: FailureCause; detail: string }

/** An answer that a provider asks for before it sends anything, in place of ours. */
export type Handshake = { contentType: 'text/plain' | 'application/json'; body: string }

/** What a verified delivery is. */
export type DeliveryFacts =
  | { kind: 'handshake'; answer: Handshake }
  /** To be fetched by a job, once: how Amazon SNS is told that a topic is wanted. */
  | { kind: 'confirmation'; url: string; deliveryKey: string }
  | {
      kind: 'event'
      /** The same for every repeat of one delivery. */
      deliveryKey: string
      /** As the provider says it, for example `jira:issue_updated`, `message`. */
      eventType: string
      /** What it is about: events of one entity are processed in the order in which they came. */
      entityKey: string
      occurredAt: Date | null
    }
  /** The signature holds and what was signed cannot be used. */
  | { kind: 'unusable'; detail: string }

export type Scheme = {
  name: SchemeName
  channel: Channel
  /** For people: `Jira`, `Slack`. */
  provider: string
  contentTypes: readonly string[]
  bodyBytesMax: number
  /** Which account of the provider the payload names, unverified: it only chooses whose secret is tried. */
  accountOf(raw: RawDelivery): string | null
  /** Refuses UNAVAILABLE where a key has to be fetched and cannot be: such a delivery is neither good nor bad, and is sent again. */
  verify(raw: RawDelivery, verifying: Verifying): Promise<Verification>
  /** Only of a verified delivery. */
  read(raw: RawDelivery): DeliveryFacts
  /** A delivery as the provider would send it, really signed, for `test` of a connection and for tests; null where only the provider can sign. */
  sample(signing: { secret: string; settings: SchemeSettings; now: Date; id: string }): RawDelivery | null
}
