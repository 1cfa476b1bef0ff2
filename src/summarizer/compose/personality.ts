// The analysis of a meeting in, what the chosen personality adds out: one sentence, one section, or one clause.

import { type Analysis, byWordsSpoken, sureOutcomes } from '../analysis.ts'
import { importance } from '../ranking/sentence-cues.ts'
import type { Personality, SummarySection, SummarySentence } from '../summary.ts'
import { joinList } from './frames/frames.ts'
import { asSubject, quote, recordFact } from './reported-speech.ts'
import { shareText } from './share-text.ts'

/** What each personality adds. Facts and length are the same for all. */
type Voice = {
  short: (analysis: Analysis) => SummarySentence | null
  detailed: (analysis: Analysis) => SummarySentence[]
}

const entriesCited = 8
const firstEntries = ({ record }: Analysis) =>
  record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, entriesCited)
const isEmpty = ({ record }: Analysis) => record.entryCount === 0

const voices: Record<Exclude<Personality, 'neutral'>, Voice> = {
  supportive: { short: supportiveShort, detailed: supportiveDetailed },
  challenger: { short: challengerShort, detailed: challengerDetailed },
  analyst: { short: analystShort, detailed: analystDetailed },
  coach: { short: coachShort, detailed: coachDetailed },
}

export function personalSentence(analysis: Analysis): SummarySentence | null {
  const { personality } = analysis.request
  return personality === 'neutral' ? null : voices[personality].short(analysis)
}

export function personalSection(analysis: Analysis): SummarySection | null {
  const { personality } = analysis.request
  if (personality === 'neutral') return null
  return { heading: analysis.frames.voices[personality], sentences: voices[personality].detailed(analysis) }
}

/** Gives credit within the first sentence, so that it takes no sentence away from what was said. */
export function openingClause(analysis: Analysis): string {
  const { request, record, frames } = analysis
  if (request.personality !== 'supportive') return ''
  const takers = taskTakers(sureOutcomes(analysis))
  if (takers.length > 0) return frames.tookOnWork(joinList(takers, frames, takers.length > 4 ? 3 : takers.length))
  return record.speakers.length > 1 ? frames.allContributed(record.speakers.length) : frames.goodStart
}

function supportiveShort(analysis: Analysis): SummarySentence | null {
  return isEmpty(analysis) ? recordFact(analysis.frames.timeToAdd) : null
}

function supportiveDetailed(analysis: Analysis): SummarySentence[] {
  if (isEmpty(analysis)) return [supportiveShort(analysis)].filter((it) => it !== null)
  return [everyoneSpoke(analysis), thanksFor(analysis), creditFor(analysis)].filter((it) => it !== null)
}

function everyoneSpoke(analysis: Analysis): SummarySentence {
  return recordFact(analysis.frames.everyoneSpoke(analysis.record.speakers.length), firstEntries(analysis))
}

function thanksFor({ record, frames }: Analysis): SummarySentence | null {
  const [asker] = record.speakers.toSorted((a, b) => b.questionsAsked - a.questionsAsked)
  if (!asker || asker.questionsAsked === 0 || record.speakers.length < 2) return null
  return recordFact(
    frames.keptOpen(asSubject(asker.label, frames), frames.count.question(asker.questionsAsked)),
    asker.entries.slice(0, entriesCited),
  )
}

const taskTakers = ({ actionItems }: Pick<Analysis['outcomes'], 'actionItems'>) => [
  ...new Set(actionItems.flatMap(({ taker }) => taker?.label ?? [])),
]

function creditFor(analysis: Analysis): SummarySentence | null {
  const outcomes = sureOutcomes(analysis)
  const takers = taskTakers(outcomes)
  if (takers.length === 0) return null
  const citations = outcomes.actionItems.flatMap((it) => it.citations).slice(0, entriesCited)
  const who = joinList(takers, analysis.frames, takers.length > 4 ? 3 : takers.length)
  return recordFact(analysis.frames.creditTo(who), citations)
}

/** What a critical reader would miss. Each is a fact about the record. */
function recordGaps(analysis: Analysis): SummarySentence[] {
  const { record, frames } = analysis
  const { decisions, actionItems } = sureOutcomes(analysis)
  const found: SummarySentence[] = []
  if (decisions.length === 0) found.push(recordFact(frames.openToChallenge, firstEntriesBySpeaker(record.speakers)))
  const about = (items: typeof actionItems, frame: (tasks: string) => string) => {
    const citations = items.flatMap((it) => it.citations).slice(0, entriesCited)
    if (items.length > 0) found.push(recordFact(frame(frames.count.task(items.length)), citations))
  }
  about(
    actionItems.filter(({ due }) => !due),
    frames.noDateFor,
  )
  about(
    actionItems.filter(({ owner }) => !owner),
    frames.noOwnerFor,
  )
  const silent = record.speakers.filter(({ wordsSpoken }) => wordsSpoken * 20 < record.wordCount)
  if (silent.length > 0 && record.speakers.length <= 20) {
    const names = silent.map(({ label }) => label)
    const who = joinList(names, frames, Math.min(3, silent.length))
    found.push(recordFact(frames.fewWordsFrom(who), firstEntriesBySpeaker(silent)))
  }
  return found.map((it) => ({ ...it, role: 'gap' }))
}
const firstEntriesBySpeaker = (speakers: Analysis['record']['speakers']) =>
  speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, entriesCited)

/** A claim made with certainty. It is shown only where no figure supports it. */
const boldClaim =
  /\b(?:always|never|everyone|everybody|nobody|obviously|clearly|definitely|certainly|no doubt|impossible|best|worst|all (?:the )?(?:customers|users|people))\b/i

function challengerShort(analysis: Analysis): SummarySentence {
  return recordGaps(analysis)[0] ?? recordFact(analysis.frames.worthChallenging, firstEntries(analysis))
}

function challengerDetailed(analysis: Analysis): SummarySentence[] {
  const claim = analysis.ranked.find(
    ({ text, isQuestion }) =>
      boldClaim.test(text) && !isQuestion && !/\d/.test(text) && importance.test(text) && text.length < 160,
  )
  const claims: SummarySentence[] = claim
    ? [
        {
          text: analysis.frames.noFigure(claim.speaker.label, quote(claim.text)),
          citations: [claim.entry],
          basis: 'speech',
        },
      ]
    : []
  const found = [...recordGaps(analysis), ...claims].slice(0, 4)
  return found.length > 0 ? found : [challengerShort(analysis)]
}

function analystShort(analysis: Analysis): SummarySentence {
  const { record, frames } = analysis
  const [most] = byWordsSpoken(record.speakers)
  if (!most) return recordFact(frames.allZero)
  const questions = record.speakers.reduce((sum, { questionsAsked }) => sum + questionsAsked, 0)
  const share = shareText(most, analysis)
  const text = frames.largestShare(most.label, share, frames.count.question(questions), questions)
  return recordFact(text, most.entries.slice(0, entriesCited))
}

function analystDetailed(analysis: Analysis): SummarySentence[] {
  const { record, topics, frames } = analysis
  const found = [analystShort(analysis)]
  if (record.entryCount > 0) {
    const mean = Math.round(record.wordCount / record.entryCount)
    const text = frames.averageTurn(frames.count.word(mean), frames.count.turn(record.entryCount))
    found.push(recordFact(text, firstEntries(analysis)))
  }
  const [topic] = topics
  if (topic) found.push(recordFact(frames.mostDiscussed(topic.phrase), topic.entries))
  return found
}

function coachShort(analysis: Analysis): SummarySentence {
  return recordFact(analysis.frames.toTakeAlong, firstEntries(analysis))
}

function coachDetailed(analysis: Analysis): SummarySentence[] {
  const { record, frames } = analysis
  if (isEmpty(analysis)) return [recordFact(frames.leaveBehind)]
  return byWordsSpoken(record.speakers)
    .slice(0, frames.prompts.length)
    .map(({ label, entries }, i) =>
      recordFact(`${asSubject(label, frames)}, ${frames.prompts[i]}?`, entries.slice(0, 1)),
    )
}
