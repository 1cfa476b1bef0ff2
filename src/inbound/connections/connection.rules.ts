import type { Channel, Scheme, SchemeName, SchemeSettings } from '../scheme.ts'

/** The schemes of this installation. */
export type Schemes = Partial<Record<SchemeName, Scheme>>

export const connectionStatuses = ['active', 'paused'] as const
export type ConnectionStatus = (typeof connectionStatuses)[number]

/** One provider's account that may deliver to a tenant, without its secrets. */
export type Connection = {
  tenantId: string
  id: string
  channel: Channel
  scheme: SchemeName
  name: string
  /** As the provider calls the account in what it sends; null: found by the address alone. */
  account: string | null
  settings: SchemeSettings
  status: ConnectionStatus
  hasSecret: boolean
  /** Its secret stands in the environment of the service: who changes it changes that. */
  isEnvironment: boolean
  /** Until then the secret before the present one holds, too. */
  previousUntil: Date | null
  lastSeenAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** `EITHER`: whoever sets the connection up may choose it. `PROVIDER`: the provider shows it. `NONE`: it signs with a key of its own. */
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
}

/** A tenant has a handful of them; this many is a program gone wrong. */
export const connectionsMax = 100
export const overlapSecondsDefault = 24 * 3600
export const overlapSecondsMax = 30 * 24 * 3600
