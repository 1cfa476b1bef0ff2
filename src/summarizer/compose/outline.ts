// The topics of a meeting in, a sentence that names them in the order of the meeting out.

import type { Analysis } from '../analysis.ts'
import type { Topic } from '../ranking/topics.ts'
import type { SummarySentence } from '../summary.ts'
import type { Frames } from './frames/english.ts'
import { joinList } from './frames/frames.ts'
import { recordFact } from './reported-speech.ts'

const topicsOfThird = { short: 4, detailed: 6 }
const topicsMin = 3
/** In a shorter meeting hardly anything was said first or last. */
const sentencesMin = 40

/** The topics that the outline names: of each third of the meeting those that were said there more than elsewhere. */
export function outlineTopics(topics: readonly Topic[], { record, request }: Analysis): Topic[] {
  const max = topicsOfThird[request.mode]
  if (record.sentences.length < sentencesMin) return []
  const named = [0, 1, 2].flatMap((third) => topics.filter((it) => thirdOf(it) === third).slice(0, max))
  return named.length < topicsMin ? [] : named
}

/** The third in which a topic was said most. */
function thirdOf({ thirds }: Topic): number {
  const counts = thirds.map(({ count }) => count)
  return counts.indexOf(Math.max(...counts))
}

/** "It came to a and b first, then to c, and at the end to d." */
export function outlineSentence(topics: readonly Topic[], frames: Frames): SummarySentence | null {
  const named = [0, 1, 2].map((third) => topics.filter((it) => thirdOf(it) === third))
  const texts = named.map((some) =>
    joinList(
      some.map(({ phrase }) => phrase),
      frames,
    ),
  )
  const [first = '', then = '', last = ''] = texts
  const later = [then && frames.outlineThen(then), last && frames.outlineLast(last)].filter((it) => it !== '')
  const clauses = first ? [frames.outlineFirst(first), ...later] : later
  if (clauses.length === 0) return null
  const joined =
    clauses.length < 2 ? clauses.join('') : `${clauses.slice(0, -1).join(', ')}, ${frames.and} ${clauses.at(-1)}`
  const text = `${first ? joined : frames.outlineOnly(joined)}.`
  const citations = named.flatMap((some, third) => some.flatMap((it) => it.thirds[third]?.entries ?? []))
  return { ...recordFact(text, citations), role: 'outline' }
}
