import type { Effect } from '../harness/integration-effects.ts'
import type { IntegrationNodes } from '../harness/integration-nodes.ts'
import type { Random } from '../harness/seeded-random.ts'
import type { Questions } from './integration-questions.ts'

/** What was answered with 202, or what must follow from a change or a question that was accepted. */
export type Asked = { effect: Effect; mark: string; subjectId: string | null }
type Event = { provider: 'google' | 'microsoft'; id: string; title: string; isCancelled: boolean }
/** A meeting and a task for each tracker. */
export type Subjects = {
  name: string
  meetingId: string
  tasks: { title: string; id: string; provider: string }[]
  renamedInRound: number
}
export type Trial = {
  lab: IntegrationNodes
  random: Random
  questions: Questions
  integrations: Map<string, string>
  asked: Asked[]
  subjects: Subjects[]
  events: Event[]
  kills: number
}
