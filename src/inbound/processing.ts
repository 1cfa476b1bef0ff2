import type { TenantScope } from '../storage/scope.ts'
import type { IssueForm, MailForm, MentionForm } from './readers/normal-form.ts'
import type { Channel, SchemeName, SchemeSettings } from './scheme.ts'

/** A stored delivery as what processes it sees it. */
export type Received = {
  id: string
  connectionId: string
  /** Of the connection, as they are at this try. */
  settings: SchemeSettings
  scheme: SchemeName
  channel: Channel
  eventType: string
  entityKey: string
  occurredAt: Date | null
  receivedAt: Date
  body: Buffer
  contentType: string
  /** 1 at the first try; a replay begins at 1 again. */
  attempt: number
}

/** One thing that a delivery led to. `PENDING`: it waits for something that is not connected yet, and is not lost. */
export type Effect = {
  kind: 'task' | 'answer' | 'message'
  action: 'created' | 'updated' | 'unchanged' | 'drafted' | 'stored'
  targetId: string
  status: 'DONE' | 'PENDING'
  /** What a pending one waits for, in words for people. */
  reason?: string
}

export type Outcome = { kind: 'processed'; effects: Effect[] } | { kind: 'ignored'; reason: string }

/** What never gets better by another try: such a delivery is dead at once. */
export class Unprocessable extends Error {}

/**
 * What a delivery leads to, in one transaction: `tx` is that transaction. Run again for the same delivery (a second try,
 * a replay) it changes nothing more: every effect carries an idempotency key of its own.
 */
export type Process = (tx: TenantScope, received: Received) => Promise<Outcome>

/** What follows from a delivery that was read, in the transaction of `Process`; each is given by the capability it concerns. */
export type Handle<Form> = (tx: TenantScope, received: Received, form: Form) => Promise<Outcome>
export type HandleIssue = Handle<IssueForm>
export type HandleMention = Handle<MentionForm>
export type HandleMail = Handle<MailForm>
export type Handlers = { issue: HandleIssue; mention: HandleMention; mail: HandleMail }
