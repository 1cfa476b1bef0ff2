import type { ExhaustedJob, JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'
import type { Citation } from '../message.rules.ts'
import type { Suppressions } from '../suppressions/suppression.service.ts'
import { answerText, replySubject, signed } from './answer-text.rules.ts'
import type { AnswersForReaders, CitedPlace, DraftedAnswer, KnowledgeQuote } from './answers.ts'
import { referencesMax } from './draft.rules.ts'
import { discardDraftsOfThread, insertDraft } from './draft.store.ts'
import type { Examined, ReplySettings } from './examination.ts'
import { retrieved } from './examination.ts'
import type { ReceivedMail } from './received-mail.ts'
import type { Recipients } from './recipients.ts'
import { lockUnprocessed, saveDead, saveProcessed } from './reply.store.ts'
import { replyCaps } from './reply-caps.rules.ts'
import { takeReply } from './reply-count.store.ts'
import { decidingCause, type Trace, type TraceLine, traceOutcome } from './trace.rules.ts'
import type { Release, WriteNotice } from './write-notice.ts'

declare module '../../storage/events.ts' {
  interface DomainEvents {
    /** An answer to a mail waits for approval. */
    'mail.drafted': { tenantId: string; orgId: string | null; messageId: string }
  }
}

export const answerMail: JobKind<{ messageId: string }> = {
  name: 'email.mail.answer',
  attemptsMax: 8,
  backoffSeconds: 15,
  timeoutSeconds: 120,
}

export type ReplyDeps = {
  clock: Clock
  jobs: Jobs
  events: EventBus
  suppressions: Pick<Suppressions, 'hold'>
  answers: Pick<AnswersForReaders, 'hold'>
  recipients: Pick<Recipients, 'choose' | 'join'>
  writeNotice: WriteNotice
  examine(
    scope: TenantScope,
    mail: ReceivedMail,
    with_: { settings: ReplySettings; isPreview: boolean },
  ): Promise<Examined>
  readSettings(scope: TenantScope, owner: Owner): Promise<ReplySettings & { address: string | null }>
  loadReceived(scope: TenantScope, id: string): Promise<ReceivedMail | null>
  release: Release
  /** Takes one of the mails that the tenant may send today. False: there is none left. */
  takeOfDay(tx: TenantScope): Promise<boolean>
}

type HeldPart = DraftedAnswer['parts'][number]

/** `draft`: what would be sent, or wait for a person. */
export type ForeseenReply = { trace: Trace; draft: { to: string; subject: string; text: string } | null }

export type Replies = ReturnType<typeof replyService>

/** Answers mails. It never acts on what a mail says: it reads, searches and writes. */
export function replyService(deps: ReplyDeps) {
  const { clock, jobs, events, answers } = deps

  /** Call it in the transaction that stores a mail. */
  const onReceived = (tx: TenantScope, { messageId }: { messageId: string }): Promise<void> =>
    jobs.enqueue(tx, answerMail, { data: { messageId }, tenantId: tx.tenantId })

  /** Can run twice for a mail: it is answered once. */
  async function answer({ scope, data: { messageId } }: JobRun<{ messageId: string }>): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A mail belongs to a tenant.')
    const mail = await deps.loadReceived(scope, messageId)
    if (mail === null) return transaction(scope, (tx) => leaveAlone(tx, messageId))
    const owner = { ownerId: mail.ownerId ?? scope.tenantId, orgId: mail.orgId }
    const settings = await deps.readSettings(scope, owner)
    const examined = await deps.examine(scope, mail, { settings, isPreview: false })
    await transaction(scope, async (tx) => {
      if (!(await lockUnprocessed(tx, mail.id))) return
      const { replyText, automatic } = examined
      // What a program or a stranger sends ends no draft.
      const endsDrafts = traceOutcome(examined.trace) !== 'ignored' || stops(mail, examined)
      if (mail.threadId !== null && endsDrafts) await discardDraftsOfThread(tx, mail.threadId)
      const trace = await settle(tx, { mail, owner, settings, examined })
      const outcome = traceOutcome(trace)
      await saveProcessed(tx, { id: mail.id, outcome, cause: decidingCause(trace), trace, replyText, automatic })
    })
  }

  /** A mail whose bytes are gone, or took too long to read this time, ends as well. */
  async function leaveAlone(tx: TenantScope, id: string): Promise<void> {
    if (!(await lockUnprocessed(tx, id))) return
    const detail = 'The mail could not be read again.'
    const trace: Trace = [{ step: 'parsed', result: 'stopped', cause: 'QUARANTINED', detail }]
    await saveProcessed(tx, { id, outcome: 'ignored', cause: 'QUARANTINED', trace, replyText: '', automatic: null })
  }

  /** The last attempt failed. The mail ends, and can be tried again by people. */
  async function giveUp({ scope, data }: ExhaustedJob<object>): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A mail belongs to a tenant.')
    const detail = 'All attempts to look at the mail failed.'
    const trace: Trace = [{ step: 'parsed', result: 'stopped', cause: 'UNAVAILABLE', detail }]
    await saveDead(scope, { id: (data as { messageId: string }).messageId, trace })
  }

  type Settling = {
    mail: ReceivedMail
    owner: Owner
    settings: ReplySettings & { address: string | null }
    examined: Examined
  }

  /** Writes the answer, if there is to be one. Returns the whole trace. */
  async function settle(tx: TenantScope, { mail, owner, settings, examined }: Settling): Promise<Trace> {
    if (stops(mail, examined)) await stop(tx, mail, owner)
    if (traceOutcome(examined.trace) === 'ignored') return examined.trace
    const { parts, engine } = await holdBest(tx, { orgId: mail.orgId, examined })
    const found = examined.trace.map((line) =>
      line.step === 'retrieved' ? retrieved(parts.reduce((sum, { quotes }) => sum + quotes.length, 0)) : line,
    )
    const drafted: TraceLine = { step: 'drafted', result: 'passed', cause: null, detail: `Written by: ${engine}.` }
    const trace = await decideSending(tx, [...found, drafted], { mail, owner, settings })
    await write(tx, { mail, owner, settings, parts, trace })
    return trace
  }

  /** Ends all mails to the sender, with one that says so: an address that is held back already gets none. */
  async function stop(tx: TenantScope, mail: ReceivedMail, owner: Owner): Promise<void> {
    const held = await deps.suppressions.hold(tx, { owner, address: mail.from, reason: 'unsubscribed' })
    if (held === null || mail.ownerId === null || mail.isStranger) return
    const message = { ...mail, ...owner, from: { address: mail.from } }
    await deps.writeNotice(tx, { message, text: stopped, purpose: 'UNSUBSCRIBED' })
  }

  /** The first of the answers of which something is left, as its readers may read it at this moment. */
  async function holdBest(
    tx: TenantScope,
    { orgId, examined }: { orgId: string | null; examined: Examined },
  ): Promise<{ parts: HeldPart[]; engine: string }> {
    for (const draft of orgId === null ? [] : examined.drafts) {
      if (!draft.found) continue
      const quotes = draft.parts.flatMap((part) => part.quotes)
      const held = await answers.hold(tx, { orgId: orgId as string, reader: examined.reader }, quotes)
      const parts = keepHeld(draft, new Map(quotes.map((quote, index) => [quote, held[index] ?? null])))
      if (parts.length > 0) return { parts, engine: draft.engine }
    }
    return { parts: [], engine: 'local' }
  }

  async function decideSending(
    tx: TenantScope,
    trace: Trace,
    { mail, owner, settings }: Omit<Settling, 'examined'>,
  ): Promise<Trace> {
    const mode = modeLine(settings)
    if (mode.result === 'held' || traceOutcome(trace) === 'draft') return [...trace, mode]
    const reached =
      (await takeReply(tx, replyCaps({ mail, ...owner, replies: settings.replies, now: clock.now() }))) ??
      ((await deps.takeOfDay(tx)) ? null : 'maxMailsPerDay')
    if (reached === null) return [...trace, mode]
    const detail = `As many answers as may be sent by themselves were sent (${reached}).`
    const spent: TraceLine = { step: 'quota', result: 'held', cause: 'QUOTA_SPENT', detail }
    return [...trace.map((line) => (line.step === 'quota' ? spent : line)), mode]
  }

  type Writing = Omit<Settling, 'examined'> & { parts: readonly HeldPart[]; trace: Trace }

  async function write(tx: TenantScope, { mail, owner, settings, parts, trace }: Writing): Promise<void> {
    const now = clock.now()
    const id = newId(now)
    const outcome = traceOutcome(trace)
    const quotes = parts.flatMap((part) => part.quotes)
    const to = await deps.recipients.choose(tx, { mail, replies: settings.replies, parts })
    await insertDraft(tx, {
      ...{ id, ...owner, threadId: mail.threadId, answersId: mail.id, now },
      from: settings.identity.fromAddress ?? settings.address ?? '',
      to,
      subject: replySubject(mail.subject),
      text: answerText(parts, settings.identity.signature),
      inReplyTo: mail.messageId,
      references: [...mail.references, ...(mail.messageId === null ? [] : [mail.messageId])].slice(-referencesMax),
      citations: quotes.map(toCitation),
      places: quotes.map(toPlace),
      cause: decidingCause(trace),
    })
    await deps.recipients.join(tx, { mail, to })
    if (outcome === 'sent') return void (await deps.release(tx, { messageId: id, isAutomatic: true }))
    await events.emit(tx, 'mail.drafted', { tenantId: tx.tenantId, orgId: owner.orgId, messageId: id })
  }

  /** What would become of a mail. Changes and counts nothing. */
  async function foresee(scope: TenantScope, mail: ReceivedMail, owner: Owner): Promise<ForeseenReply> {
    const settings = await deps.readSettings(scope, owner)
    const examined = await deps.examine(scope, mail, { settings, isPreview: true })
    const reply = { to: mail.from, subject: replySubject(mail.subject) }
    if (traceOutcome(examined.trace) === 'ignored') {
      const isStopped = stops(mail, examined) && !examined.isSuppressed && !mail.isStranger
      const text = signed(stopped, settings.identity.signature)
      return { trace: examined.trace, draft: isStopped ? { ...reply, text } : null }
    }
    const [best] = examined.drafts
    const parts = best?.found ? best.parts : []
    const drafted: TraceLine = { step: 'drafted', result: 'passed', cause: null, detail: 'Written by: local.' }
    const text = answerText(parts, settings.identity.signature)
    return { trace: [...examined.trace, drafted, modeLine(settings)], draft: { ...reply, text } }
  }

  const modeLine = ({ replies }: ReplySettings): TraceLine =>
    replies.mode === 'send'
      ? { step: 'mode', result: 'passed', cause: null, detail: 'Answers are sent automatically.' }
      : { step: 'mode', result: 'held', cause: 'MODE_DRAFT', detail: 'A person approves every answer.' }

  return { onReceived, answer, giveUp, foresee }
}

/** Only who proves to be the owner of an address can end its mails. */
const stops = (mail: ReceivedMail, { asksToStop, automatic }: Examined): boolean =>
  asksToStop && mail.authenticity === 'pass' && automatic === null

const stopped = 'You will get no more mails from us. An administrator can undo this.'

/** Without the sentences that rest on something that is gone or closed. */
function keepHeld({ parts }: DraftedAnswer, held: ReadonlyMap<KnowledgeQuote, KnowledgeQuote | null>): HeldPart[] {
  return parts.flatMap(({ text, quotes }) => {
    const current = quotes.flatMap((quote) => held.get(quote) ?? [])
    return quotes.length > 0 && current.length === quotes.length ? [{ text, quotes: current }] : []
  })
}

function toCitation({ kind, itemId, quote, page, timestamp }: HeldPart['quotes'][number]): Citation {
  return { kind, id: itemId, quote, offsetMs: timestamp === null ? null : offsetMs(timestamp), page }
}

function toPlace({ kind, itemId, version, place, start, end }: CitedPlace): CitedPlace {
  return { kind, itemId, version, place, start, end }
}

/** Of `HH:MM:SS`. */
function offsetMs(timestamp: string): number {
  return timestamp.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0) * 1000
}
