import {
  countWords,
  formatTimestamp,
  type NewEntry,
  oneLine,
  segmentIdLengthMax,
  speakerLengthMax,
  textLengthMax,
} from '../../entries/entry.rules.ts'

/** The speaker of an entry in a file that does not name one. */
const unknownSpeaker = 'Unknown speaker'

/** One line of a plain-text transcript. */
export function textLine({ speaker, text, offsetSeconds }: NewEntry): string {
  return `[${formatTimestamp(Math.floor(offsetSeconds))}] ${oneLine(speaker)}: ${oneLine(text)}\n`
}

/** In characters, as in the API. */
export function isSpeakerTooLong(name: string): boolean {
  return name.length > speakerLengthMax && Array.from(name).length > speakerLengthMax
}

export const speakerTooLong = `names a speaker with more than ${speakerLengthMax} characters`

type Spoken = { speaker: string | null; text: string; offsetSeconds: number; segmentId?: string | null }

/**
 * Turns speech from a file into entries within the limits: none where no word was said, several where the speech is
 * longer than an entry may be. The speaker's name must not be too long. Only speech that stays in one piece keeps its segment id.
 */
export function* toEntries({ speaker, text, offsetSeconds, segmentId = null }: Spoken): Generator<NewEntry> {
  const name = oneLine(speaker ?? '')
  const pieces = splitLongText(oneLine(text))
  const isNamed =
    pieces.length === 1 && segmentId !== null && segmentId !== '' && segmentId.length <= segmentIdLengthMax
  for (const piece of pieces)
    yield {
      speaker: name === '' ? unknownSpeaker : name,
      text: piece,
      offsetSeconds,
      segmentId: isNamed ? segmentId : null,
    }
}

function splitLongText(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    const rest = text.length - from
    const window = text.slice(from, from + textLengthMax)
    // Cut at a space if there is one in the second half.
    const space = rest > textLengthMax ? window.lastIndexOf(' ') : -1
    const length = rest <= textLengthMax ? rest : space > textLengthMax / 2 ? space : cutLength(window, textLengthMax)
    const piece = window.slice(0, length).trim()
    if (countWords(piece) > 0) pieces.push(piece)
    from += length
  }
  return pieces
}

/** At most `length`, and never between the two halves of a surrogate pair. */
function cutLength(text: string, length: number): number {
  if (text.length < length) return text.length
  const code = text.charCodeAt(length - 1)
  return code >= 0xd800 && code <= 0xdbff ? length - 1 : length
}

// A name has few words and does not begin with a lower-case letter.
const prefix = /^(?=\p{L})(?!\p{Ll})([\p{L}\p{M}\p{N} .'’_()&-]{1,60}):\s+(?=\S)/u
const nameWordsMax = 6

/** Splits `Name: text`. */
export function splitSpeaker(text: string): { speaker: string | null; text: string } {
  const match = prefix.exec(text)
  if (match === null || countWords(match[1] as string) > nameWordsMax) return { speaker: null, text }
  return { speaker: match[1] as string, text: text.slice(match[0].length) }
}

/** HTML's names for U+00A0 to U+00FF, in this order. */
const latinNames =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr ' +
  'deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ' +
  'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml ' +
  'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

/** The part of HTML's 2,231 names that transcripts use: markup characters, Latin letters and signs, punctuation. */
const entities = new Map([
  ...latinNames.split(' ').map((name, at) => [name, String.fromCharCode(0xa0 + at)] as const),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", lrm: '\u200e', rlm: '\u200f' }),
  ...Object.entries({ ndash: '–', mdash: '—', hellip: '…', bull: '•', euro: '€', trade: '™' }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' }),
])

/** Replaces HTML character references once. References to characters that cannot be shown stay. */
export function unescapeHtml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,6}));/g, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities.get(name) ?? whole
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    const isShown = code >= 0x20 && code <= 0x10ffff && (code < 0x7f || code > 0x9f) && (code < 0xd800 || code > 0xdfff)
    return isShown ? String.fromCodePoint(code) : whole
  })
}
