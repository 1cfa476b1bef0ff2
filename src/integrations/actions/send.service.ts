import type { JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { ChatAnswers } from '../../meetings/index.ts'
import type { ProviderRequest } from '../../providers/provider.ts'
import { ProviderUnreachable, type ReceivedAnswer } from '../../providers/provider-http.ts'
import { retryAt } from '../../providers/retry-after.rules.ts'
import type { TaskText, WriteOutcome, Writer, Written } from '../../providers/writers/writer.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Integration } from '../integrations/integration.rules.ts'
import { findIntegration } from '../integrations/integration.store.ts'
import { GrantFailure } from '../tokens/grant-failure.ts'
import type { CallApi } from '../tokens/provider-calls.ts'
import { type Action, actionKinds, nextTry, reauthWaitMs } from './action.rules.ts'
import { findByKey, lockAction, saveAction } from './action.store.ts'
import type { ContentReader } from './content.ts'
import type { IssueFollower } from './issue-follower.ts'
import { type ActionContext, writerOf } from './writers.ts'

/** Its own retries are for workers that died. Others are made of the action's state. */
export const sendJob: JobKind<{ actionId: string }> = {
  name: 'integrations.action.send',
  attemptsMax: 6,
  backoffSeconds: 20,
  timeoutSeconds: 150,
}

const heldTriesMax = 50
/** How long a change waits for the page that it is about, at least. */
const pageWaitMs = 10_000
/** Longer than an attempt may take. */
const leaseMs = 160_000

export type SendDeps = {
  clock: Clock
  events: EventBus
  jobs: Jobs
  callApi: CallApi
  content: ContentReader
  issues: Pick<IssueFollower, 'sending' | 'created' | 'failed'>
  updateIssue: Writer<TaskText, ActionContext>
  chatAnswers: Pick<ChatAnswers, 'markSent'>
}

/** Nothing to try with. */
class Ended extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

export type Sender = ReturnType<typeof sendService>

/** Sends actions, each once, also where an answer is lost or the process dies in the middle. */
export function sendService({ clock, events, jobs, callApi, content, issues, updateIssue, chatAnswers }: SendDeps) {
  const enqueue = (tx: TenantScope, actionId: string, runAt: Date | null): Promise<void> =>
    jobs.enqueue(tx, sendJob, {
      data: { actionId },
      tenantId: tx.tenantId,
      id: newId(clock.now()),
      ...(runAt === null ? {} : { runAt }),
    })

  async function run({ scope, data }: JobRun<{ actionId: string }>): Promise<void> {
    if (scope.kind !== 'tenant') return
    const action = await claim(scope, data.actionId)
    if (action === null) return
    try {
      await attempt(scope, action)
    } catch (error) {
      if (error instanceof Ended) return end(scope, action, { status: 'failed', cause: error.reason })
      if (error instanceof GrantFailure) return pause(scope, action, error)
      // The lease ends by itself, and the job's retry finds what was sent.
      throw error
    }
  }

  /**
   * Takes the action for this worker. Null: it is done, or somebody else sends it. Whether it is time is not asked: nodes whose
   * clocks differ would lose its job.
   */
  const claim = (scope: TenantScope, id: string): Promise<Action | null> =>
    transaction(scope, async (tx) => {
      const action = await lockAction(tx, id)
      const now = clock.now()
      if (action === null || !['queued', 'uncertain', 'sending'].includes(action.status)) return null
      if (action.leasedUntil !== null && action.leasedUntil > now) {
        if (action.status === 'sending') await enqueue(tx, id, action.leasedUntil)
        return null
      }
      const leasedUntil = new Date(now.getTime() + leaseMs)
      const claimed = { ...action, status: 'sending' as const, attempts: action.attempts + 1, leasedUntil }
      await saveAction(tx, claimed, now)
      return claimed
    })

  async function attempt(scope: TenantScope, action: Action): Promise<void> {
    const integration = await findIntegration(scope, action.integrationId)
    if (integration === null) throw new Ended('DISCONNECTED')
    if (integration.status !== 'active') throw new GrantFailure('REAUTH_REQUIRED')
    const { feature } = actionKinds[action.action]
    if (integration.features.find(({ name }) => name === feature)?.status !== 'on') throw new Ended('SCOPE_MISSING')
    const writer = action.action === 'update_issue' ? updateIssue : writerOf(integration.provider, action.action)
    if (writer === null) throw new Ended('UNSUPPORTED')
    if (action.action === 'update_export' && action.externalId === null) return startUpdate(scope, action)
    const text = await content.read(scope, action)
    if (text === null) throw new Ended('SUBJECT_GONE')
    const earlier = action.sentAt
    if (earlier !== null && writer.look !== null) {
      const looked = await look(scope, { action, integration, writer, text, sentAt: earlier })
      if (looked !== 'absent') return
    }
    await send(scope, { action, integration, writer, text })
  }

  /** Its meeting changed while the page was being written for the first time: it waits for that. */
  async function startUpdate(scope: TenantScope, action: Action): Promise<void> {
    const page = await findByKey(scope, { ...action, action: 'export_meeting' })
    if (page === null || page.status === 'failed' || page.status === 'cancelled') throw new Ended('SUBJECT_GONE')
    const { externalId, externalUrl } = page
    if (externalId !== null) return attempt(scope, { ...action, externalId, externalUrl })
    const soon = new Date(clock.now().getTime() + pageWaitMs)
    const at = page.nextTryAt !== null && page.nextTryAt > soon ? page.nextTryAt : soon
    await later(scope, { ...action, attempts: action.attempts - 1 }, { status: 'queued', at })
  }

  // biome-ignore lint/suspicious/noExplicitAny: a writer and its content belong together by the table of writers
  type Sending = { action: Action; integration: Integration; writer: Writer<any, ActionContext>; text: unknown }

  /** Whether an earlier request has written it. Ends the action if so, or if nobody can tell. */
  async function look(
    scope: TenantScope,
    { action, integration, writer, text, sentAt }: Sending & { sentAt: Date },
  ): Promise<'absent' | 'settled'> {
    const visibleAt = new Date(sentAt.getTime() + writer.lagSeconds * 1000)
    if (visibleAt > clock.now()) {
      await later(scope, { ...action, attempts: action.attempts - 1 }, { status: 'uncertain', at: visibleAt })
      return 'settled'
    }
    const { context, held, lastStatus } = contextOf(scope, { action, integration, sentAt })
    const found = await writer.look?.(context, text).catch((error: unknown) => {
      if (error instanceof ProviderUnreachable) return null
      throw error
    })
    if (found?.kind === 'absent') return 'absent'
    if (found?.kind === 'found') await done(scope, action, found.written)
    else if (found?.kind === 'unknown' && lastStatus() === 403) throw new Ended('UNKNOWN_OUTCOME')
    else await later(scope, action, { status: 'uncertain', at: held() })
    return 'settled'
  }

  async function send(scope: TenantScope, { action, integration, writer, text }: Sending): Promise<void> {
    const now = clock.now()
    // Before the request, so that it is known after a crash.
    const sending = { ...action, sentAt: now }
    await transaction(scope, async (tx) => {
      if (action.action === 'create_issue')
        await issues.sending(tx, action, { provider: integration.provider, text: text as TaskText })
      // What was asked for again since it was claimed still is.
      const status = (await lockAction(tx, action.id))?.status ?? action.status
      await saveAction(tx, { ...sending, status }, now)
    })
    const { context, held } = contextOf(scope, { action: sending, integration, sentAt: now })
    let outcome: WriteOutcome
    try {
      outcome = await writer.write(text, context)
    } catch (error) {
      if (error instanceof GrantFailure) {
        // Nothing was sent this time.
        await transaction(scope, (tx) => saveAction(tx, action, clock.now()))
        throw error
      }
      if (!(error instanceof ProviderUnreachable)) throw error
      outcome = { kind: 'unknown' }
    }
    if (outcome.kind === 'written') return done(scope, sending, outcome.written)
    if (outcome.kind === 'unsent')
      return later(scope, action, { status: action.sentAt === null ? 'queued' : 'uncertain', at: null })
    if (outcome.kind === 'unknown') return later(scope, sending, { status: 'uncertain', at: null })
    if (outcome.status === 429) return later(scope, action, { status: 'queued', at: held() })
    throw new Ended(outcome.status === 403 ? 'SCOPE_MISSING' : `REFUSED_${outcome.status}`)
  }

  function contextOf(
    scope: TenantScope,
    { action, integration, sentAt }: Pick<Sending, 'action' | 'integration'> & { sentAt: Date },
  ): { context: ActionContext; held(): Date | null; lastStatus(): number } {
    let heldUntil: Date | null = null
    let status = 0
    const call = async (toRequest: (token: string) => ProviderRequest): Promise<ReceivedAnswer> => {
      const answer = await callApi(scope, integration.id, toRequest)
      heldUntil = retryAt(answer, clock.now())
      status = answer.status
      return answer
    }
    const account = { id: integration.accountId, name: integration.accountName }
    const context = { scope, action, integration, account, sentAt, call }
    return { context, held: () => heldUntil, lastStatus: () => status }
  }

  /** What was asked for again while it was being sent, with what it was about then, has another turn. */
  const done = (scope: TenantScope, action: Action, written: Written): Promise<void> =>
    transaction(scope, async (tx) => {
      // Tasks and answers are locked before actions.
      if (action.action === 'create_issue') await issues.created(tx, action, written)
      if (action.action === 'send_answer') await chatAnswers.markSent(tx, action.subjectId)
      const current = await lockAction(tx, action.id)
      if (current === null) return
      const { externalId, externalUrl } = written
      const sent = { ...current, externalId, externalUrl, cause: null, leasedUntil: null, nextTryAt: null }
      if (current.status === 'queued') return restart(tx, sent)
      await saveAction(tx, { ...sent, status: 'done', attempts: action.attempts }, clock.now())
    })

  /** It was asked for again while it was being sent, with what it was about then. */
  async function restart(tx: TenantScope, action: Action): Promise<void> {
    await saveAction(tx, { ...action, attempts: 0, leasedUntil: null, nextTryAt: null }, clock.now())
    await enqueue(tx, action.id, null)
  }

  async function end(
    scope: TenantScope,
    action: Action,
    { status, cause }: Pick<Action, 'status' | 'cause'>,
  ): Promise<void> {
    await transaction(scope, async (tx) => {
      await issues.failed(tx, action)
      const current = await lockAction(tx, action.id)
      if (current === null) return
      if (current.status === 'queued') return restart(tx, current)
      await saveAction(tx, { ...current, status, cause, leasedUntil: null, nextTryAt: null }, clock.now())
      const { tenantId, integrationId, id: actionId } = current
      await events.emit(tx, 'integration.action.failed', { tenantId, integrationId, actionId })
    })
  }

  /** Tries again at that time, or when the table of waits says so; fails after the last try. */
  async function later(
    scope: TenantScope,
    action: Action,
    { status, at }: { status: 'queued' | 'uncertain'; at: Date | null },
  ): Promise<void> {
    // A provider that asks to wait is waited for, but not for ever.
    const next = action.attempts < heldTriesMax ? (at ?? nextTry(action.attempts, clock.now())) : null
    if (next === null) {
      const cause = status === 'uncertain' ? 'UNKNOWN_OUTCOME' : 'PROVIDER_UNAVAILABLE'
      return end(scope, action, { status: 'failed', cause })
    }
    await transaction(scope, async (tx) => {
      await saveAction(tx, { ...action, status, leasedUntil: null, nextTryAt: next }, clock.now())
      await enqueue(tx, action.id, next)
    })
  }

  /** No request was made: the action waits for its grant, for the provider, or for its turn. */
  async function pause(scope: TenantScope, action: Action, failure: GrantFailure): Promise<void> {
    const status = action.sentAt === null ? 'queued' : 'uncertain'
    if (failure.reason === 'GONE') return end(scope, action, { status: 'failed', cause: 'DISCONNECTED' })
    if (failure.reason === 'HELD_UP') return later(scope, action, { status, at: failure.retryAt })
    if (failure.reason !== 'REAUTH_REQUIRED') return later(scope, action, { status, at: null })
    const now = clock.now()
    const waitsUntil = new Date(action.createdAt.getTime() + reauthWaitMs)
    if (waitsUntil <= now) return end(scope, action, { status: 'failed', cause: 'REAUTH_REQUIRED' })
    // It continues when the account is connected again.
    const waiting = { status, attempts: 0, leasedUntil: null, nextTryAt: null, cause: 'REAUTH_REQUIRED' } as const
    await transaction(scope, async (tx) => {
      await saveAction(tx, { ...action, ...waiting }, now)
      await enqueue(tx, action.id, waitsUntil)
    })
  }

  return { run, enqueue }
}
