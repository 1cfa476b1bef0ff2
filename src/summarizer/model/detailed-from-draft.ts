// A checked draft and the local summary in, the sections of a detailed summary out: the model's sentences, filled up
// with local ones.

import { type Composition, composition } from '../compose/composition.ts'
import { headings } from '../compose/detailed-summary.ts'
import type { SummarySection, SummarySentence } from '../summary.ts'
import { countWords } from '../text/word-counts.ts'
import type { CheckedDraft } from './check-draft.ts'
import type { CheckedSentence } from './check-sentence.ts'

const wordsMax = 690
const growToWords = 560
const padBelowWords = 430
const overviewSentences = 3
const questionsShown = 4

/** Sentences of the local engine that would be untrue in a summary written by a model. */
const untrueOfModel =
  /No language model|Sentences are chosen by|Everything else that is quoted|The same transcript always|Nothing in this section reports/

/**
 * Sentences about missing decisions, owners or dates. They are dropped where the model found what the local engine
 * missed.
 */
const tellsOfGaps = /\b(?:decision|action item|owner|date)\b/i

export type DetailedParts = {
  local: readonly SummarySection[]
  draft: CheckedDraft
  /** More sentences of the local engine to reach the length. Called only where they are needed. */
  padding: () => SummarySentence[]
}

/**
 * 400 to 700 words by every way of counting, with a part for each person. Sentences of the model come first; the local
 * engine's fill the gaps.
 */
export function detailedFromDraft({ local, draft, padding }: DetailedParts): SummarySection[] {
  const text = composition(sectionOrder(local))
  const localSentences = (heading: string) => local.find((it) => it.heading === heading)?.sentences ?? []
  for (const sentence of localSentences(headings.overview)) text.add(headings.overview, sentence, wordsMax)
  addContributions(text, localSentences(headings.contributions), draft)
  addOutcomes(text, { draft, localSentences })
  const personal = local.filter(({ heading }) => !(Object.values(headings) as string[]).includes(heading))
  const isReplaced = draft.decisions.length + draft.actionItems.length > 0
  for (const { heading, sentences } of personal)
    for (const it of sentences) if (!isReplaced || !tellsOfGaps.test(it.text)) text.add(heading, it, growToWords)
  for (const [i, it] of draft.sentences.entries())
    text.add(i < overviewSentences ? headings.overview : headings.points, byModel(it), growToWords)
  addQuestions(text, draft)
  const more = [
    ...localSentences(headings.points).map((it) => [headings.points, it] as const),
    ...furtherSentences(localSentences(headings.contributions)).map((it) => [headings.contributions, it] as const),
  ]
  for (const [heading, it] of more) if (text.fewestWords() < padBelowWords + 50) text.add(heading, it, growToWords)
  if (text.fewestWords() < padBelowWords) addPadding(text, padding())
  return groupBySpeaker(text.sections())
}

const byModel = ({ text, citations }: CheckedSentence): SummarySentence => ({ text, citations, basis: 'speech' })

function sectionOrder(local: readonly SummarySection[]): string[] {
  const { overview, points, contributions, decisions, actions, questions, about } = headings
  const base: string[] = [overview, points, contributions, decisions, actions, questions]
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
function addContributions(text: Composition, sentences: readonly SummarySentence[], { contributions }: CheckedDraft) {
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
  const [, subject, name = ''] = /^((.*?) \((?:under )?\d+%\))/u.exec(part.text) ?? []
  if (subject === undefined || part.speaker === undefined) return null
  const words = text.startsWith(`${name} `) ? text.slice(name.length) : `: ${text}`
  return { text: `${subject}${words}`, citations, basis: 'speech', speaker: part.speaker }
}

function addOutcomes(
  text: Composition,
  { draft, localSentences }: { draft: CheckedDraft; localSentences: (heading: string) => SummarySentence[] },
) {
  const decisions = draft.decisions
    .slice(0, 6)
    .map(({ text: words, citations }) => byModel({ text: `${words}.`, citations }))
  const actions = draft.actionItems.slice(0, 8).map(({ text: words, owner, due, citations }) => {
    const when = due ?? 'no date'
    return byModel({ text: `${owner ?? 'No owner'}: ${words} (${when}).`, citations })
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

function addQuestions(text: Composition, { questions }: CheckedDraft) {
  for (const { text: words, speaker, citations } of questions.slice(0, questionsShown)) {
    const who = /^[\p{Lu}\p{Lo}][\p{L}\p{M} '-]{0,60}$/u.test(speaker) ? speaker : 'A participant'
    text.add(headings.questions, byModel({ text: `${who} asked: ${words}?`, citations }), growToWords)
  }
}

function addPadding(text: Composition, sentences: readonly SummarySentence[]) {
  for (const it of sentences) {
    if (text.fewestWords() >= padBelowWords) return
    if (!untrueOfModel.test(it.text)) text.add(headings.about, it, wordsMax)
  }
}

/** Puts the sentences of each person together. */
function groupBySpeaker(sections: readonly SummarySection[]): SummarySection[] {
  return sections.map(({ heading, sentences }) => {
    if (heading !== headings.contributions) return { heading, sentences }
    const order = new Map<string | undefined, number>()
    for (const { speaker } of sentences) if (!order.has(speaker)) order.set(speaker, order.size)
    return {
      heading,
      sentences: sentences.toSorted((a, b) => (order.get(a.speaker) ?? 0) - (order.get(b.speaker) ?? 0)),
    }
  })
}
