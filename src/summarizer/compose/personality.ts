// The analysis of a meeting in, what the chosen personality adds out: one sentence, one section, or one clause.

import { type Analysis, byWordsSpoken, sureOutcomes } from '../analysis.ts'
import { importance } from '../ranking/sentence-cues.ts'
import { wordShare } from '../sentences/meeting-record.ts'
import type { Personality, SummarySection, SummarySentence } from '../summary.ts'
import { asSubject, joinList, quote, recordFact, withCount } from './reported-speech.ts'

/** What each personality adds. Facts and length are the same for all. */
type Voice = {
  heading: string
  short: (analysis: Analysis) => SummarySentence | null
  detailed: (analysis: Analysis) => SummarySentence[]
}

const entriesCited = 8
const firstEntries = ({ record }: Analysis) =>
  record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, entriesCited)
const isEmpty = ({ record }: Analysis) => record.entryCount === 0

const voices: Record<Personality, Voice | null> = {
  neutral: null,
  supportive: { heading: 'What went well', short: supportiveShort, detailed: supportiveDetailed },
  challenger: { heading: 'Points to challenge', short: challengerShort, detailed: challengerDetailed },
  analyst: { heading: 'Figures', short: analystShort, detailed: analystDetailed },
  coach: { heading: 'Questions to reflect on', short: coachShort, detailed: coachDetailed },
}

export function personalSentence(analysis: Analysis): SummarySentence | null {
  return voices[analysis.request.personality]?.short(analysis) ?? null
}

export function personalSection(analysis: Analysis): SummarySection | null {
  const voice = voices[analysis.request.personality]
  return voice && { heading: voice.heading, sentences: voice.detailed(analysis) }
}

/** Gives credit within the first sentence, so that it takes no sentence away from what was said. */
export function openingClause(analysis: Analysis): string {
  const { request, record } = analysis
  if (request.personality !== 'supportive') return ''
  const takers = taskTakers(sureOutcomes(analysis))
  if (takers.length > 0) return `, and ${joinList(takers, takers.length > 4 ? 3 : takers.length)} kindly took on work`
  return record.speakers.length > 1
    ? `, and ${record.speakers.length === 2 ? 'both' : 'all'} of them contributed`
    : ', which is a good start'
}

function supportiveShort(analysis: Analysis): SummarySentence | null {
  return isEmpty(analysis) ? recordFact('There is still time to add what was said.') : null
}

function supportiveDetailed(analysis: Analysis): SummarySentence[] {
  if (isEmpty(analysis)) return [supportiveShort(analysis)].filter((it) => it !== null)
  return [everyoneSpoke(analysis), thanksFor(analysis), creditFor(analysis)].filter((it) => it !== null)
}

function everyoneSpoke(analysis: Analysis): SummarySentence {
  const people = analysis.record.speakers.length
  const base = people > 1 ? `${people === 2 ? 'Both' : `All ${people}`} people spoke` : 'The words are on record'
  return recordFact(`${base}, which is a good base to build on.`, firstEntries(analysis))
}

function thanksFor({ record }: Analysis): SummarySentence | null {
  const [asker] = record.speakers.toSorted((a, b) => b.questionsAsked - a.questionsAsked)
  if (!asker || asker.questionsAsked === 0 || record.speakers.length < 2) return null
  return recordFact(
    `${asSubject(asker.label)} kept the talk open by asking ${withCount(asker.questionsAsked, 'question')}.`,
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
  return recordFact(
    `Credit goes to ${joinList(takers, takers.length > 4 ? 3 : takers.length)} for taking on work.`,
    citations,
  )
}

/** What a critical reader would miss. Each is a fact about the record. */
function recordGaps(analysis: Analysis): SummarySentence[] {
  const { outcomes, record } = analysis
  const { actionItems } = sureOutcomes(analysis)
  const found: SummarySentence[] = []
  if (outcomes.decisions.length === 0)
    found.push(
      recordFact(
        'What the meeting decided is open to challenge, for no explicit decision was recorded.',
        firstEntriesBySpeaker(record.speakers),
      ),
    )
  const undated = actionItems.filter(({ due }) => !due)
  if (undated.length > 0) {
    found.push(
      recordFact(
        `No date was named for ${withCount(undated.length, 'action item')}.`,
        undated.flatMap((it) => it.citations).slice(0, entriesCited),
      ),
    )
  }
  const unowned = actionItems.filter(({ owner }) => !owner)
  if (unowned.length > 0) {
    found.push(
      recordFact(
        `No owner was named for ${withCount(unowned.length, 'action item')}.`,
        unowned.flatMap((it) => it.citations).slice(0, entriesCited),
      ),
    )
  }
  const silent = record.speakers.filter(({ wordsSpoken }) => wordsSpoken * 20 < record.wordCount)
  if (silent.length > 0 && record.speakers.length <= 20) {
    const who = joinList(
      silent.map(({ label }) => label),
      Math.min(3, silent.length),
    )
    found.push(
      recordFact(
        `Less than a twentieth of the words came from ${who}, so their view may be missing.`,
        firstEntriesBySpeaker(silent),
      ),
    )
  }
  return found
}
const firstEntriesBySpeaker = (speakers: Analysis['record']['speakers']) =>
  speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, entriesCited)

/** A claim made with certainty. It is shown only where no figure supports it. */
const boldClaim =
  /\b(?:always|never|everyone|everybody|nobody|obviously|clearly|definitely|certainly|no doubt|impossible|best|worst|all (?:the )?(?:customers|users|people))\b/i

function challengerShort(analysis: Analysis): SummarySentence {
  return (
    recordGaps(analysis)[0] ??
    recordFact(
      'Worth challenging before anyone acts is what would show that a decision was wrong.',
      firstEntries(analysis),
    )
  )
}

function challengerDetailed(analysis: Analysis): SummarySentence[] {
  const claim = analysis.ranked.find(
    ({ text, isQuestion }) =>
      boldClaim.test(text) && !isQuestion && !/\d/.test(text) && importance.test(text) && text.length < 160,
  )
  const claims: SummarySentence[] = claim
    ? [
        {
          text: `No figure supports this claim of ${claim.speaker.label}: ${quote(claim.text)}.`,
          citations: [claim.entry],
          basis: 'speech',
        },
      ]
    : []
  const found = [...recordGaps(analysis), ...claims].slice(0, 4)
  return found.length > 0 ? found : [challengerShort(analysis)]
}

function analystShort(analysis: Analysis): SummarySentence {
  const { record } = analysis
  const [most] = byWordsSpoken(record.speakers)
  if (!most) return recordFact('All counts of the record are zero.')
  const questions = record.speakers.reduce((sum, { questionsAsked }) => sum + questionsAsked, 0)
  return recordFact(
    `The largest share of words was that of ${most.label} with ${wordShare(most, record)}, and ${withCount(questions, 'question')} ${questions === 1 ? 'was' : 'were'} asked.`,
    most.entries.slice(0, entriesCited),
  )
}

function analystDetailed(analysis: Analysis): SummarySentence[] {
  const { record, topics } = analysis
  const found = [analystShort(analysis)]
  if (record.entryCount > 0) {
    const mean = Math.round(record.wordCount / record.entryCount)
    found.push(
      recordFact(
        `A turn had ${withCount(mean, 'word')} on average over ${withCount(record.entryCount, 'turn')}.`,
        firstEntries(analysis),
      ),
    )
  }
  const [topic] = topics
  if (topic) found.push(recordFact(`The topic that came up most was ${topic.phrase}.`, topic.entries))
  return found
}

function coachShort(analysis: Analysis): SummarySentence {
  return recordFact(
    'A question to take along is which of these points each person would act on first.',
    firstEntries(analysis),
  )
}

function coachDetailed(analysis: Analysis): SummarySentence[] {
  if (isEmpty(analysis)) return [recordFact('What would you like this meeting to leave behind?')]
  const prompts = [
    'what would help you to take the next step',
    'what did you hear that changed your view',
    'what would you say again in fewer words',
    'whom could you ask for help',
    'what would you like to be asked',
  ]
  return byWordsSpoken(analysis.record.speakers)
    .slice(0, prompts.length)
    .map(({ label, entries }, i) => recordFact(`${asSubject(label)}, ${prompts[i]}?`, entries.slice(0, 1)))
}
