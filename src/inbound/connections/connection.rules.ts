import type { Channel, Scheme, SchemeName, SchemeSettings } from '../scheme.ts'

/** The schemes of this installation. */
export type Schemes = Partial<Record<SchemeName, Scheme>>

export const connectionStatuses = ['active', 'paused'] as const
export type ConnectionStatus = (typeof connectionStatuses)[number]

/** One account of a provider that may send deliveries to a tenant, without its secrets. */
export type Connection = {
  tenantId: string
  id: string
  channel: Channel
  scheme: SchemeName
  name: string
  /** Whose board shows the issues of a tracker. */
  orgId: string | null
  /** The provider's name for the account in its payloads; null: the connection is found by its address only. */
  account: string | null
  /** The integration for which it was made, and with which it goes. */
  integrationId: string | null
  settings: SchemeSettings
  status: ConnectionStatus
  hasSecret: boolean
  /** It comes from INBOUND_SECRETS and is changed there. */
  isEnvironment: boolean
  /** Until then the previous secret is valid, too. */
  previousUntil: Date | null
  lastSeenAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** `EITHER`: you choose it or we generate it. `PROVIDER`: the provider generates it. `NONE`: the provider signs with a key of its own. */
type SecretOrigin = 'EITHER' | 'PROVIDER' | 'NONE'

export const secretOrigins: Record<SchemeName, SecretOrigin> = {
  'jira-hmac': 'EITHER',
  'jira-jwt': 'PROVIDER',
  linear: 'PROVIDER',
  github: 'EITHER',
  slack: 'PROVIDER',
  'bot-framework': 'NONE',
  graph: 'EITHER',
  sns: 'NONE',
  mailgun: 'PROVIDER',
  postmark: 'EITHER',
  sendgrid: 'PROVIDER',
  recall: 'PROVIDER',
  attendee: 'PROVIDER',
  vexa: 'EITHER',
  zoom: 'PROVIDER',
  'google-channel': 'EITHER',
}

/** A tenant has a handful of connections. So many are the work of a faulty program. */
export const connectionsMax = 100
export const overlapSecondsDefault = 24 * 3600
export const overlapSecondsMax = 30 * 24 * 3600
