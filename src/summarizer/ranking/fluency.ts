// A spoken sentence in, whether it reads like a written one out.

import { pairsInEditedSpeech } from '../language/function-word-pairs.ts'
import { functionWords } from '../language/function-words.ts'

const places = new Map(functionWords.map((word, i) => [word, i]))
const clauseMark = /[,;:()\u2013\u2014]/

/** "The the", "I it's", "to of": a pair of function words that nobody writes shows a sentence that was begun again. */
function hasUnwrittenPair(text: string): boolean {
  return text
    .toLowerCase()
    .split(clauseMark)
    .some((clause) => {
      const words = clause.match(/[\p{L}\p{N}']+/gu) ?? []
      return words.some((word, at) => {
        const [row, next] = [pairsInEditedSpeech[places.get(word) ?? -1], places.get(words[at + 1] ?? '')]
        return row !== undefined && next !== undefined && !hasBit(row, next)
      })
    })
}

const hasBit = (row: string, bit: number) => (Number.parseInt(row[bit >> 2] ?? '0', 16) & (1 << (bit & 3))) !== 0

/** "As far as", "more and more", "to go to", "I think I": a word that may stand twice within three. */
const repeatable = /^(?:as|to|and|or|in|by|i|we|you|he|she|it|they)$/
const joinsRepetition = /^(?:and|by|after|or|to|for|versus|than)$/

/** "Pump up the vo pump up the volume": two words that come again within six. */
function isPairRepeated(words: readonly string[]): boolean {
  const last = new Map<string, number>()
  return words.some((word, at) => {
    const pair = `${word} ${words[at + 1]}`
    const before = last.get(pair)
    last.set(pair, at)
    return at + 1 < words.length && before !== undefined && at - before <= repeatedWithin
  })
}
const repeatedWithin = 6

/** A word that was said twice within three words, because the sentence was begun again. */
function isBegunTwice(words: readonly string[]): boolean {
  return words.some(
    (word, at) =>
      word === words[at + 1] ||
      (word === words[at + 2] && !repeatable.test(word) && !joinsRepetition.test(words[at + 1] ?? '')),
  )
}

/** "Crite criteria", "I const I constructed": a word that was broken off, or may have been. */
const isBrokenOff = (words: readonly string[]) =>
  words.some(
    (word, at) =>
      word.length > 1 &&
      !places.has(word) &&
      words
        .slice(at + 1, at + 4)
        .some(
          (next) =>
            next.length > word.length &&
            next.startsWith(word) &&
            !/^(?:s|es|ed|d|r|er|ing|ly)$|'/.test(next.slice(word.length)),
        ),
  )

/** "All the ti", "market share fro for": pieces of words. */
const piece =
  /(?<![\p{L}\p{N}'.-])(?!(?:am|an|as|at|be|by|do|go|he|hi|if|in|is|it|me|my|no|of|oh|ok|on|or|so|to|tv|up|us|we|vs|pm|mm|cm|km|ml|kg|mr|ms|dr|ex|re|de|la|le|al|et|ad|id|pi|mu|nu)(?!\p{L}))(?:\p{Ll}{2}|fro|becau|becaus|tha|thi|wou|woul|cou|coul|shou|shoul|abou|wha|whe|wher|ther|thes|thos|mor|som|peo|peop|anoth|jus|lik|reall|proba|defin)(?![\p{L}\p{N}'.-])/u

/** A capital within a sentence, of a word that is no name, begins another sentence. */
const restart =
  /[\p{Ll},] (?:The|We|You|It|It's|They|And|So|But|That|That's|This|What|If|There|There's|He|She|Is|Are|To|Because|Yeah|No|Or|Well|My|Like|Just|Do|Okay)(?![\p{L}'])/u
const sounds =
  /(?<![\p{L}\p{N}'-])(?:th|eh|uh|um|wh|sh|st|ha|hm|mm|hmm|huh|kay|yeah|blah|whatsit|dunno|et cetera et)(?![\p{L}\p{N}'-])/iu
const loneLetter = /(?<![\p{L}\p{N}'.-])[b-hj-z](?![\p{L}\p{N}'.-])/u
const doubleVerb =
  /\b(?:is|are|was) (?:the|a|an) (?:\p{L}+ ){1,3}(?:is|are|was)\b|\bthis the\b|^[B-HJ-Z](?=[ ,])(?! -)/u
/** "An lot", "a evaluation". */
const wrongArticle = /\b(?:an (?!h|one|u|x)[b-df-gj-np-tvwyz]\p{Ll}|a (?!one|u|eu)[aeio]\p{Ll})/u
/** "We still we had to". A verb between them says something: "we decided we will". */
const subjectAgain =
  /(?<![\p{L}'])(we|i|you|they|he|she) (?:still|just|also|really|actually|now|then|always|maybe|probably|basically|kinda) \1(?!\p{L})/iu
const tooLoose = /\b(?:like|you know|I mean|kind of|sort of)\b.*\b(?:like|you know|I mean|kind of|sort of)\b/i

/** Whether nothing shows that the speaker stumbled. Only English has a table of pairs; other languages pass more. */
export function isFluent({ text, words }: { text: string; words: readonly string[] }, language: string): boolean {
  if (isBegunTwice(words) || isPairRepeated(words)) return false
  if (!language.startsWith('en')) return true
  return !(
    restart.test(text) ||
    sounds.test(text) ||
    loneLetter.test(text) ||
    piece.test(text) ||
    doubleVerb.test(text) ||
    wrongArticle.test(text) ||
    subjectAgain.test(text) ||
    tooLoose.test(text) ||
    isBrokenOff(words) ||
    hasUnwrittenPair(text)
  )
}
