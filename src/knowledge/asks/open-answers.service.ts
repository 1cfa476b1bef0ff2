import type { FairLimit } from '../../kernel/fair-limit.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { CitedPlace, Quote } from '../search/passage.rules.ts'
import type { PassageReader } from '../search/passages.ts'
import type { Searching } from '../search/search.service.ts'
import type { Asking } from '../search/visible.store.ts'
import { answerFromPassages } from './question-passages.ts'

export type OpenAnswerDeps = {
  members: Pick<OrganizationMembers, 'hold'>
  searching: Pick<Searching, 'findBest'>
  /** By tenant. */
  limitAsks: FairLimit
  passages: PassageReader
}

export type OpenAnswers = ReturnType<typeof openAnswers>

/**
 * Answers from what all members of an organization may read, for readers who are known only as a group, for example the
 * people of a chat. They consist of quotes.
 */
export function openAnswers({ members, searching, limitAsks, passages }: OpenAnswerDeps) {
  const askingAll = (orgId: string): Asking => ({ orgId, reader: 'ALL_MEMBERS', filter: {} })

  /** Where the sentences stand that answer a question, best first. None if nothing does. Refuses UNAVAILABLE where too many ask. */
  async function find(scope: TenantScope, orgId: string, question: string): Promise<CitedPlace[]> {
    const asking = askingAll(orgId)
    const { local, quoted } = await limitAsks(scope.tenantId, () =>
      answerFromPassages(scope, { asking, question }, searching),
    )
    return quoted(local.quotes)
  }

  /** Those of the places that still say what they said. Until the transaction ends nothing of them is deleted. */
  async function hold(tx: TenantScope, orgId: string, places: readonly CitedPlace[]): Promise<CitedPlace[]> {
    if (!(await members.hold(tx, orgId))) return []
    await passages.hold(tx, places)
    const quotes = await passages.quote(tx, { ...askingAll(orgId), isCurrent: true }, places)
    return places.filter((_, index) => quotes[index] !== null)
  }

  /** What the places say, as all members may read it at this moment. Null for what is gone or was closed. */
  const quote = (scope: TenantScope, orgId: string, places: readonly CitedPlace[]): Promise<(Quote | null)[]> =>
    passages.quote(scope, { ...askingAll(orgId), isCurrent: false }, places)

  return { find, hold, quote }
}
