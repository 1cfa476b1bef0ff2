import { answerFloor, answerQuestion, type LocalAnswer } from '../../src/retrieval/answering/answer-question.ts'
import type { Passage } from '../../src/retrieval/answering/passage.ts'
import { passageSentences } from '../../src/retrieval/answering/passage-sentences.ts'
import { cutDocument } from '../../src/retrieval/chunks/cut-document.ts'
import { allWords, coverDensity, wordOverlap } from './baselines.ts'
import { buildCollection, type Chunk, type Indexed, type Ranking, rankedUnits, toPassage } from './collection.ts'
import type { Article } from './data.ts'
import type { Figure } from './figure.ts'
import { mean, ndcgAt10, refusals } from './scores.ts'

const passagesMax = 20

type XquadLanguage = 'en' | 'de'
const targets = {
  en: { ndcg: 0.96, first: 0.76, three: 0.9, refused: 0.9 },
  de: { ndcg: 0.93, first: undefined, three: 0.83, refused: 0.83 },
}

/** What one question showed: for this engine, and for `ts_rank_cd` and "all words" where they have such a figure. */
type Seen = {
  half: number
  ndcg: [ours: number, cover: number, all: number]
  first: [ours: boolean, cover: boolean, all: boolean]
  isInThree: boolean
  /** `answerQuestion`'s share, and whether any chunk had all words: with the article, and without it. */
  borne: { with: number; without: number }
  hasAllWords: { with: boolean; without: boolean }
}

/** XQuAD: each paragraph is a document without a title, and each question is asked of all of them. */
export function measureArticles(articles: Article[], language: XquadLanguage): Figure[] {
  const paragraphs = articles.flatMap((it) => it.paragraphs)
  const { rank } = buildCollection(
    paragraphs.flatMap(({ text, article }, unit) => toChunks(text, { unit, article, language })),
    [language],
  )
  const seen = paragraphs.flatMap(({ article, questions }, unit) =>
    questions.map(({ text, answers }): Seen => {
      const whole = rank(text, () => true)
      const without = rank(text, ({ group }) => group !== article)
      const passages = whole.ranked.slice(0, passagesMax).map(toPassage)
      const answer = ask(text, whole, passages)
      const quotes = quotesOf(answer, passages)
      const has = (quote: string | undefined) => answers.some((it) => quote?.includes(it))
      const [cover, all] = [coverDensity(whole), allWords(whole)]
      return {
        half: article % 2,
        ndcg: [ndcgAt10(rankedUnits(whole.ranked), unit), ndcgAt10(unitsOf(cover), unit), ndcgAt10(unitsOf(all), unit)],
        first: [has(quotes[0]), has(baselineQuote(text, cover, language)), has(baselineQuote(text, all, language))],
        isInThree: quotes.some(has),
        borne: {
          with: answer.borne,
          without: ask(text, without, without.ranked.slice(0, passagesMax).map(toPassage)).borne,
        },
        hasAllWords: { with: all.length > 0, without: allWords(without).length > 0 },
      }
    }),
  )
  return toFigures(seen, language)
}

function toChunks(
  text: string,
  { unit, article, language }: { unit: number; article: number; language: XquadLanguage },
): Chunk[] {
  const chunks = cutDocument([{ kind: 'paragraph', level: null, page: null, text }])
  return chunks.map((it) => ({ unit, group: article, text: it.text, title: '', headings: it.headings, language }))
}

const ask = (question: string, { terms, statistics }: Ranking, passages: Passage[]) =>
  answerQuestion({ question, terms, statistics, passages })

const quotesOf = ({ quotes, closest }: LocalAnswer, passages: Passage[]) =>
  [...quotes, ...closest].map(({ passage, start, end }) => passages[passage]?.text.slice(start, end))

const unitsOf = (chunks: Indexed[]) => [...new Set(chunks.map(({ unit }) => unit))]

/** The sentence of the best chunk with most words of the question. */
function baselineQuote(question: string, [best]: Indexed[], language: XquadLanguage): string | undefined {
  if (best === undefined) return undefined
  const sentences = passageSentences({ ...best, score: 0 }).map(({ start, end }) => best.text.slice(start, end))
  return wordOverlap(question, sentences, language)
}

function toFigures(seen: Seen[], language: XquadLanguage): Figure[] {
  const target = targets[language]
  const three = <T>(pick: (it: Seen) => [T, T, T]) =>
    ([0, 1, 2] as const).map((i) => mean(seen.map((it) => Number(pick(it)[i])))) as [number, number, number]
  const [ndcg, ndcgCover, ndcgAll] = three((it) => it.ndcg)
  const [first, firstCover, firstAll] = three((it) => it.first)
  const { answered, refused } = refusals(seen.map(({ half, borne }) => ({ half, ...borne })))
  const floor = answerFloor(language)
  const name = `XQuAD ${language}`
  return [
    { name: `${name}: nDCG@10 of paragraphs`, ours: ndcg, cover: ndcgCover, all: ndcgAll, target: target.ndcg },
    {
      name: `${name}: answer within the first quote`,
      ours: first,
      cover: firstCover,
      all: firstAll,
      target: target.first,
    },
    {
      name: `${name}: answer within three quotes`,
      ours: mean(seen.map((it) => Number(it.isInThree))),
      target: target.three,
    },
    {
      name: `${name}: answered, by the other half's threshold`,
      ours: answered,
      all: mean(seen.map((it) => Number(it.hasAllWords.with))),
    },
    {
      name: `${name}: refused without its article`,
      ours: refused,
      all: mean(seen.map((it) => Number(!it.hasAllWords.without))),
      target: target.refused,
    },
    {
      name: `${name}: answered, by the built-in floor`,
      ours: mean(seen.map(({ borne }) => Number(borne.with >= floor))),
    },
    {
      name: `${name}: refused, by the built-in floor`,
      ours: mean(seen.map(({ borne }) => Number(borne.without < floor))),
    },
  ]
}
