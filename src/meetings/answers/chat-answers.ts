import type { Jobs } from '../../jobs/jobs.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { answerText } from './drafted-answer.rules.ts'
import { draftingJob } from './drafted-answer.service.ts'
import { assignAsker, findChatAnswer, listUnsent, markSent } from './drafted-answer.store.ts'
import type { OrganizationAnswers } from './organization-answer.service.ts'

type Deps = { jobs: Jobs; organizationAnswers: Pick<OrganizationAnswers, 'listAllQuotes'> }

export type ChatAnswers = ReturnType<typeof chatAnswers>

/** Answers to questions from chats, for the service that sends them there. */
export function chatAnswers({ jobs, organizationAnswers }: Deps) {
  /** The text, made of the quotes that still exist. Null: the answer is gone, sent, or not found yet. */
  async function readText(scope: TenantScope, answerId: string): Promise<string | null> {
    const answer = await findChatAnswer(scope, answerId)
    if (answer?.waitingFor !== 'sending') return null
    return answerText(answer, await organizationAnswers.listAllQuotes(scope, answer))
  }

  /** The person who asked is this user, whose own meetings may be quoted to them alone. */
  async function assign(tx: TenantScope, answerId: string, userId: string): Promise<void> {
    if (await assignAsker(tx, answerId, userId))
      await jobs.enqueue(tx, draftingJob, { data: { answerId }, tenantId: tx.tenantId, key: answerId })
  }

  return { find: findChatAnswer, readText, assign, markSent, listUnsent }
}
