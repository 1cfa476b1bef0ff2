import type { TenantScope } from '../storage/scope.ts'
import type {
  BotHint,
  ChangeNotification,
  ChatMention,
  IntegrationHint,
  IssueUpdate,
  MailReport,
  ReceivedMail,
} from './readers/normalized-delivery.ts'
import type { Channel, SchemeName, SchemeSettings } from './scheme.ts'

/** A stored delivery that is being processed. */
export type ReceivedDelivery = {
  id: string
  connectionId: string
  /** The organization of the connection, and its settings, at the time of this attempt. */
  orgId: string | null
  /** Of a connection that was made for an integration. */
  integrationId: string | null
  settings: SchemeSettings
  scheme: SchemeName
  channel: Channel
  eventType: string
  entityKey: string
  occurredAt: Date | null
  receivedAt: Date
  body: Buffer
  contentType: string
  /** 1 for the first attempt. A replay begins with 1 again. */
  attempt: number
}

/** One change that a delivery caused. `PENDING`: it waits for something that is not connected yet, and is not lost. */
export type Effect = {
  kind: 'task' | 'answer' | 'message'
  action: 'created' | 'updated' | 'unchanged' | 'drafted' | 'stored'
  targetId: string
  status: 'DONE' | 'PENDING'
  /** What a pending effect waits for, as text for people. */
  reason?: string
}

export type Outcome = { kind: 'processed'; effects: Effect[] } | { kind: 'ignored'; reason: string }

/** An error that no further attempt would avoid: the delivery is dead at once. */
export class Unprocessable extends Error {}

/**
 * Reads a delivery before any transaction, because a mail may take long, and returns what applies its effects. Applying
 * them again for the same delivery (another attempt, a replay) changes nothing more: every effect has its own idempotency
 * key.
 */
export type Process = (received: ReceivedDelivery) => Promise<ApplyEffects>
export type ApplyEffects = (tx: TenantScope) => Promise<Outcome>

/** Handles the content of a delivery in the transaction of `ApplyEffects`. Other capabilities provide the handlers. */
export type Handle<Content> = (tx: TenantScope, received: ReceivedDelivery, content: Content) => Promise<Outcome>
export type HandleIssue = Handle<IssueUpdate>
export type HandleMention = Handle<ChatMention>
/** Reads and checks a mail before the transaction, because name servers may take long. */
export type HandleMail = (received: ReceivedDelivery, content: ReceivedMail) => Promise<ApplyEffects>
export type HandleMailReport = Handle<MailReport>
/** False: no bot is known by this id. */
export type HandleBotHint = (tx: TenantScope, hint: BotHint) => Promise<boolean>
/** False: no integration reads there. */
export type HandleIntegrationHint = (
  tx: TenantScope,
  received: Pick<ReceivedDelivery, 'integrationId'>,
  hint: IntegrationHint | ChangeNotification,
) => Promise<boolean>
export type Handlers = {
  issue: HandleIssue
  mention: HandleMention
  mail: HandleMail
  mailReport: HandleMailReport
  botHint: HandleBotHint
  integrationHint: HandleIntegrationHint
}
