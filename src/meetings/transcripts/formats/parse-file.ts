import { readJson, readText } from '../../../http/body.ts'
import { entriesMax, type NewEntry } from '../../entries/entry.rules.ts'
import type { importFormats } from '../transcript.schema.ts'
import { readJsonEntries } from './json.rules.ts'
import { readSrt } from './srt.rules.ts'
import { readVtt } from './vtt.rules.ts'

export type ImportFormat = (typeof importFormats)[number]
export type TranscriptFile = { bytes: Buffer; format: ImportFormat }

/** One more than a transcript may have, which is enough to see that there are too many. */
const readMax = entriesMax + 1
/** Recognizers that time each word write ten members for it, and four hours of speech have 40,000 words. */
const jsonMembersMax = 1_000_000

/**
 * The entries of a file, up to one more than a transcript may have. Refuses with VALIDATION_ERROR and MALFORMED_JSON.
 */
export function* parseEntries(file: TranscriptFile): Generator<NewEntry> {
  let count = 0
  for (const entry of parseAll(file)) {
    yield entry
    if (++count === readMax) return
  }
}

function parseAll({ bytes, format }: TranscriptFile): Iterable<NewEntry> {
  switch (format) {
    case 'vtt':
      return readVtt(readText(bytes))
    case 'srt':
      return readSrt(readText(bytes))
    case 'json':
      return readJsonEntries(readJson(bytes, jsonMembersMax))
  }
}
