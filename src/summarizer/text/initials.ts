// Text with initials and dotted abbreviations in, the same text without dots that would seem to end a sentence out.

import { stopWords } from '../language/stop-words.ts'

const languages = Object.values(stopWords)
/** "Then", "We", "Das": a word that begins a sentence and is not a name. */
const isCommonWord = (word: string) => languages.some((words) => words.has(word.toLowerCase()))

const initials = /(?<![\p{L}\p{N}.'])((?:\p{Lu}\. ){1,4})(?=(\p{Lu}[\p{L}'-]{1,40}))/gu
/** How far back the preceding word is looked for. */
const wordBeforeChars = 40
/** Things that a letter distinguishes: "plan B. Revenue fell" are two sentences. */
const letteredThing =
  /^(?:plan|option|variante?|type?|version|phase|part|teil|grade|vitamin|team|gruppe|group|class|klasse|series|serie|point|punkt|letter|anbieter|vendor|kunde|customer|client|a|an|the|ein|eine)$/i

/** Removes the dots of initials: "Mr. J. Brown" and "J. P. Morgan" end no sentence. */
export function removeInitialDots(text: string): string {
  return text.replace(initials, (all, run: string, next: string, offset: number) => {
    const isName = !isCommonWord(next) && (run.length > 3 || (run !== 'I. ' && canPrecedeName(text, offset)))
    return isName ? run.replaceAll('.', '') : all
  })
}

/**
 * Whether a name can begin at `offset`: first in the text, after another name, or after a word such as "to" or "and".
 */
function canPrecedeName(text: string, offset: number): boolean {
  const before = /(?<![\p{L}'-])([\p{L}'-]+),? $/u.exec(text.slice(Math.max(0, offset - wordBeforeChars), offset))?.[1]
  if (before === undefined) return true
  return !letteredThing.test(before) && (/^\p{Lu}/u.test(before) || isCommonWord(before))
}

const dottedLetters =
  /(?<![\p{L}\p{N}])((?:\p{L}\.){1,5}\p{L}|z\. B|d\. h|u\. a|i\. d\. R)\.(?=(?: (\p{L}[\p{L}'-]{0,40}))?)/gu
/** The sentence always continues after these, whatever letter follows. */
const neverEndsSentence = /^(?:eg|ie|cf|zB|dh|ua|idR)$/i

/** "a.m." becomes "am". It keeps its last dot where another sentence begins: "at 5 p.m. Then we go." */
export function removeLetterDots(text: string): string {
  return text.replace(dottedLetters, (_, dotted: string, next: string | undefined) => {
    const letters = dotted.replace(/[. ]/g, '')
    const isEnd = next !== undefined && /^\p{Lu}/u.test(next) && isCommonWord(next) && !neverEndsSentence.test(letters)
    return isEnd ? `${letters}.` : letters
  })
}
