import { setImmediate as nextTurn } from 'node:timers/promises'
import { turns } from '../../../kernel/turns.ts'
import type { TenantScope } from '../../../storage/scope.ts'
import type { Meeting } from '../../meetings/meeting.rules.ts'
import { timestampOf } from '../../transcripts/entry.rules.ts'
import { allEntries, listEntries } from '../../transcripts/transcript.store.ts'
import type { Citation } from '../live.schema.ts'
import { plainSpeaker, quoteOf } from './quote.rules.ts'
import { type Ranking, rankingFor } from './ranking.rules.ts'
import { toneOf } from './tone.rules.ts'

export type Question = { meeting: Meeting; text: string }
export type AnswerPart = { text: string; citation?: Citation }
export type LocalAnswer = { found: boolean; parts: AnswerPart[] }

export type LocalAnswers = (scope: TenantScope, question: Question) => Promise<LocalAnswer>

const passagesMax = 3
// So many characters are read for words within a few milliseconds; then others have their turn.
const turnChars = 50_000
// A whole transcript is read for each: two at a time, and few may wait.
const searchesAtOnce = 2
const searchesWaiting = 50

/**
 * Answers from the transcript alone, without a model: quotes the passages that fit best, or says that there are none.
 * Refuses with UNAVAILABLE where too many wait.
 */
export function localAnswers(): LocalAnswers {
  const inTurn = turns(searchesAtOnce, searchesWaiting)

  return (scope, { meeting, text }) =>
    inTurn(async () => {
      const ranking = await rank(scope, meeting.id, text)
      const tone = toneOf(meeting.settings.personality)
      const citations = await quotesAt(scope, meeting.id, { places: ranking.best(passagesMax), terms: ranking.terms })
      const entries = ranking.entries()
      if (citations.length === 0) return { found: false, parts: [{ text: tone.nothing(entries) }] }
      const opening = tone.opening({ passages: citations.length, matches: ranking.matches(), entries })
      const quotes = citations.map((citation) => ({ text: `\n${lineOf(citation)}`, citation }))
      const closing = tone.closing === '' ? [] : [{ text: `\n${tone.closing}` }]
      return { found: true, parts: [{ text: opening }, ...quotes, ...closing] }
    })
}

async function rank(scope: TenantScope, meetingId: string, question: string): Promise<Ranking> {
  const ranking = rankingFor(question)
  if (ranking.terms.length === 0) return ranking
  let chars = 0
  for await (const portion of allEntries(scope, meetingId)) {
    for (const entry of portion) {
      ranking.add(entry)
      chars += entry.text.length
      if (chars < turnChars) continue
      chars = 0
      await nextTurn()
    }
  }
  return ranking
}

/** In the order of the transcript, each as it is now. */
async function quotesAt(
  scope: TenantScope,
  meetingId: string,
  { places, terms }: { places: number[]; terms: string[] },
): Promise<Citation[]> {
  const citations: Citation[] = []
  for (const place of [...places].sort((a, b) => a - b)) {
    const { entries } = await listEntries(scope, meetingId, { afterSeq: place - 1, limit: 1 })
    const [entry] = entries
    if (entry === undefined || entry.seq !== place) continue // erased meanwhile
    const { seq, speaker, text, offsetSeconds } = entry
    const quote = quoteOf(text, terms)
    if (quote !== '')
      citations.push({ seq, speaker: plainSpeaker(speaker), timestamp: timestampOf(offsetSeconds), quote })
  }
  return citations
}

function lineOf({ speaker, timestamp, quote, seq }: Citation): string {
  return `${speaker} (${timestamp}): “${quote}” [${seq}]`
}
