// A spoken sentence in, the features out that tell whether a reader finds it readable and useful.

import { functionWords } from '../language/function-words.ts'
import { type Readability, speaker } from './readability.ts'

/** Features of English sentences that are counted, up to `countMax`. */
const cues = {
  /** What people do in any meeting, and the order in which they do it. */
  process:
    /(?<![\p{L}'])(?:process(?:es)?|phases?|stages?|steps?|tasks?|projects?|meetings?|today|minutes|agenda|slides?|papers?|items?|work(?:ing|ed)?|done|time|functional|technical|design|start(?:ed|ing)?|first|second|third|next|last|other|another|documents?|sessions?|notes?|reports?|say(?:ing)?|said|talk(?:ed|ing)?|discuss(?:ed|ing)?|tell|told|show|ask(?:ed|ing)?|mention(?:ed)?|questions?|ideas?|present(?:ed|ing|ations?)?|look(?:ed|ing)|email|information|decid(?:e|ed|ing)|decisions?|points?|discussions?|conversations?)(?![\p{L}'])/giu,
  /** Nobody who was not there knows what is meant. */
  vague:
    /(?<![\p{L}'])(?:things?|stuff|something|anything|everything|whatever|some|certain|those|these|this|same|here|different|bit|lots?|kind|sort|right|again|everybody|somebody)(?![\p{L}'])/giu,
  /** What something costs, who wants it, and whether it is any good. */
  value:
    /(?<![\p{L}'])(?:costs?|prices?|money|pay|buy|sell(?:ing)?|profit|market|customers?|users?|people|consumers?|eas(?:y|ier)|hard(?:er)?|difficult|expensive|cheap(?:er)?|important|better|best|useful|prefer|wants?|wanna|needs?|problems?|risk|safe|feel|nice|available|possible|impossible|enough|too)(?![\p{L}'])/giu,
  opinion: /(?<![\p{L}'])(?:think|believe|guess|suppose|feel)(?![\p{L}'])/giu,
  figure: /\d|(?<!\p{L})(?:percent|million|thousand|hundred|twenty|thirty|forty|fifty|euros?|dollars?)(?!\p{L})/giu,
  not: /(?<!\p{L})not(?!\p{L})|n't(?!\p{L})/giu,
  must: /(?<![\p{L}'])(?:should|must|needs?|will|ought)(?![\p{L}'])/giu,
  is: /(?<!\p{L})(?:is|are|be)(?!\p{L})/giu,
  past: /(?<!\p{L})(?:was|were|had|did|went|came|saw|got)(?!\p{L})/giu,
  we: /(?<![\p{L}'])(?:we|our|us|we're|we'll|we've)(?![\p{L}'])/giu,
  /** "We're going to", "I've": what those who are there are about to do, or have done. */
  doings:
    /(?<!\p{L})(?:we(?:'re| are) (?:going|gonna|trying|looking|doing)|we(?:'ll| will)|we(?:'ve| have) (?:to|got|been|done|already)|I(?:'ve| have|'ll| will| was| had| went| saw| met| used to)|let's|let me|my (?:mother|father|wife|husband|friends?|house|home)|(?:have|need) to (?:briefly )?(?:discuss|talk|look|decide|think|go|figure|(?:make|take) a decision))(?!\p{L})/giu,
  /** "The other one is": which one? */
  ordinals:
    /^(?:the )?(?:one|another|other|first|second|third|next|last) (?:one |thing )?(?:is|are|was|were)(?!\p{L})/giu,
  clauses:
    /(?<!\p{L})(?:I|we|you|they|he|she|it|there|people|who|which|that)(?:'\p{L}+| (?:is|are|was|were|have|has|had|do|does|did|will|would|can|could|should|want|need|think)(?!\p{L}))/giu,
  capitals: /(?<=.)(?<!\p{L})\p{Lu}\p{Ll}+/gu,
} as const
const countMax = 4

/** Features of English sentences that are there or not. */
const marks = {
  hasAuxiliary: /(?<!\p{L})(?:is|are|was|were|has|have|will|can|should|must|could|would)(?!\p{L})/iu,
  isOfSpeaker: speaker,
  startsWithI: /^I(?!\p{L})/u,
  startsWithWe: /^(?:we|our)(?!\p{L})/iu,
  startsWithArticle: /^(?:the|an?)(?!\p{L})/iu,
  startsWithCondition: /^(?:if|when)(?!\p{L})/iu,
  startsWithPreposition: /^(?:in|on|at|for|with|by|from|of|to|after|before|under)(?!\p{L})/iu,
} as const

type Cue = keyof typeof cues
type Mark = keyof typeof marks
export const englishNames = [
  ...(Object.keys(cues) as Cue[]),
  ...(Object.keys(marks) as Mark[]),
  'functionWords',
  'wordLength',
] as const
export const usefulnessNames = ['length', 'contentWords', 'likely', 'isWeak', 'commas', ...englishNames] as const
/** What only English words tell. */
export type EnglishFeatures = Record<(typeof englishNames)[number], number>
export type UsefulnessFeatures = Record<(typeof usefulnessNames)[number], number>

const functionWordSet = new Set(functionWords)
const wordLengthMax = 8

function englishFeatures(text: string, words: readonly string[]): EnglishFeatures {
  const counted = Object.entries(cues).map(([name, cue]) => [name, Math.min(text.match(cue)?.length ?? 0, countMax)])
  const marked = Object.entries(marks).map(([name, mark]) => [name, Number(mark.test(text))])
  const share = words.filter((word) => functionWordSet.has(word)).length / words.length
  const wordLength = words.reduce((sum, word) => sum + Math.min(word.length, 2 * wordLengthMax), 0) / words.length
  return {
    ...(Object.fromEntries([...counted, ...marked]) as Record<Cue | Mark, number>),
    functionWords: share,
    wordLength: Math.min(wordLength, wordLengthMax),
  }
}

export type JudgedSentence = {
  text: string
  words: readonly string[]
  terms: readonly string[]
  readability: Readability
  likely: number
}

/**
 * @param likely how many words of a person's summary the sentence has, as far as is expected
 * @param average stands in for what English words tell where the sentence is not English
 */
export function usefulnessFeatures(
  { text, words, terms, readability, likely }: JudgedSentence,
  { language, average }: { language: string; average: EnglishFeatures },
): UsefulnessFeatures {
  return {
    length: Math.log(words.length),
    contentWords: Math.log(1 + new Set(terms).size),
    likely,
    isWeak: Number(readability === 'weak'),
    commas: (text.match(/[,\u060c\u3001\uff0c]/g)?.length ?? 0) / words.length,
    ...(language.startsWith('en') ? englishFeatures(text, words) : average),
  }
}
