import { Readable } from 'node:stream'
import type { TenantScope } from '../../storage/scope.ts'
import type { Entry } from '../entries/entry.rules.ts'
import { entryView } from '../entries/entry.schema.ts'
import { streamEntries } from '../entries/entry.store.ts'
import { gapViews, type TranscriptGap } from '../entries/gap.schema.ts'
import type { Meeting } from '../meetings/meeting.rules.ts'
import { getMeeting } from '../meetings/meeting-access.ts'
import { srtCue } from './formats/srt.rules.ts'
import { textLine } from './formats/text.rules.ts'
import { vttCue, vttHead } from './formats/vtt.rules.ts'
import { gapsInOrder, srtGap, textGap, vttGap } from './gaps.rules.ts'
import type { exportFormats } from './transcript.schema.ts'

export type ExportFormat = (typeof exportFormats)[number]

type Source = { meeting: Meeting; afterSeq: number; user: { id: string }; gaps: readonly TranscriptGap[] }

/** A whole transcript as a file. It is read from the database as fast as the client takes it. */
export function exportTranscript(
  format: ExportFormat,
  scope: TenantScope,
  source: Source,
): { type: string; body: Readable } {
  const batches = wholeTranscript(scope, source)
  const { meeting, gaps } = source
  switch (format) {
    case 'json':
      return { type: 'application/json; charset=utf-8', body: Readable.from(toJson(meeting.id, gaps, batches)) }
    case 'vtt':
      return { type: 'text/vtt; charset=utf-8', body: Readable.from(toVtt(gaps, batches)) }
    case 'srt':
      return { type: 'application/x-subrip; charset=utf-8', body: Readable.from(toSrt(gaps, batches)) }
    case 'txt':
      return { type: 'text/plain; charset=utf-8', body: Readable.from(toText(gaps, batches)) }
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

type Batches = AsyncGenerator<Entry[]>
type Gaps = readonly TranscriptGap[]

async function* toJson(meetingId: string, gaps: Gaps, batches: Batches): AsyncGenerator<string> {
  yield `{"meetingId":${JSON.stringify(meetingId)},"gaps":${JSON.stringify(gapViews(gaps))},"entries":[`
  let between = ''
  for await (const entries of batches) {
    yield between + entries.map((entry) => JSON.stringify(entryView(entry))).join(',')
    between = ','
  }
  yield '],"nextAfterSeq":null}'
}

async function* toVtt(gaps: Gaps, batches: Batches): AsyncGenerator<string> {
  const { before, rest } = gapsInOrder(gaps)
  yield vttHead
  for await (const entries of batches)
    yield entries
      .map((entry, index) => {
        const note = before(entry.offsetSeconds).map(vttGap).join('')
        return note + vttCue(entry, entries[index + 1]?.offsetSeconds ?? null)
      })
      .join('')
  yield rest().map(vttGap).join('')
}

async function* toSrt(gaps: Gaps, batches: Batches): AsyncGenerator<string> {
  const { before, rest } = gapsInOrder(gaps)
  let number = 1
  const notes = (found: Gaps) => found.map((gap) => srtGap(gap, number++)).join('')
  for await (const entries of batches)
    yield entries
      .map((entry, index) => {
        const note = notes(before(entry.offsetSeconds))
        return note + srtCue(entry, number++, entries[index + 1]?.offsetSeconds ?? null)
      })
      .join('')
  yield notes(rest())
}

async function* toText(gaps: Gaps, batches: Batches): AsyncGenerator<string> {
  const { before, rest } = gapsInOrder(gaps)
  for await (const entries of batches)
    yield entries.map((entry) => before(entry.offsetSeconds).map(textGap).join('') + textLine(entry)).join('')
  yield rest().map(textGap).join('')
}
