import { type NewEntry, oneLine } from '../../entries/entry.rules.ts'
import { type Cue, lineError, parseTime } from './cues.rules.ts'
import { isSpeakerTooLong, speakerTooLong, splitSpeaker, toEntries, unescapeHtml } from './text.rules.ts'

/** The entries of one cue. Without a voice tag, `Name: text` names the speaker. Refuses a name that is too long. */
export function* cueEntries({ offsetSeconds, number, texts }: Cue): Generator<NewEntry> {
  for (const { voice, text } of splitVoices(texts.join('\n'))) {
    if (voice !== null && isSpeakerTooLong(voice)) throw lineError(number, `begins a cue that ${speakerTooLong}`)
    if (voice) yield* toEntries({ speaker: voice, text: unescapeHtml(text), offsetSeconds })
    else for (const turn of splitTurns(text)) yield* toEntries({ ...turn, offsetSeconds })
  }
}

type Span = { voice: string | null; text: string }

/**
 * The text of a cue without its tags, split where a new voice begins. A `<` that opens no known tag is an ordinary
 * character. Each character is read a fixed number of times, whatever the text.
 */
function splitVoices(text: string): Span[] {
  const spans: Span[] = []
  let span: Span = { voice: null, text: '' }
  let consumed = 0 // the text before this index is in a span
  let closing = -1 // the index of the next `>`, or -1 when it must be searched for
  const keep = (to: number) => {
    span.text += text.slice(consumed, to)
  }
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    if (closing < at) closing = text.indexOf('>', at)
    if (closing === -1) break
    const tag = parseTag(text, at, closing)
    if (tag === null) continue
    keep(at)
    consumed = closing + 1
    if (tag.voice !== null) {
      spans.push(span)
      span = { voice: tag.voice, text: '' }
    }
    at = closing
  }
  keep(text.length)
  return [...spans, span]
}

const tagLengthMax = 1000
/** Of WebVTT, where they may have classes, and the HTML that SubRip files use. */
const styleTag = /^\/?(?:[cibusv]|ruby|rt|rp|lang|em|strong|small|font|span|p|br)(?:\.[^\s.<>]+)*\s*\/?$/i
const languageTag = /^lang(?:\.[^\s.<>]+)*\s+[a-z\d-]{1,35}$/i
const htmlTag = /^(?:font|span|p)(?:\s+[a-z-]+=(?:"[^"]*"|'[^']*'|[^\s"'=]+))+\s*$/i

/**
 * Null for what is no tag of these formats: it may be words, such as `<Enter>`, which a player that follows the standard
 * would leave out.
 */
function parseTag(text: string, opening: number, closing: number): { voice: string | null } | null {
  if (closing - opening > tagLengthMax) return null
  const inside = text.slice(opening + 1, closing)
  if (inside.includes('<')) return null
  const voice = /^v(?:\.[^\s]*)?\s+(.*)$/is.exec(inside)?.[1]
  if (voice !== undefined) return { voice: oneLine(unescapeHtml(voice)) }
  const isTag = [styleTag, languageTag, htmlTag].some((tag) => tag.test(inside)) || parseTime(inside) !== null
  return isTag ? { voice: null } : null
}

const dash = /^\s*[-\u2013\u2014]\s*(?=[^-\s])/u

/** Several people in one cue have a line each, all with a dash or all with a name. Otherwise the cue is one turn. */
function splitTurns(text: string): { speaker: string | null; text: string }[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isDialogue = dash.test(lines[0] ?? '') && lines.slice(1).some((line) => dash.test(line))
  const isNamed = splitName(lines[0] ?? '').speaker !== null
  const turns: string[] = []
  for (const line of lines) {
    const begins = isDialogue ? dash.test(line) : isNamed && splitName(line).speaker !== null
    if (turns.length === 0 || begins) turns.push(line)
    else turns.push(`${turns.pop()} ${line}`)
  }
  return turns.map((turn) => (isDialogue || isNamed ? splitName(turn) : splitSpeaker(oneLine(unescapeHtml(turn)))))
}

function splitName(line: string): { speaker: string | null; text: string } {
  return splitSpeaker(oneLine(unescapeHtml(line.replace(dash, ''))))
}
