import type { Static } from 'typebox'
import { Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import {
  type Entry,
  entriesPerCallMax,
  formatTimestamp,
  isChat,
  type NewEntry,
  offsetMs,
  oneLine,
  parseTimestamp,
  segmentIdLengthMax,
  speakerLengthMax,
  textLengthMax,
  timestampPattern,
} from './entry.rules.ts'

/**
 * The limit of a body with entries. 500 spoken entries are about 100 KB; the longest allowed ones exceed anything that
 * is spoken.
 */
export const entriesBytesMax = 4 * 1024 * 1024

const Speaker = Type.String({ minLength: 1, maxLength: speakerLengthMax, pattern: '\\S', examples: ['Ada Lovelace'] })
const Text = Type.String({
  minLength: 1,
  maxLength: textLengthMax,
  pattern: '\\S',
  examples: ['I will send the figures by Friday.'],
})
const SegmentId = Type.String({
  minLength: 1,
  maxLength: segmentIdLengthMax,
  description: 'Your own id for this entry. An entry sent with the same id replaces the earlier one.',
  examples: ['seg-17'],
})

export const NewEntryBody = StrictObject({
  speaker: Speaker,
  text: Text,
  timestamp: Type.String({
    pattern: timestampPattern,
    description: 'The offset into the meeting: HH:MM:SS or HH:MM:SS.mmm.',
    examples: ['00:12:30'],
  }),
  segmentId: Type.Optional(Nullable(SegmentId)),
})
export type NewEntryBody = Static<typeof NewEntryBody>

export const NewEntries = Type.Array(NewEntryBody, { maxItems: entriesPerCallMax })

export const AppendBody = StrictObject({
  entries: Type.Array(NewEntryBody, { minItems: 1, maxItems: entriesPerCallMax }),
})

/** Where in the meeting something was said, in every answer. */
export const OffsetAnswer = {
  timestamp: Type.String({
    pattern: '^\\d{2,}:[0-5]\\d:[0-5]\\d$',
    description: 'The offset into the meeting, HH:MM:SS, without the fraction of the second.',
    examples: ['00:12:30'],
  }),
  offsetMs: Type.Integer({
    minimum: 0,
    description: 'The same offset exactly, in milliseconds.',
    examples: [750_250],
  }),
}

export const EntryAnswer = Type.Object(
  {
    seq: Type.Integer({
      description: 'The number of the entry. Numbers grow along the transcript and may have gaps.',
      examples: [1],
    }),
    speaker: Speaker,
    text: Text,
    ...OffsetAnswer,
    segmentId: Nullable(SegmentId),
    kind: Type.Optional(
      StringEnum(['chat'], { description: 'Present where it was written in the chat, and not said.' }),
    ),
  },
  { title: 'TranscriptEntry', additionalProperties: false },
)
export type EntryAnswer = Static<typeof EntryAnswer>

/** A name becomes one line without spaces around it, as in an imported file: "Ann " is the same person as "Ann". */
export function toNewEntry({ speaker, text, timestamp, segmentId = null }: NewEntryBody): NewEntry {
  return { speaker: oneLine(speaker), text, offsetSeconds: parseTimestamp(timestamp), segmentId }
}

export function entryView({ seq, speaker, text, offsetSeconds, segmentId }: Entry): EntryAnswer {
  const entry = { seq, speaker, text, ...offsetView(offsetSeconds), segmentId }
  return isChat(entry) ? { ...entry, kind: 'chat' } : entry
}

export function offsetView(offsetSeconds: number) {
  return { timestamp: formatTimestamp(offsetSeconds), offsetMs: offsetMs(offsetSeconds) }
}
