import type { IncomingDelivery, RawDelivery } from './incoming-delivery.ts'

/** Which of the routes a provider calls. */
export const channels = ['issue-tracker', 'chat', 'collab', 'email', 'bot'] as const
export type Channel = (typeof channels)[number]

/** How a provider signs its deliveries. A connection has exactly one scheme, and a delivery cannot choose another. */
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
  'recall',
  'attendee',
  'vexa',
  'zoom',
  'google-channel',
] as const
export type SchemeName = (typeof schemeNames)[number]

/** What a connection knows about its provider: an application id, topics, a user name. Never a secret. */
export type SchemeSettings = Record<string, string | string[]>

export type VerificationContext = {
  /** The valid secrets: the current one first, then during a rotation the previous one. */
  secrets: readonly string[]
  settings: SchemeSettings
  now: Date
}

/** Why a delivery failed verification. Only the tenant's log says it: the caller gets the same answer for all of them. */
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

/**
 * `isUnsigned`: accepted, although anybody could have sent it: a handshake before there is a secret.
 * `detail` helps the person who set up the connection ("clock skew 412 s", "computed over 1,204 bytes") and holds no secret.
 */
export type Verification =
  | { isVerified: true; isUnsigned?: true }
  | { isVerified: false; cause: FailureCause; detail: string }

/** The answer that a provider expects when it checks the address, instead of our usual one. */
export type Handshake = { contentType: 'text/plain' | 'application/json'; body: string }

/** What a verified delivery says about itself. */
export type DeliveryFacts =
  | { kind: 'handshake'; answer: Handshake }
  /** A job requests this URL once: it confirms a subscription at Amazon SNS. */
  | { kind: 'confirmation'; url: string; deliveryKey: string }
  | {
      kind: 'event'
      /** Identical in every repeat of one delivery. */
      deliveryKey: string
      /** The provider's own name, for example `jira:issue_updated` or `message`. */
      eventType: string
      /** The subject. Events of one entity are processed in the order in which they arrived. */
      entityKey: string
      occurredAt: Date | null
    }
  /** The signature is valid, but the content cannot be used. */
  | { kind: 'unusable'; detail: string }

export type Scheme = {
  name: SchemeName
  channel: Channel
  /** For people: `Jira`, `Slack`. */
  provider: string
  contentTypes: readonly string[]
  bodyBytesMax: number
  /**
   * The id of a delivery is in a header that is not signed. So a body is accepted once, whatever id it has: an attacker who captured
   * a delivery could send it again under another one.
   */
  isBodyUnique?: true
  /** The provider's account that the payload names. It is not verified: it only chooses whose secrets are tried. */
  account(delivery: IncomingDelivery): Promise<string | null>
  /** Rejects where a key cannot be fetched: the delivery is then neither valid nor invalid, and the provider sends it again. */
  verify(delivery: IncomingDelivery, context: VerificationContext): Promise<Verification>
  /** Only for verified deliveries. `secrets`: those that are valid, the current one first. */
  read(delivery: IncomingDelivery, secrets: readonly string[]): Promise<DeliveryFacts>
  /** A signed delivery as the provider would send it, for `POST .../test` and for tests; null where only the provider can sign. */
  sample(signing: { secret: string; settings: SchemeSettings; now: Date; id: string }): RawDelivery | null
}
