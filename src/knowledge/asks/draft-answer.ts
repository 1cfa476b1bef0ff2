import { ModelFailure } from '../../ai/model-failure.ts'
import type { TenantModel } from '../../ai/tenant-model.ts'
import type { FairLimit } from '../../kernel/fair-limit.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Quote } from '../search/passage.rules.ts'
import type { Searching } from '../search/search.service.ts'
import type { Asking } from '../search/visible.store.ts'
import type { AskFallbackReason } from './ask.schema.ts'
import { answerFromPassages } from './question-passages.ts'
import { writeAnswer } from './written-answer.ts'

export type Drafted = {
  found: boolean
  engine: 'local' | 'llm'
  fallbackReason: AskFallbackReason | null
  /** `text`: as a model wrote it. Null: the quote itself. */
  parts: { text: string | null; quotes: Quote[] }[]
  closest: Quote[]
}

export type Drafting = {
  asking: Asking
  question: string
  usesModel: boolean
  /** Whether limits of usage have room for an answer of the model. */
  isWithin: boolean
  /** Whose tokens a model takes. */
  subject: { orgId: string; userId: string | null }
}

type Deps = {
  searching: Pick<Searching, 'findBest'>
  /** By tenant. */
  limitAsks: FairLimit
  model: TenantModel | null
}

/**
 * The answer, and after one of a model what takes its place where all that it cites has been erased meanwhile. Refuses UNAVAILABLE
 * where too many ask.
 */
export type DraftAnswer = (
  scope: TenantScope,
  drafting: Drafting,
) => Promise<{ drafts: Drafted[]; corrected: Record<string, string> }>

export function draftAnswer({ searching, limitAsks, model }: Deps): DraftAnswer {
  return async (scope, { asking, question, usesModel, isWithin, subject }) => {
    const { answering, local, quoted, corrected } = await limitAsks(scope.tenantId, () =>
      answerFromPassages(scope, { asking, question }, searching),
    )
    const locally = (fallbackReason: AskFallbackReason | null): Drafted => ({
      found: local.found,
      engine: 'local',
      fallbackReason,
      parts: quoted(local.quotes).map((quote) => ({ text: null, quotes: [quote] })),
      closest: quoted(local.closest),
    })
    const drafts = async (): Promise<Drafted[]> => {
      if (!usesModel || model === null) return [locally(null)]
      if (!local.found) return [locally('NOTHING_FOUND')]
      if (!isWithin) return [locally('BUDGET_SPENT')]
      try {
        const written = await writeAnswer(scope, { question, passages: answering, subject }, model)
        if (written === null)
          return [{ found: false, engine: 'llm', fallbackReason: null, parts: [], closest: quoted(local.quotes) }]
        const parts = written.map(({ text, quotes }) => ({ text, quotes: quoted(quotes) }))
        return [{ found: true, engine: 'llm', fallbackReason: null, parts, closest: [] }, locally('INVALID_OUTPUT')]
      } catch (error) {
        if (error instanceof ModelFailure) return [locally(error.reason)]
        throw error
      }
    }
    return { drafts: await drafts(), corrected }
  }
}
