import { invalidField, type Refusal } from '../../../kernel/refusal.ts'
import { groupIntoUtterances, type SpokenWord, type Utterance } from './utterances.rules.ts'

export type Item = Record<string, unknown>

/** The members of an entry in a vendor's file. `time` is in seconds, or text such as `00:12:30`. */
export type RawEntry = { speaker: unknown; text: unknown; time: unknown; segmentId?: unknown }

/** The shape in which one vendor writes a transcript. */
export type Shape = {
  name: string
  /** Finds the entries in the file. Anything but a list: the file has another shape. */
  items(file: unknown): unknown
  /** Whether an entry has this shape, judged by the members that it always has. */
  fits(item: Item): boolean
  read(item: Item): RawEntry
}

/** The member at a path; `undefined` where there is none. */
function memberAt(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? (found as Item)[name] : undefined,
    value,
  )
}

/** The file itself if it is a list, or the list under one of these names. */
const listOrMember =
  (...names: string[]) =>
  (file: unknown): unknown =>
    Array.isArray(file) ? file : names.map((name) => memberAt(file, name)).find(Array.isArray)

const hasAll =
  (...names: string[]) =>
  (item: Item): boolean =>
    names.every((name) => Object.hasOwn(item, name))

const msToSeconds = (ms: unknown): unknown => (typeof ms === 'number' ? ms / 1000 : ms)
/** Recognizers label the speakers they distinguish with numbers or letters. */
const speakerLabel = (label: unknown): unknown =>
  typeof label === 'number' || (typeof label === 'string' && /^[A-Z\d]{1,2}$/.test(label)) ? `Speaker ${label}` : label

function joinWords(words: unknown): unknown {
  if (!Array.isArray(words)) return undefined
  const texts = words.map((word) => memberAt(word, 'text'))
  return texts.every((text) => typeof text === 'string') ? texts.join(' ') : undefined
}

const readUtterance = ({ speaker, text, start }: Item): RawEntry => ({
  speaker: speakerLabel(speaker),
  text,
  time: start,
})

/** A validation error that names the part of the file. */
export function unreadable(what: string): Refusal {
  return invalidField('/body', { code: 'format', message: `cannot be read: ${what}` })
}

/** Empty for anything but a list. Refuses a list with anything but words and their times: the word would be lost. */
function readWords(list: unknown, unitsPerSecond: number): SpokenWord[] {
  if (!Array.isArray(list)) return []
  return list.map((item, index) => {
    const word = {
      speaker: memberAt(item, 'speaker'),
      text: memberAt(item, 'punctuated_word') ?? memberAt(item, 'text') ?? memberAt(item, 'word'),
      start: Number(memberAt(item, 'start')) / unitsPerSecond,
      end: Number(memberAt(item, 'end')) / unitsPerSecond,
    }
    if (!isSpokenWord(word)) throw unreadable(`word ${index + 1} has no text, or no start before its end`)
    return word
  })
}

function isSpokenWord(word: { [Member in keyof SpokenWord]: unknown }): word is SpokenWord {
  const { text, start, end } = word
  return typeof text === 'string' && typeof start === 'number' && typeof end === 'number' && end >= start
}

/** The utterances of all channels of a Deepgram file, ordered by their start. A channel may be silent. */
function mergeChannels(channels: unknown): Utterance[] | null {
  if (!Array.isArray(channels)) return null
  const utterances = channels.flatMap((channel, index) => {
    const words = readWords(memberAt(channel, 'alternatives', 0, 'words'), 1)
    if (words.length === 0 && memberAt(channel, 'alternatives', 0, 'transcript'))
      throw unreadable(`channel ${index + 1} has a text but no words with times`)
    return groupIntoUtterances(channels.length === 1 ? words : words.map((word) => ({ ...word, speaker: index })))
  })
  return utterances.toSorted((a, b) => a.start - b.start)
}

/** Tried in this order; the first shape that fits is used. From the vendors' documentation as of 2026. */
export const shapes: Shape[] = [
  {
    // {entries: [{speaker, text, timestamp, segmentId?}]}; a meeting has them as `transcript`. Fathom: speaker.display_name.
    name: 'Atrium or Fathom',
    items: listOrMember('entries', 'transcript'),
    fits: (item) => hasAll('text', 'timestamp')(item) && typeof item['timestamp'] === 'string',
    read: (item) => ({
      speaker: memberAt(item, 'speaker', 'display_name') ?? item['speaker'],
      text: item['text'],
      // The timestamp of our own entries has no fraction.
      time: msToSeconds(item['offsetMs']) ?? item['timestamp'],
      segmentId: item['segmentId'],
    }),
  },
  {
    name: 'Attendee',
    items: listOrMember('transcript', 'results'),
    fits: hasAll('speaker_name', 'timestamp_ms', 'transcription'),
    read: (item) => ({
      speaker: item['speaker_name'],
      text: memberAt(item, 'transcription', 'transcript') ?? item['transcription'],
      time: msToSeconds(item['timestamp_ms']),
    }),
  },
  {
    // [{participant: {name}, words: [{text, start_timestamp: {relative}}]}], before 2025 {speaker, words: [{start_timestamp}]}.
    name: 'Recall',
    items: listOrMember('transcript'),
    fits: (item) => Array.isArray(item['words']) && memberAt(item, 'words', 0, 'start_timestamp') !== undefined,
    read: (item) => ({
      speaker: memberAt(item, 'participant', 'name') ?? item['speaker'],
      text: joinWords(item['words']),
      time: memberAt(item, 'words', 0, 'start_timestamp', 'relative') ?? memberAt(item, 'words', 0, 'start_timestamp'),
    }),
  },
  {
    name: 'Fireflies',
    items: (file) =>
      memberAt(file, 'sentences') ??
      memberAt(file, 'transcript', 'sentences') ??
      memberAt(file, 'data', 'transcript', 'sentences'),
    fits: (item) => hasAll('text', 'start_time')(item),
    read: (item) => ({
      speaker: item['speaker_name'] ?? speakerLabel(item['speaker_id']),
      text: item['text'],
      time: parseNumber(item['start_time']),
    }),
  },
  {
    name: 'Teams',
    items: listOrMember('entries'),
    fits: hasAll('text', 'startOffset'),
    read: (item) => ({ speaker: item['speakerDisplayName'], text: item['text'], time: item['startOffset'] }),
  },
  {
    name: 'AssemblyAI',
    items: (file) => memberAt(file, 'utterances'),
    fits: hasAll('speaker', 'text', 'start'),
    read: (item) => ({ speaker: speakerLabel(item['speaker']), text: item['text'], time: msToSeconds(item['start']) }),
  },
  {
    // Requested without `speaker_labels`: `utterances` is null.
    name: 'AssemblyAI',
    items: (file) =>
      memberAt(file, 'utterances') === null ? groupIntoUtterances(readWords(memberAt(file, 'words'), 1000)) : null,
    fits: hasAll('speaker', 'text', 'start'),
    read: readUtterance,
  },
  {
    name: 'Deepgram',
    items: (file) => memberAt(file, 'results', 'utterances'),
    fits: hasAll('transcript', 'start'),
    read: (item) => ({ speaker: speakerLabel(item['speaker']), text: item['transcript'], time: item['start'] }),
  },
  {
    // Requested without `utterances`. With several channels each one is a speaker, as Deepgram's page on multichannel
    // says.
    name: 'Deepgram',
    items: (file) => mergeChannels(listOrMember('channels')(memberAt(file, 'results'))),
    fits: hasAll('speaker', 'text', 'start'),
    read: readUtterance,
  },
  {
    // Vexa has ids for its segments and counts from the start of the meeting.
    name: 'Vexa',
    items: listOrMember('segments'),
    fits: (item) => hasAll('text', 'segment_id')(item) && ('start' in item || 'start_time' in item),
    read: (item) => ({
      speaker: item['speaker'],
      text: item['text'],
      time: item['start'] ?? item['start_time'],
      segmentId: item['segment_id'],
    }),
  },
  {
    name: 'Whisper',
    items: listOrMember('segments'),
    fits: hasAll('text', 'start'),
    read: (item) => ({ speaker: speakerLabel(item['speaker']), text: item['text'], time: item['start'] }),
  },
]

/** The number in a text, or the value itself. */
function parseNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,7}(\.\d{1,9})?$/.test(value) ? Number(value) : value
}
