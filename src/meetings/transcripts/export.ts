import { Readable } from 'node:stream'
import type { TenantScope } from '../../storage/scope.ts'
import type { Entry } from '../entries/entry.rules.ts'
import { entryView } from '../entries/entry.schema.ts'
import { streamEntries } from '../entries/entry.store.ts'
import type { Meeting } from '../meetings/meeting.rules.ts'
import { getMeeting } from '../meetings/meeting-access.ts'
import { srtCue } from './formats/srt.rules.ts'
import { textLine } from './formats/text.rules.ts'
import { vttCue, vttHead } from './formats/vtt.rules.ts'
import type { exportFormats } from './transcript.schema.ts'

export type ExportFormat = (typeof exportFormats)[number]

type Source = { meeting: Meeting; afterSeq: number; user: { id: string } }

/** A whole transcript as a file. It is read from the database as fast as the client takes it. */
export function exportTranscript(
  format: ExportFormat,
  scope: TenantScope,
  source: Source,
): { type: string; body: Readable } {
  const batches = wholeTranscript(scope, source)
  switch (format) {
    case 'json':
      return { type: 'application/json; charset=utf-8', body: Readable.from(toJson(source.meeting.id, batches)) }
    case 'vtt':
      return { type: 'text/vtt; charset=utf-8', body: Readable.from(toVtt(batches)) }
    case 'srt':
      return { type: 'application/x-subrip; charset=utf-8', body: Readable.from(toSrt(batches)) }
    case 'txt':
      return { type: 'text/plain; charset=utf-8', body: Readable.from(toText(batches)) }
  }
}

/**
 * Throws if the meeting is erased meanwhile, or no longer shared with the user. The connection then breaks, so nobody takes a
 * part for the whole.
 */
async function* wholeTranscript(scope: TenantScope, { meeting, afterSeq, user }: Source): AsyncGenerator<Entry[]> {
  let count = 0
  for await (const entries of streamEntries(scope, meeting.id, afterSeq)) {
    await getMeeting(scope, user, meeting.id)
    count += entries.length
    yield entries
  }
  if (afterSeq === 0 && count < meeting.entryCount) throw new Error('The meeting was erased while it was being read.')
}

async function* toJson(meetingId: string, batches: AsyncGenerator<Entry[]>): AsyncGenerator<string> {
  yield `{"meetingId":${JSON.stringify(meetingId)},"entries":[`
  let between = ''
  for await (const entries of batches) {
    yield between + entries.map((entry) => JSON.stringify(entryView(entry))).join(',')
    between = ','
  }
  yield '],"nextAfterSeq":null}'
}

async function* toVtt(batches: AsyncGenerator<Entry[]>): AsyncGenerator<string> {
  yield vttHead
  for await (const entries of batches)
    yield entries.map((entry, index) => vttCue(entry, entries[index + 1]?.offsetSeconds ?? null)).join('')
}

async function* toSrt(batches: AsyncGenerator<Entry[]>): AsyncGenerator<string> {
  let number = 1
  for await (const entries of batches)
    yield entries.map((entry, index) => srtCue(entry, number++, entries[index + 1]?.offsetSeconds ?? null)).join('')
}

async function* toText(batches: AsyncGenerator<Entry[]>): AsyncGenerator<string> {
  for await (const entries of batches) yield entries.map(textLine).join('')
}
