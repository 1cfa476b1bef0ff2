// The topics of a meeting in, a sentence that names them in the order of the meeting out.

import type { Analysis } from '../analysis.ts'
import type { Topic } from '../ranking/topics.ts'
import type { SummarySentence } from '../summary.ts'
import { joinList, recordFact } from './reported-speech.ts'

const topicsOfThird = 4
const topicsMin = 3
/** In a shorter meeting hardly anything was said first or last. */
const sentencesMin = 40

/** The topics that the outline names: of each third of the meeting those that were said there more than elsewhere. */
export function outlineTopics(topics: readonly Topic[], { record }: Analysis): Topic[] {
  if (record.sentences.length < sentencesMin) return []
  const named = [0, 1, 2].flatMap((third) => topics.filter((it) => thirdOf(it) === third).slice(0, topicsOfThird))
  return named.length < topicsMin ? [] : named
}

/** The third in which a topic was said most. */
function thirdOf({ thirds }: Topic): number {
  const counts = thirds.map(({ count }) => count)
  return counts.indexOf(Math.max(...counts))
}

/** "It came to a and b first, then to c, and at the end to d." */
export function outlineSentence(topics: readonly Topic[]): SummarySentence | null {
  const named = [0, 1, 2].map((third) => topics.filter((it) => thirdOf(it) === third))
  const texts = named.map((some) => joinList(some.map(({ phrase }) => phrase)))
  const [first = '', then = '', last = ''] = texts
  const parts = [
    first && `${first} first`,
    then && `${first ? 'then ' : ''}to ${then}`,
    last && `at the end to ${last}`,
  ]
  const said = parts.filter((it) => it !== '')
  if (said.length === 0) return null
  const text = `It came to ${joinClauses(said).replace(/^to /, '')}.`
  const citations = named.flatMap((some, third) => some.flatMap((it) => it.thirds[third]?.entries ?? []))
  return { ...recordFact(text, citations), role: 'outline' }
}

const joinClauses = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`
