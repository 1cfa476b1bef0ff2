// Raw text of a transcript in, text that is safe to quote out: without markup, links, noise, fillers and false starts.

import { abbreviations, fillers, linkEndings } from './cleaning-words.ts'
import { removeInitialDots, removeLetterDots } from './initials.ts'

// Each repetition here is bounded or consumes what it reads, so each pattern passes over the text once, whatever the
// text.
const markupTag = /<[^<>]{0,500}>/g
const bracketedNoise =
  /\{[^{}]{0,60}\}|\[[^[\]]{0,60}\]\(?|\((?:laugh|cough|sigh|inaudible|applause|music|crosstalk|noise)[^()]{0,40}\)/giu
/** How transcripts write that a speaker broke off, or that words are missing. A dash or dots mean it only at the end. */
const breakOff =
  /\{(?:disf|gap|inaudible|unclear|crosstalk)[^{}]{0,50}\}|\[(?:inaudible|unintelligible|unclear|crosstalk|interruption)[^[\]]{0,40}\]|\((?:inaudible|unintelligible|unclear|crosstalk)[^()]{0,40}\)|(?:--|\u2014|\.{3}|\u2026)(?=\s*(?:\n|$))/giu
const webOrMailAddress =
  /(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.|mailto:|javascript:|data:)\S*|[^\s@]{1,64}@[^\s@]{1,255}/gi
const invisible = /(?![\u200c\u200d])[\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu
/** "L_C_D_", "T_V_": how the transcripts of some corpora write abbreviations. */
const spelledOut = /(?<![\p{L}\p{N}_])[A-Za-z]_(?:[A-Za-z]_)+/gu
const markupCharacters = /[<>{}[\]`*_#|\\^~=]+/g
const doubleQuotes = /["\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02\u300c\u300d\u300e\u300f]+/gu
/** A quotation within what is quoted keeps its marks, as single ones. Marks without a partner are removed. */
const quotedWords = /(?<![\p{L}\p{N}"])"(?=[\p{L}\p{N}])([^".!?\n]{1,80})(?<=[\p{L}\p{N},])"(?![\p{L}\p{N}"])/gu
/** "am 20. September", "im 3. Quartal": the dot of an ordinal does not end a sentence. */
const germanOrdinal =
  /(?<!\d)(\d{1,2})\. (?=(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Quartal|Woche|Stock|Etage|Mal|Kapitel|Punkt|Platz|Runde|Jahrhundert|Kalenderwoche)\b)/g
const listMarker = /(^|\n)\s{0,20}(?:\d{1,3}[.)]|[-\u2022\u00b7])\s+/g
const linkLike = new RegExp(
  `(?<![\\p{L}\\p{N}-])[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){0,6}\\.(?:${linkEndings.join('|')})(?![\\p{L}\\p{N}])\\S*`,
  'giu',
)
const abbreviation = new RegExp(`(?<![\\p{L}\\p{N}])(${abbreviations.join('|')})\\.`, 'giu')
/** @param words patterns that each match a whole word */
const fillerPattern = (words: readonly string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}'])(?:${words.join('|')})(?![\\p{L}\\p{N}'])[ ,]*`, 'giu')
const filler = fillerPattern(fillers.any)
const englishFiller = fillerPattern([...fillers.any, ...fillers.en])
const repeatedWords = /(?<![\p{L}\p{N}'])([\p{L}']{1,30}(?: [\p{L}']{1,30}){0,2})(?:,? \1){1,8}(?![\p{L}\p{N}'])/giu

/**
 * "th the", "wh when": a word that was begun twice. Only what has no vowel is removed, because any other piece may be a
 * word: "the car carries", "met Tom tomorrow", "éramos tres y ya fue". A vowelless word in capitals stays too: "TV tvs".
 */
const falseStart = /(?<![\p{L}\p{N}'.-])([b-df-hj-np-tv-xz]{1,4}) (?=\1\p{Ll})/gu
/** In other languages "v", "w", "s" or "k" are words. */
const languagesWithVowels = new Set(['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'])

/** "and, um, nobody", "for, like, somebody": the commas belong to the filler. */
const fillerWithin =
  /(?<![\p{L}\p{N}'])(and|but|or|because|the|a|an|to|of|for|it|in|with),? (?:u+h+m*|u+m+|e+r+m*|like|you know|i mean), /giu
/** "I it's", "the we": one subject was replaced by another. */
const abandonedSubject =
  /(?<![\p{L}\p{N}'])(?:i|we|they|he|she|the|a|it(?= it)) (?=(?:i|it|we|they|he|she|you)(?:'[a-z]{1,2})?(?![\p{L}\p{N}]))/giu
/** "I'm, uh, looking", "the, um, target": the comma after a function word belonged to the filler. */
const commaOfFiller =
  /(?<=(?<![\p{L}\p{N}'])(?:i'm|i've|i'll|we're|we've|we'll|they're|you're|he's|she's|the|a|an|my|your|our|their|its|i|we|they|just|and|or|but|because|to|of|with|from|into|by|is|are|was|were|will|would|could|should|did|can)),(?= (?!(?:and|but|so|because|or|which|who|then|i|we|you|they|he|she|it|that|this|the|a|if|when|what|like|right|okay|as)(?![\p{L}']))\p{Ll})/giu
const closingTag =
  /,? (?:okay|ok|right|yeah|you know|alright|huh|i think|i guess|or something|and stuff|so|though|by the way|so yes|so yeah|and so yeah|you see|i suppose|or whatever)$/i

/** The longest run of letters and digits that still counts as a word. Longer runs are pasted data. */
const wordLengthMax = 40
const pastedBlob = new RegExp(`[\\p{Script=Latin}\\p{N}+/%&?;:.,-]{${wordLengthMax + 1},}`, 'gu')

/**
 * Stands for a removed link or pasted string until its sentence is known. A transcript cannot contain it, because
 * `\p{Co}` is removed.
 */
export const removedMark = '\ue000'

/** Stands where a speaker broke off. A transcript cannot contain it either. */
export const breakMark = '\ue001'

/** `cleanWithMarks` without its marks. */
export const cleanText = (text: string): string => cleanWithMarks(text).replace(anyMark, ' ')
const anyMark = new RegExp(`[${removedMark}${breakMark}]`, 'g')

/**
 * Removes what must not get from a transcript into a summary: markup, links, mail addresses, invisible and direction
 * characters, bracketed noise. It removes the dots of abbreviations too, so that every way of counting sentences
 * agrees.
 */
export function cleanWithMarks(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/\r\n?|\n/g, '\n')
    .replace(invisible, (character) => (character === '\n' ? '\n' : ' '))
    .replace(/&(?:[a-z]{1,8}|#\d{1,6});/gi, ' ')
    .replace(markupTag, ' ')
    .replace(breakOff, ` ${breakMark} `)
    .replace(bracketedNoise, ' ')
    .replace(webOrMailAddress, ` ${removedMark} `)
    .replace(linkLike, ` ${removedMark} `)
    .replace(pastedBlob, ` ${removedMark} `)
    .replace(spelledOut, (letters) => letters.replace(/_/g, ''))
    .replace(markupCharacters, ' ')
    .replace(doubleQuotes, '"')
    .replace(quotedWords, "'$1'")
    .replaceAll('"', ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(listMarker, '$1')
    .replace(germanOrdinal, '$1 ')
  return removeInitialDots(removeLetterDots(plain).replace(abbreviation, '$1'))
}

/** "Nous nous retrouvons", "five five hundred": said twice on purpose, or a number. */
const meantTwice: Record<string, RegExp> = {
  en: /^(?:had|zero|one|two|three|four|five|six|seven|eight|nine)$/i,
  de: /^(?:die|der|das|sie|den|dem|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun)$/i,
  fr: /^(?:nous|vous|zéro|un|deux|trois|quatre|cinq|six|sept|huit|neuf)$/i,
  es: /^(?:cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)$/i,
  it: /^(?:zero|uno|due|tre|quattro|cinque|sei|sette|otto|nove)$/i,
}

function onceUnlessMeant(language: string) {
  const meant = meantTwice[language.split('-')[0] ?? '']
  return (repeated: string, words: string) =>
    meant?.test(words) && repeated === `${words} ${words.toLowerCase()}` ? repeated : words
}

/** Removes the spaces that some recognizers write before punctuation and inside "do n't". */
export function normalizeSpaces(text: string): string {
  return text
    .replace(/[ \t]+/g, ' ')
    .replace(/ ([,.!?;:'])(?!\p{L})/gu, '$1')
    .replace(/ (n't|'(?:s|re|ve|ll|d|m))(?!\p{L})/giu, '$1')
}

/** A spoken sentence as one would write it down: without fillers, repeated words and false starts. */
export function removeFillers(sentence: string, language: string): string {
  const isEnglish = language.startsWith('en')
  return sentence
    .replace(isEnglish ? fillerWithin : /$^/, '$1 ')
    .replace(isEnglish ? englishFiller : filler, '')
    .replace(languagesWithVowels.has(language.split('-')[0] ?? '') ? falseStart : /$^/, '')
    .replace(repeatedWords, onceUnlessMeant(language))
    .replace(repeatedWords, onceUnlessMeant(language))
    .replace(isEnglish ? abandonedSubject : /$^/, (words, at: number) => (at > 0 && words === 'A ' ? words : ''))
    .replace(isEnglish ? closingTag : /$^/, '')
    .replace(/(?:, ?){2,}/g, ', ')
    .replace(isEnglish ? commaOfFiller : /$^/, '')
    .replace(/ +/g, ' ')
    .trim()
}

/** Text that can stand inside one sentence. All end marks are removed, except dots between digits or letters. */
export function withoutEndMarks(text: string): string {
  return text
    .replace(/\.(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])\./gu, ' ')
    .replace(/(?!\.)\p{Sentence_Terminal}|\u2026|\u2025/gu, ' ')
    .replace(/[,;:'\u2013\u2014/()-]{3,}/g, ' ')
    .replace(/\s+/gu, ' ')
    .replace(/ ([,;:])/g, '$1')
    .replace(/ '(?= |$)/g, "'")
    .replace(/^[\s,;:'\u2013\u2014/)-]+/u, '')
    .replace(/(?<![\s,;:\u2013\u2014/(-])[\s,;:\u2013\u2014/(-]+$/u, '')
}

/** A name or title that can stand in a sentence, of at most `max` characters. */
export function toLabel(text: string, max: number): string {
  const plain = withoutEndMarks(cleanText(text.slice(0, 1000)).replace(/[!?:;]/g, ' '))
  if (plain.length <= max) return plain
  const cut = plain.slice(0, max)
  return cut
    .slice(0, Math.max(cut.lastIndexOf(' '), 1) > max / 2 ? cut.lastIndexOf(' ') : max)
    .toWellFormed()
    .replace(/\ufffd/g, '')
    .trim()
}
