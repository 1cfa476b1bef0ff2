import type { JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { ChatAnswer, ChatAnswers } from '../../meetings/index.ts'
import { bearerRequest } from '../../providers/provider.ts'
import { answerPlace, slackAddress, slackUserUrl } from '../../providers/writers/answers.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type Scope, type TenantScope, transaction } from '../../storage/scope.ts'
import { GrantFailure } from '../tokens/grant-failure.ts'
import type { CallApi } from '../tokens/provider-calls.ts'
import type { Actions } from './action.service.ts'
import { findAnswering } from './action.store.ts'

/** Asks Slack who asked. */
export const askerJob: JobKind<{ answerId: string }> = {
  name: 'integrations.asker.find',
  attemptsMax: 4,
  backoffSeconds: 10,
  timeoutSeconds: 60,
}

/** What was asked longer ago is not answered when an account is connected. */
const waitingMs = 24 * 3600_000
const waitingMax = 100

type Deps = {
  clock: Clock
  events: EventBus
  jobs: Jobs
  callApi: CallApi
  actions: Pick<Actions, 'add'>
  chatAnswers: ChatAnswers
  /** The user with this address, if it is verified. */
  findVerifiedUser(scope: TenantScope, address: string): Promise<string | null>
}

/** Sends answers to questions from a chat into their threads, by an account with the feature `answer`. */
export function answerSender({ clock, events, jobs, callApi, actions, chatAnswers, findVerifiedUser }: Deps) {
  async function offer(tx: TenantScope, answer: ChatAnswer): Promise<void> {
    const place = answerPlace(answer)
    if (place === null) return
    const { provider, accountId, target } = place
    const { id, userId, orgId, askerId, isDirect } = answer
    // What is theirs may be said to them alone by any account of the workspace.
    const isOwnQuestion = isDirect && askerId !== null && askerId === userId
    const owner = isOwnQuestion ? null : { userId, orgId }
    const integrationId = await findAnswering(tx, { provider, accountId, owner })
    if (integrationId !== null)
      await actions.add(tx, { integrationId, action: 'send_answer', subjectId: id, target, userId: null })
  }

  const enqueueAsker = (tx: Scope, tenantId: string, answerId: string): Promise<void> =>
    jobs.enqueue(tx, askerJob, { data: { answerId }, tenantId })

  events.on('answer.drafted', async (tx, { tenantId, answerId }) => {
    const scope = inTenant(tx, tenantId)
    const answer = await chatAnswers.find(scope, answerId)
    if (answer !== null) await offer(scope, answer)
  })
  events.on('answer.asker.unknown', (tx, { tenantId, answerId }) => enqueueAsker(tx, tenantId, answerId))
  /** What was asked before an account could answer. */
  const offerEarlier = async (tx: Scope, { tenantId }: { tenantId: string }) => {
    const scope = inTenant(tx, tenantId)
    const since = new Date(clock.now().getTime() - waitingMs)
    for (const answer of await chatAnswers.listUnsent(scope, { since, limit: waitingMax }))
      if (answer.waitingFor === 'sending') await offer(scope, answer)
      else if (answer.isDirect) await enqueueAsker(tx, tenantId, answer.id)
  }
  events.on('integration.connected', offerEarlier)
  events.on('integration.updated', offerEarlier)

  /** Who asked in a direct message is the user with the same address, if it is confirmed here and at Slack. */
  async function findAsker({ scope, data }: JobRun<{ answerId: string }>): Promise<void> {
    if (scope.kind !== 'tenant') return
    const answer = await chatAnswers.find(scope, data.answerId)
    if (answer?.waitingFor !== 'user' || !answer.isDirect) return
    const place = answerPlace(answer)
    if (place?.provider !== 'slack') return
    const integrationId = await findAnswering(scope, { ...place, owner: null })
    if (integrationId === null) return
    const address = await findAddress(scope, integrationId, answer.askedBy)
    const userId = address === null ? null : await findVerifiedUser(scope, address)
    if (userId !== null) await transaction(scope, (tx) => chatAnswers.assign(tx, answer.id, userId))
  }

  async function findAddress(scope: TenantScope, integrationId: string, askedBy: string): Promise<string | null> {
    try {
      const { status, body } = await callApi(scope, integrationId, (token) =>
        bearerRequest(token, slackUserUrl(askedBy)),
      )
      if (status === 429 || status >= 500) throw new Error(`Slack answered ${status}.`)
      return status < 300 ? slackAddress(body) : null
    } catch (error) {
      // It is asked again when the account is connected again.
      if (error instanceof GrantFailure && ['REAUTH_REQUIRED', 'GONE'].includes(error.reason)) return null
      throw error
    }
  }

  return { findAsker }
}
