import { ExtractionError } from '../extraction.ts'
import type { FileReader } from './file-reader.ts'
import { decodeUtf8, eachLine } from './utf8.ts'

/** A paragraph of this length ends with its sentence. Cues alone are pieces of sentences. */
const paragraphLength = 400
const paragraphLengthMax = 1_200

type Turn = { speaker: string; text: string }

/** WebVTT and SubRip: what one speaker says in a row becomes paragraphs. Nothing but numbers, notes and styles is left out. */
export const readCues: FileReader = (bytes, { list }) => {
  let open: Turn = { speaker: '', text: '' }
  const end = () => {
    if (open.text !== '') list.add({ kind: 'paragraph', text: withSpeaker(open) })
  }
  for (const cue of eachCue(eachLine(decodeUtf8(bytes)))) {
    for (const turn of eachTurn(cue)) {
      const isWhole = open.text.length >= paragraphLength && /[.!?。！？…]["'”’»)]?$/.test(open.text.slice(-3))
      const isOver = open.text.length + turn.text.length > paragraphLengthMax
      if (open.speaker === turn.speaker && !isWhole && !isOver) {
        open.text = open.text === '' ? turn.text : `${open.text} ${turn.text}`
      } else {
        end()
        open = turn
      }
    }
  }
  end()
  return { pages: null }
}

function withSpeaker({ speaker, text }: Turn): string {
  return speaker === '' ? text : `${speaker}: ${text}`
}

const times = /^\s{0,20}(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}\s{0,20}-->/
const skippedBlock = /^(?:WEBVTT|NOTE|STYLE|REGION)(?:\s|$)/

/** The text of each cue. The line above a cue's times is its number or name. Throws BROKEN for a file without cues. */
function* eachCue(lines: Iterable<string>): Generator<string> {
  let state: 'between' | 'cue' | 'skipped' = 'between'
  let isAny = false
  let texts: string[] = []
  let above: string | null = null
  for (const line of lines) {
    if (times.test(line)) {
      yield texts.join('\n')
      texts = []
      above = null
      state = 'cue'
      isAny = true
    } else if (line.trim() === '') {
      if (above !== null) texts.push(above)
      above = null
      state = 'between'
    } else if (state === 'between' && skippedBlock.test(line)) {
      state = 'skipped'
    } else if (state === 'cue') {
      texts.push(line)
    } else if (state === 'between') {
      // The text of a cue may contain an empty line: it is only lost where the times of the next cue follow.
      if (above !== null) texts.push(above)
      above = line
    }
  }
  if (!isAny)
    throw new ExtractionError('BROKEN', 'The file has no line with times such as 00:00:01.000 --> 00:00:04.000.')
  if (above !== null) texts.push(above)
  yield texts.join('\n')
}

const voice = /<v(?:\.[^\s<>]{1,100})?[ \t]+([^<>]{1,200})>/i
const tags =
  /<\/?(?:[cibuv]|ruby|rt|lang|font|span|em|strong)(?:[.\s][^<>]{0,200})?>|<[\d:.]{5,20}>|\{\\[^{}]{1,100}\}/gi
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', quot: '"', lrm: '', rlm: '' }

/** A cue begins a turn at each voice tag. A name that is written in the text stays there. */
function* eachTurn(cue: string): Generator<Turn> {
  const [before = '', ...voices] = cue.split(voice)
  const plain = plainText(before)
  if (plain !== '') yield { speaker: '', text: plain }
  for (let at = 0; at < voices.length; at += 2) {
    const text = plainText(voices[at + 1] ?? '')
    if (text !== '') yield { speaker: plainText(voices[at] ?? ''), text }
  }
}

function plainText(text: string): string {
  return text
    .replace(tags, '')
    .replace(/&([a-z]{2,4});/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
}
