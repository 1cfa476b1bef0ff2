// A checked draft and the local summary in, the sections of a detailed summary out: the model's sentences, filled up
// with local ones.

import { type Composition, composition } from '../compose/composition.ts'
import type { Frames } from '../compose/frames/english.ts'
import type { SummarySection, SummarySentence } from '../summary.ts'
import { countWords } from '../text/word-counts.ts'
import type { CheckedDraft } from './check-draft.ts'
import type { CheckedSentence } from './check-sentence.ts'

const wordsMax = 690
const growToWords = 560
const padBelowWords = 430
const overviewSentences = 3
const questionsShown = 4

export type DetailedParts = {
  local: readonly SummarySection[]
  draft: CheckedDraft
  frames: Frames
  /** More sentences of the local engine to reach the length. Called only where they are needed. */
  padding: () => SummarySentence[]
}

/**
 * 400 to 700 words by every way of counting, with a part for each person. Sentences of the model come first; the local
 * engine's fill the gaps.
 */
export function detailedFromDraft({ local, draft, frames, padding }: DetailedParts): SummarySection[] {
  const { headings } = frames
  const text = composition(sectionOrder(local, headings))
  const localSentences = (heading: string) => local.find((it) => it.heading === heading)?.sentences ?? []
  for (const sentence of localSentences(headings.overview)) text.add(headings.overview, sentence, wordsMax)
  addContributions(text, localSentences(headings.contributions), { draft, headings })
  addOutcomes(text, { draft, frames, localSentences })
  const personal = local.filter(({ heading }) => !(Object.values(headings) as string[]).includes(heading))
  const isReplaced = draft.decisions.length + draft.actionItems.length > 0
  for (const { heading, sentences } of personal)
    for (const it of sentences) if (!isReplaced || it.role !== 'gap') text.add(heading, it, growToWords)
  for (const [i, it] of draft.sentences.entries())
    text.add(i < overviewSentences ? headings.overview : headings.points, byModel(it), growToWords)
  addQuestions(text, draft, frames)
  const course = localSentences(headings.course)
  const courseWords = Math.max(...countWords([headings.course, ...course.map((it) => it.text)].join(' ')))
  // Whole or not at all: its first lines would read like the whole.
  if (text.fewestWords() < padBelowWords + 50 && text.mostWords() + courseWords <= growToWords)
    for (const it of course) text.add(headings.course, it, growToWords)
  const more = [
    ...localSentences(headings.points).map((it) => [headings.points, it] as const),
    ...furtherSentences(localSentences(headings.contributions)).map((it) => [headings.contributions, it] as const),
  ]
  for (const [heading, it] of more) if (text.fewestWords() < padBelowWords + 50) text.add(heading, it, growToWords)
  if (text.fewestWords() < padBelowWords) addPadding(text, padding(), headings.about)
  return groupBySpeaker(text.sections(), headings.contributions)
}

const byModel = ({ text, citations }: CheckedSentence): SummarySentence => ({ text, citations, basis: 'speech' })

function sectionOrder(local: readonly SummarySection[], headings: Frames['headings']): string[] {
  const { overview, course, points, contributions, decisions, actions, questions, about } = headings
  const base: string[] = [overview, course, points, contributions, decisions, actions, questions]
  const personal = local.map(({ heading }) => heading).filter((it) => !base.includes(it) && it !== about)
  return [...base, ...personal, about]
}

/** The first sentence of each person and of each group. All others are further sentences. */
const firstSentences = (sentences: readonly SummarySentence[]) =>
  sentences.filter(
    ({ speaker }, i) => speaker === undefined || sentences.findIndex((it) => it.speaker === speaker) === i,
  )
const furtherSentences = (sentences: readonly SummarySentence[]) => {
  const first = new Set(firstSentences(sentences))
  return sentences.filter((it) => !first.has(it))
}

/** The local sentence of each person always fits. The model's sentence replaces it where all others still fit. */
function addContributions(
  text: Composition,
  sentences: readonly SummarySentence[],
  { draft: { contributions }, headings }: { draft: CheckedDraft; headings: Frames['headings'] },
) {
  const parts = firstSentences(sentences)
  const wordsIn = (it: SummarySentence) => Math.max(...countWords(it.text))
  let owed = parts.reduce((sum, it) => sum + wordsIn(it), 0)
  for (const part of parts) {
    owed -= wordsIn(part)
    const written = part.speaker === undefined ? undefined : contributions.get(part.speaker)
    const sentence = written && withFigures(part, written)
    // Leaves space for the headings and the decisions.
    if (!sentence || !text.add(headings.contributions, sentence, wordsMax - owed - 40))
      text.add(headings.contributions, part, wordsMax)
  }
}

/** "Ann argued ..." becomes "Ann (34%) argued ...". */
function withFigures(part: SummarySentence, { text, citations }: CheckedSentence): SummarySentence | null {
  const [, subject, name = ''] = /^((.*?) \([^()]{0,12}\d+%\))/u.exec(part.text) ?? []
  if (subject === undefined || part.speaker === undefined) return null
  const words = text.startsWith(`${name} `) ? text.slice(name.length) : `: ${text}`
  return { text: `${subject}${words}`, citations, basis: 'speech', speaker: part.speaker }
}

function addOutcomes(
  text: Composition,
  {
    draft,
    frames: { headings, noDate, noOwner },
    localSentences,
  }: { draft: CheckedDraft; frames: Frames; localSentences: (heading: string) => SummarySentence[] },
) {
  const decisions = draft.decisions
    .slice(0, 6)
    .map(({ text: words, citations }) => byModel({ text: `${words}.`, citations }))
  const actions = draft.actionItems.slice(0, 8).map(({ text: words, owner, due, citations }) => {
    const when = due ?? noDate
    return byModel({ text: `${owner ?? noOwner}: ${words} (${when}).`, citations })
  })
  const placed = [
    [headings.decisions, decisions],
    [headings.actions, actions],
  ] as const
  for (const [heading, written] of placed) {
    for (const [i, it] of written.entries()) text.add(heading, it, i === 0 ? wordsMax : growToWords)
    if (!text.has(heading)) for (const it of localSentences(heading)) text.add(heading, it, wordsMax)
  }
}

function addQuestions(text: Composition, { questions }: CheckedDraft, { headings, asked, unnamed }: Frames) {
  for (const { text: words, speaker, citations } of questions.slice(0, questionsShown)) {
    const who = /^[\p{Lu}\p{Lo}][\p{L}\p{M} '-]{0,60}$/u.test(speaker) ? speaker : unnamed
    text.add(headings.questions, byModel({ text: asked(who, words), citations }), growToWords)
  }
}

function addPadding(text: Composition, sentences: readonly SummarySentence[], heading: string) {
  for (const it of sentences) {
    if (text.fewestWords() >= padBelowWords) return
    text.add(heading, it, wordsMax)
  }
}

/** Puts the sentences of each person together. */
function groupBySpeaker(sections: readonly SummarySection[], contributions: string): SummarySection[] {
  return sections.map(({ heading, sentences }) => {
    if (heading !== contributions) return { heading, sentences }
    const order = new Map<string | undefined, number>()
    for (const { speaker } of sentences) if (!order.has(speaker)) order.set(speaker, order.size)
    return {
      heading,
      sentences: sentences.toSorted((a, b) => (order.get(a.speaker) ?? 0) - (order.get(b.speaker) ?? 0)),
    }
  })
}
