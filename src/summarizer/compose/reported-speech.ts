// A spoken sentence in, a sentence of the summary about it out: in the third person ("Ann said that ...") or as a
// quotation.

import { stopWords } from '../language/stop-words.ts'
import type { MeetingRecord, SpokenSentence } from '../sentences/meeting-record.ts'
import type { SummarySentence } from '../summary.ts'
import type { Frames } from './frames/english.ts'
import { hedges, verbCues } from './reporting-verbs.ts'

/** A sentence about the record: counts, times, or what is missing. */
export function recordFact(text: string, citations: readonly number[] = []): SummarySentence {
  return { text, citations: [...new Set(citations)], basis: 'record' }
}

/**
 * A sentence must begin with a capital, or with a letter of a script without capitals. Otherwise not all ways of
 * counting see where it begins.
 */
export function asSubject(label: string, { participant }: Frames): string {
  if (/^[\p{Lu}\p{Lo}]/u.test(label)) return label
  // A speech recognizer writes "ann" for Ann. "bob2" may be written that way on purpose.
  return /^[a-z]{2,20}$/.test(label) ? capitalize(label) : participant(label)
}

type ReportOptions = { record: Pick<MeetingRecord, 'language' | 'isLowercase'>; frames: Frames }

/**
 * Reports a sentence in the third person where that keeps its meaning, and quotes it otherwise. The full stop stands
 * after the quotation mark.
 */
export function reportSpeech(sentence: SpokenSentence, { record, frames }: ReportOptions): SummarySentence {
  const who = asSubject(sentence.speaker.label, frames)
  const isEnglish = record.language.startsWith('en')
  const text = sentence.isQuestion
    ? frames.asked(who, capitalize(sentence.text))
    : isEnglish
      ? `${who} ${reportClause(sentence, record)}`
      : frames.said(who, quote(sentence.text))
  return { text, citations: sentence.entries, basis: 'speech', speaker: sentence.speaker.name }
}

/** English only. The text after the name: 'said that ...', 'suggested: “...”'. */
function reportClause({ text, id }: SpokenSentence, { isLowercase }: ReportOptions['record']): string {
  const { verb: hedgeVerb, rest } = splitHedge(text)
  const verb =
    hedgeVerb ?? verbCues.find(([cue]) => cue.test(text))?.[1] ?? plainVerbs[id % plainVerbs.length] ?? 'said'
  const reported = isReportable(rest) ? lowercaseFirst(rest, isLowercase) : null
  if (reported) return `${verb} that ${reported}.`
  return `${quotingVerbs.includes(verb) ? verb : 'said'}: ${quote(text)}.`
}

/** Verbs that can stand before a quotation. The others need "that". */
const quotingVerbs = ['suggested', 'warned', 'explained', 'noted', 'stressed', 'pointed out']
const plainVerbs = ['said', 'noted', 'said']

/** Keeps the first letter as it is: "iPhone launch" is a name. */
export const quoteAsWritten = (text: string) => `\u201c${text}\u201d`
export const quote = (text: string) => quoteAsWritten(capitalize(text.replace(unfinished, '')))
/** "I'll use that one, and": nothing followed. */
const unfinished = /, (?:and|but|or|so)$/i

/** Letters without a single capital form, such as "ß", stay small. */
function capitalize(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) =>
    letter.toUpperCase().toLowerCase() === letter ? letter.toUpperCase() : letter,
  )
}

/**
 * Removes the capital that only the start of the sentence explains. Null where the word may be a name: "Loyalty is
 * rewritten".
 */
function lowercaseFirst(text: string, isLowercase: ReportOptions['record']['isLowercase']): string | null {
  const [first = ''] = text.split(/[ ,']/)
  const isOwn = !/^\p{Lu}\p{Ll}+$/u.test(first) && !/^[AI]$/.test(first)
  if (isOwn) return text
  if (stopWords['en']?.has(first.toLowerCase()))
    return first === 'I' ? text : first.toLowerCase() + text.slice(first.length)
  const known = isLowercase(first)
  if (known === null) return null
  return known ? first.toLowerCase() + text.slice(first.length) : text
}

function splitHedge(text: string): { verb?: string; rest: string } {
  const lower = text.toLowerCase()
  for (const [hedge, verb] of hedges) {
    if (!lower.startsWith(`${hedge} `)) continue
    const rest = text.slice(hedge.length + 1).replace(/^that (?=the|a|it|there|this|we)/i, '')
    return rest.split(' ').length >= 4 ? { verb, rest } : { rest: text }
  }
  return { rest: text }
}

/** Words of the first and second person would mean somebody else in a report; so would "here" and "my". */
const personal =
  /\b(?:i|i'\w+|me|my|mine|myself|we|we'\w+|us|our|ours|you|you'\w+|your|yours|let|let's|lets|please|here|gonna|wanna|okay|yeah|gotta|blah|like this|like that|hey)\b/i
const subjectStart =
  /^(?:the|a|an|each|every|all|most|some|many|both|no|there|it|they|these|this|another|one|two|three|people|customers|users)\b/i
const verbSecond =
  /^\p{L}[\p{L}'-]*(?: \p{L}[\p{L}'-]*){0,3} (?:is|are|was|were|has|have|had|will|would|can|could|should|must|needs|wants|does|did)\b/iu
const anyVerb =
  /\b(?:is|are|was|were|has|have|had|will|would|can|can't|could|should|must|needs?|wants?|does|did|doesn't|isn't|won't|takes?|makes?|made|works?|costs?|goes|went|came|got|seems?|looks?|gives?|gets?|came|\w+ed|\w+'s)\b/i

function isReportable(text: string): boolean {
  if (
    personal.test(text) ||
    /^(?:that's\b|\p{L}+ who\b)/iu.test(text) ||
    (/^(?:it's|there's|they're)\b/i.test(text) === false &&
      /^(?:if|when|because|to|for|in|on|at|with|by|of|from|as|what|who|how|why|which|not|just|only|maybe)\b/i.test(
        text,
      ))
  )
    return false
  return (
    (subjectStart.test(text) && anyVerb.test(text)) ||
    /^(?:it's|there's|they're)\b/i.test(text) ||
    (!/^that\b/i.test(text) && verbSecond.test(text) && !/^\p{L}+(?:ing|ed)\b/iu.test(text))
  )
}
