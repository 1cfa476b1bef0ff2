import { insideSentence, withoutFillers, withoutMarkup, withUsualSpaces } from './clean-text.ts'
import { openings } from './cues.ts'

/** More words than a listener follows; longer speech is cut where a clause begins. */
const sentenceWordsMax = 38
/** Entries longer than this are cut before segmenting, so that no text costs more than its length. */
const chunkSizeChars = 4000
const sentenceCharsMax = 260

const opening = new RegExp(
  `^(?:${openings.toSorted((a, b) => b.length - a.length).join('|')})(?![\\p{L}\\p{N}'])[ ,.:;-]*`,
  'iu',
)
const clauseStart = /^(?:and|but|so|because|then|which|or|while|und|aber|weil|et|mais|y|pero)$/i

/** A sentence said: `text` has no end mark. `disfluency` is the share of it that was left out as fillers and false starts. */
export type Sentence = { text: string; isQuestion: boolean; disfluency: number }

const segmenters = new Map<string, Intl.Segmenter>()
function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language)
  if (known) return known
  const made = new Intl.Segmenter(language === 'und' ? 'en' : language, { granularity: 'sentence' })
  segmenters.set(language, made)
  return made
}

/** The sentences of one entry in their order, cleaned, without openings such as "So, well,". */
export function sentencesOf(text: string, language: string): Sentence[] {
  const isEnglish = language.startsWith('en')
  const found: Sentence[] = []
  for (const chunk of chunksOf(withUsualSpaces(withoutMarkup(text)).replace(endBeforeSmall, '$1\n'))) {
    for (const { segment } of segmenterOf(language).segment(chunk)) {
      const isAsked = /[?\uff1f\u061f][\s'\u201d)\uff09]*$/u.test(segment)
      for (const part of clausesOf(insideSentence(segment))) {
        const sentence = withoutOpening(withoutFillers(part, isEnglish))
        if (!/[\p{L}\p{N}]/u.test(sentence)) continue
        const isQuestion = isAsked && (!isEnglish || asks.test(sentence) || sentence.length < 40)
        found.push({ text: sentence, isQuestion, disfluency: 1 - sentence.length / Math.max(1, part.length) })
      }
    }
  }
  return found
}
/** The dots of abbreviations are gone by now, so a small letter after an end mark is a recognizer's, which writes no capitals. */
const endBeforeSmall = /([.!?]) +(?=\p{Ll})/gu
const asks =
  /(?:^|, |\b(?:and|so|but) )(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|don't|doesn't|isn't|aren't|can|could|should|shall|will|would|may|have|has|had|am|any)\b/i

function chunksOf(text: string): string[] {
  const chunks: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = from + chunkSizeChars
    const space = end < text.length ? text.lastIndexOf(' ', end) : -1
    const to = space > from ? space : end
    chunks.push(text.slice(from, to))
    from = to
  }
  return chunks
}

/** Without punctuation, a speech of minutes is one sentence; it is cut before a conjunction, else where it gets too long. */
function clausesOf(sentence: string): string[] {
  const words = sentence.split(' ')
  if (words.length <= sentenceWordsMax) return sentence.length <= sentenceCharsMax ? [sentence] : byLength(sentence)
  const clauses: string[] = []
  let clause: string[] = []
  for (const word of words) {
    const isBreak =
      clause.length >= sentenceWordsMax ||
      (clause.length >= 14 && (clauseStart.test(word) || clause.at(-1)?.endsWith(',')))
    if (isBreak) {
      clauses.push(clause.join(' '))
      clause = []
    }
    clause.push(word)
  }
  clauses.push(clause.join(' '))
  return clauses.flatMap((it) => (it.length <= sentenceCharsMax ? [insideSentence(it)] : byLength(it)))
}

/** Cuts before a space where there is one: scripts without spaces, and blobs, are cut anywhere. */
function byLength(text: string): string[] {
  const parts: string[] = []
  let rest = Array.from(text)
  while (rest.length > partChars) {
    const space = rest.lastIndexOf(' ', partChars)
    const to = space > 0 ? space : partChars
    parts.push(insideSentence(rest.slice(0, to).join('')))
    rest = rest.slice(to)
  }
  return [...parts, insideSentence(rest.join(''))]
}
const partChars = 80

function withoutOpening(sentence: string): string {
  let rest = sentence
  for (let i = 0; i < 4; i += 1) {
    const next = rest.replace(opening, '')
    if (next === rest || next === '') break
    rest = next
  }
  return insideSentence(rest)
}
