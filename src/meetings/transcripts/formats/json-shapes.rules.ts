import { type SpokenWord, type Utterance, utterancesOf } from './utterances.rules.ts'

export type Item = Record<string, unknown>

/** What an entry of a vendor's file says. `time` is in seconds, or text such as `00:12:30`. */
export type Found = { speaker: unknown; text: unknown; time: unknown; segmentId?: unknown }

/** How one vendor writes a transcript. */
export type Shape = {
  name: string
  /** Where the entries stand in the file; anything but a list: the file is not of this shape. */
  items(file: unknown): unknown
  /** Whether an entry is one of this shape, by the members that it always has. */
  fits(item: Item): boolean
  read(item: Item): Found
}

/** The member at a path; `undefined` where there is none. */
function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? (found as Item)[name] : undefined,
    value,
  )
}

/** The list itself, or the list under one of these names. */
const listOr =
  (...names: string[]) =>
  (file: unknown): unknown =>
    Array.isArray(file) ? file : names.map((name) => at(file, name)).find(Array.isArray)

const hasAll =
  (...names: string[]) =>
  (item: Item): boolean =>
    names.every((name) => Object.hasOwn(item, name))

const secondsOfMs = (ms: unknown): unknown => (typeof ms === 'number' ? ms / 1000 : ms)
/** Recognizers number or letter the speakers that they tell apart. */
const labelled = (label: unknown): unknown =>
  typeof label === 'number' || (typeof label === 'string' && /^[A-Z\d]{1,2}$/.test(label)) ? `Speaker ${label}` : label

function joinedWords(words: unknown): unknown {
  if (!Array.isArray(words)) return undefined
  const texts = words.map((word) => at(word, 'text'))
  return texts.every((text) => typeof text === 'string') ? texts.join(' ') : undefined
}

const uttered = ({ speaker, text, start }: Item): Found => ({ speaker: labelled(speaker), text, time: start })

/** Nothing of what is no list of words with their times. */
function wordsIn(list: unknown, unitsPerSecond: number): SpokenWord[] {
  if (!Array.isArray(list)) return []
  const words = list.map((word) => ({
    speaker: at(word, 'speaker'),
    text: at(word, 'punctuated_word') ?? at(word, 'text') ?? at(word, 'word'),
    start: Number(at(word, 'start')) / unitsPerSecond,
    end: Number(at(word, 'end')) / unitsPerSecond,
  }))
  return words.every(isSpoken) ? words : []
}

function isSpoken(word: { [Member in keyof SpokenWord]: unknown }): word is SpokenWord {
  const { text, start, end } = word
  return typeof text === 'string' && typeof start === 'number' && typeof end === 'number' && end >= start
}

/** What was said on all channels, in the order in which it began. */
function inTime(channels: unknown, wordsOf: (channel: unknown) => unknown): Utterance[] | null {
  if (!Array.isArray(channels)) return null
  const said = channels.flatMap((channel, index) => {
    const words = wordsIn(wordsOf(channel), 1)
    return utterancesOf(channels.length === 1 ? words : words.map((word) => ({ ...word, speaker: index })))
  })
  return said.toSorted((a, b) => a.start - b.start)
}

/** In the order in which they are tried: the first that fits. Vendors' pages as of 2026; units are theirs. */
export const shapes: Shape[] = [
  {
    // {entries: [{speaker, text, timestamp, segmentId?}]}; a meeting has them as `transcript`. Fathom: speaker.display_name.
    name: 'Atrium or Fathom',
    items: listOr('entries', 'transcript'),
    fits: (item) => hasAll('text', 'timestamp')(item) && typeof item['timestamp'] === 'string',
    read: (item) => ({
      speaker: at(item, 'speaker', 'display_name') ?? item['speaker'],
      text: item['text'],
      time: item['timestamp'],
      segmentId: item['segmentId'],
    }),
  },
  {
    name: 'Attendee',
    items: listOr('transcript', 'results'),
    fits: hasAll('speaker_name', 'timestamp_ms', 'transcription'),
    read: (item) => ({
      speaker: item['speaker_name'],
      text: at(item, 'transcription', 'transcript') ?? item['transcription'],
      time: secondsOfMs(item['timestamp_ms']),
    }),
  },
  {
    // [{participant: {name}, words: [{text, start_timestamp: {relative}}]}], before 2025 {speaker, words: [{start_timestamp}]}.
    name: 'Recall',
    items: listOr('transcript'),
    fits: (item) => Array.isArray(item['words']) && at(item, 'words', 0, 'start_timestamp') !== undefined,
    read: (item) => ({
      speaker: at(item, 'participant', 'name') ?? item['speaker'],
      text: joinedWords(item['words']),
      time: at(item, 'words', 0, 'start_timestamp', 'relative') ?? at(item, 'words', 0, 'start_timestamp'),
    }),
  },
  {
    name: 'Fireflies',
    items: (file) =>
      at(file, 'sentences') ?? at(file, 'transcript', 'sentences') ?? at(file, 'data', 'transcript', 'sentences'),
    fits: (item) => hasAll('text', 'start_time')(item),
    read: (item) => ({
      speaker: item['speaker_name'] ?? labelled(item['speaker_id']),
      text: item['text'],
      time: numeric(item['start_time']),
    }),
  },
  {
    name: 'Teams',
    items: listOr('entries'),
    fits: hasAll('text', 'startOffset'),
    read: (item) => ({ speaker: item['speakerDisplayName'], text: item['text'], time: item['startOffset'] }),
  },
  {
    name: 'AssemblyAI',
    items: (file) => at(file, 'utterances'),
    fits: hasAll('speaker', 'text', 'start'),
    read: (item) => ({ speaker: labelled(item['speaker']), text: item['text'], time: secondsOfMs(item['start']) }),
  },
  {
    // Asked for without `speaker_labels`: `utterances` is null.
    name: 'AssemblyAI',
    items: (file) => (at(file, 'utterances') === null ? utterancesOf(wordsIn(at(file, 'words'), 1000)) : null),
    fits: hasAll('speaker', 'text', 'start'),
    read: uttered,
  },
  {
    name: 'Deepgram',
    items: (file) => at(file, 'results', 'utterances'),
    fits: hasAll('transcript', 'start'),
    read: (item) => ({ speaker: labelled(item['speaker']), text: item['transcript'], time: item['start'] }),
  },
  {
    // Asked for without `utterances`. Of several channels each is a speaker, as Deepgram's page on multichannel says.
    name: 'Deepgram',
    items: (file) =>
      inTime(listOr('channels')(at(file, 'results')), (channel) => at(channel, 'alternatives', 0, 'words')),
    fits: hasAll('speaker', 'text', 'start'),
    read: uttered,
  },
  {
    // Vexa names its segments and counts from the start of the meeting.
    name: 'Vexa',
    items: listOr('segments'),
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
    items: listOr('segments'),
    fits: hasAll('text', 'start'),
    read: (item) => ({ speaker: labelled(item['speaker']), text: item['text'], time: item['start'] }),
  },
]

/** A number, or text that is one. */
function numeric(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,7}(\.\d{1,9})?$/.test(value) ? Number(value) : value
}
