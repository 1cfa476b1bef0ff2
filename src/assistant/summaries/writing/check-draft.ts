import { once } from '../../../kernel/once.ts'
import { insideSentence, withoutMarkup } from '../clean-text.ts'
import { languageOf, stopWordsOf } from '../language.ts'
import { sentenceCounts } from '../sentence-counts.ts'
import type { ActionItem, Decision, Question, SummaryRequest, TranscriptEntry } from '../summary.ts'
import { countWords, stem, wordsOf } from '../words.ts'
import type { Draft, DraftItem } from './draft.ts'
import { figuresIn, isVerbatim, quotesIn, stemsIn } from './evidence.ts'
import { isOrder } from './prompt.ts'

/** A sentence that stands on the entries it cites (indexes); it ends with its mark. */
export type CheckedSentence = { text: string; citations: number[] }

export type CheckedDraft = {
  topics: string[]
  sentences: CheckedSentence[]
  /** One at most for each speaker. */
  contributions: Map<string, CheckedSentence>
  decisions: Decision[]
  actionItems: ActionItem[]
  questions: Question[]
}

const wordsMin = 4
const wordsMax = 42
const topicsMax = 10
/** The part of a sentence's telling words that its entries must hold; a paraphrase keeps about half of them. */
const relatedMin = 0.25

/** What of a draft the transcript bears out. All else is left out without a word: it is not known to be true. */
export function checkDraft(draft: Draft, { transcript, title, language }: SummaryRequest): CheckedDraft {
  const known = language ?? languageOf(transcript.map(({ text }) => text))
  const isCommon = stopWordsOf(known)
  const speakers = speakersOf(transcript)
  const vocabulary = once(() => vocabularyOf(transcript, title))
  const isNamed = (text: string) => {
    const names = [...shoutedIn(text), ...(known.startsWith('en') ? namesIn(text) : [])]
    return names.every((name) => vocabulary().has(name))
  }

  const citationsOf = ({ entries }: DraftItem): number[] | null => {
    const indexes = entries.map((n) => n - 1)
    if (!indexes.every((i) => transcript[i] !== undefined)) return null
    return indexes.every((i) => isOrder(transcript[i]?.text ?? '')) ? null : indexes.toSorted((a, b) => a - b)
  }
  const saidIn = (citations: readonly number[]) =>
    citations.map((i) => `${transcript[i]?.speaker}: ${transcript[i]?.text}`).join('\n')

  const check = (item: DraftItem): CheckedSentence | null => {
    const citations = citationsOf(item)
    if (citations === null) return null
    const said = saidIn(citations)
    const isBorneOut =
      isSubset(figuresIn(item.text), figuresIn(said)) &&
      quotesIn(item.text).every((quote) => isVerbatim(quote, said)) &&
      isRelated(stemsIn(item.text, isCommon), stemsIn(said, isCommon)) &&
      isNamed(item.text)
    const text = isBorneOut ? asSentence(item.text) : null
    return text === null ? null : { text, citations }
  }
  const plainOf = (item: DraftItem) => {
    const checked = check(item)
    return checked && { text: checked.text.replace(/[.?]$/, ''), citations: checked.citations }
  }
  return {
    topics: topicsOf(
      draft.topics,
      (text) => isSubset(stemsIn(text, isCommon), vocabulary()) && isSubset(figuresIn(text), vocabulary()),
    ),
    sentences: unlike(draft.sentences.map(check)),
    contributions: contributionsOf(draft, { check, speakers, transcript }),
    decisions: unlike(draft.decisions.map(plainOf)),
    actionItems: unlike(draft.actionItems.map((item) => withOwner(plainOf(item), item, { speakers, transcript }))),
    questions: unlike(
      draft.questions.map((item) => withSpeaker(plainOf(item), speakers.get(keyOf(item.speaker)), transcript)),
    ),
  }
}

type Known = { speakers: Map<string, string>; transcript: readonly TranscriptEntry[] }

const keyOf = (name: string) => name.normalize('NFC').trim().toLowerCase()

function speakersOf(transcript: readonly TranscriptEntry[]): Map<string, string> {
  return new Map(transcript.map(({ speaker }) => [keyOf(speaker), speaker]))
}

/** Stems, words and figures of the whole meeting. */
function vocabularyOf(transcript: readonly TranscriptEntry[], title: string): Set<string> {
  const found = new Set<string>(wordsOf(title))
  for (const { speaker, text } of transcript) {
    for (const word of [...wordsOf(text), ...wordsOf(speaker)]) {
      found.add(word)
      found.add(stem(word))
    }
    for (const figure of figuresIn(text)) found.add(figure)
  }
  return found
}

/** Words in capitals: abbreviations, and what somebody wants to be seen. */
const shoutedIn = (text: string) => (text.match(/(?<![\p{L}\p{N}])\p{Lu}{2,}(?![\p{L}\p{N}])/gu) ?? []).flatMap(wordsOf)

/** Words with a capital inside a sentence, and before a verb of speaking also the first one: in English, names. */
function namesIn(text: string): string[] {
  const inside = [...text.matchAll(/(?<=\p{L}[\p{L}'\u2019-]*,? )\p{Lu}[\p{L}\p{M}'\u2019-]+/gu)].map(([name]) => name)
  const [, first] =
    /^(\p{Lu}[\p{L}'\u2019-]+)(?: \p{Lu}[\p{L}'\u2019-]+)* (?:said|says|asked|suggest|propos|explain|not|argu|agree|will|want|think|thought|report|confirm|present|offer|stress|point|add|warn|rais|ask|took|takes)/u.exec(
      text,
    ) ?? []
  return [
    ...inside,
    ...(first &&
    !/^(?:They|He|She|It|We|This|That|Everyone|Everybody|Nobody|People|Someone|Both|All|One|Who|Participants|Attendees|Speakers|Team|Management)$/.test(
      first,
    )
      ? [first]
      : []),
  ].flatMap((name) => wordsOf(name).map((word) => word.replace(/['\u2019]s$/, '')))
}

const isSubset = (some: ReadonlySet<string>, all: ReadonlySet<string>) => [...some].every((it) => all.has(it))

function isRelated(words: ReadonlySet<string>, said: ReadonlySet<string>): boolean {
  const held = [...words].filter((word) => said.has(word)).length
  return held > 0 && held >= words.size * relatedMin
}

const lettersOf = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '')

/** One sentence without anything that is no speech, or null: what has markup or a link in it is dropped, not cleaned. */
function asSentence(written: string): string | null {
  const clean = withoutMarkup(written)
  if (lettersOf(clean) !== lettersOf(written) || isOrder(written) || /[<>`|{}[\]\\]|\*\*|__/.test(written)) return null
  const isQuestion = /[?\uff1f\u061f]\s*$/.test(clean)
  if (Math.min(...sentenceCounts(clean)) > 1) return null
  const inside = insideSentence(clean)
  const words = Math.max(...countWords(inside))
  if (words < wordsMin || words > wordsMax) return null
  const text = inside.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  return /^['(]?[\p{Lu}\p{Lo}]/u.test(text) ? `${text}${isQuestion ? '?' : '.'}` : null
}

function unlike<T extends { text: string }>(items: readonly (T | null)[]): T[] {
  const seen = new Set<string>()
  return items.filter(
    (it): it is T => it !== null && !seen.has(it.text.toLowerCase()) && !!seen.add(it.text.toLowerCase()),
  )
}

function topicsOf(topics: readonly string[], isSaid: (text: string) => boolean): string[] {
  const found = topics.flatMap((topic) => {
    const clean = insideSentence(withoutMarkup(topic))
    const isPhrase = clean !== '' && wordsOf(clean).length <= 5 && lettersOf(clean) === lettersOf(topic)
    return isPhrase && !isOrder(topic) && isSaid(clean) ? [{ text: clean }] : []
  })
  return unlike(found)
    .slice(0, topicsMax)
    .map(({ text }) => text)
}

/** Of a speaker of the meeting, and resting on something the speaker said. */
function contributionsOf(
  draft: Draft,
  { check, speakers, transcript }: Known & { check: (item: DraftItem) => CheckedSentence | null },
): CheckedDraft['contributions'] {
  const found: CheckedDraft['contributions'] = new Map()
  for (const item of draft.contributions) {
    const speaker = speakers.get(keyOf(item.speaker))
    if (speaker === undefined || found.has(speaker)) continue
    const checked = check(item)
    if (checked?.citations.some((i) => transcript[i]?.speaker === speaker)) found.set(speaker, checked)
  }
  return found
}

function withOwner(
  checked: Decision | null,
  { owner, due }: Draft['actionItems'][number],
  { speakers, transcript }: Known,
): ActionItem | null {
  if (checked === null) return null
  const said = checked.citations.map((i) => transcript[i]?.text).join('\n')
  const known =
    owner === null ? undefined : (speakers.get(keyOf(owner)) ?? (isVerbatim(owner, said) ? owner : undefined))
  const isDue = due !== null && isVerbatim(due, said) && lettersOf(withoutMarkup(due)) === lettersOf(due)
  return {
    ...checked,
    ...(known === undefined ? {} : { owner: insideSentence(withoutMarkup(known)) }),
    ...(isDue ? { due: insideSentence(due) } : {}),
  }
}

function withSpeaker(
  checked: Decision | null,
  speaker: string | undefined,
  transcript: readonly TranscriptEntry[],
): Question | null {
  const isAsked = speaker !== undefined && checked?.citations.some((i) => transcript[i]?.speaker === speaker)
  return isAsked ? ({ ...checked, speaker } as Question) : null
}
