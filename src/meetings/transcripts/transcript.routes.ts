import { ok, raw } from '../../http/answer.ts'
import { preferredMediaType } from '../../http/negotiation.ts'
import { type RawBody, type Route, route } from '../../http/route.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { meetingAccess as access, tag } from '../access.ts'
import { AppendBody, entriesBytesMax, entryView, toNewEntry } from '../entries/entry.schema.ts'
import { listEntries } from '../entries/entry.store.ts'
import { type FindGaps, gapViews } from '../entries/gap.schema.ts'
import type { Appended } from '../meetings/append-entries.ts'
import type { Metered } from '../meetings/meeting.service.ts'
import { getMeeting, readMeeting, requireAccess } from '../meetings/meeting-access.ts'
import { type ExportFormat, exportTranscript } from './export.ts'
import type { ImportFormat } from './formats/parse-file.ts'
import { AppendAnswer, ImportQuery, TranscriptAnswer, TranscriptQuery } from './transcript.schema.ts'
import type { Transcripts } from './transcript.service.ts'

/** Four hours of speech are 400 KB of WebVTT. Recognizers that time each word write fifty times as much. */
const fileBytesMax = 20 * 1024 * 1024

export function transcriptRoutes(transcripts: Transcripts, findGaps: FindGaps): Route[] {
  return [appendRoute(transcripts), importRoute(transcripts), readRoute(findGaps)]
}

function appendRoute(transcripts: Transcripts): Route {
  return route({
    method: 'POST',
    path: '/assistant/v1/meetings/:meetingId/transcript',
    name: 'appendTranscript',
    tag,
    summary: 'Add entries to a transcript',
    description:
      'Entries are added in the order in which they arrive. The first one makes the meeting active. An entry with the `segmentId` of an earlier one replaces it. A meeting has at most 200,000 entries and 20 million characters.',
    access,
    body: AppendBody,
    bodyBytesMax: entriesBytesMax,
    answers: { 200: AppendAnswer },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'USAGE_EXCEEDED'],
    idempotent: true,
    authorizeRepeat: async ({ scope, user, params }) =>
      requireAccess(await getMeeting(scope, user, params.meetingId), 'write'),
    handle: async ({ scope, user, params, body }) =>
      appendedAnswer(await transcripts.append(scope, { user, id: params.meetingId }, body.entries.map(toNewEntry))),
  })
}

const exampleVtt = 'WEBVTT\n\n00:12:30.000 --> 00:12:34.000\n<v Ada Lovelace>I will send the figures by Friday.\n'
const fileExamples = {
  'text/vtt': exampleVtt,
  'application/x-subrip': '1\n00:12:30,000 --> 00:12:34,000\nAda Lovelace: I will send the figures by Friday.\n',
  'application/json': {
    entries: [{ speaker: 'Ada Lovelace', text: 'I will send the figures by Friday.', timestamp: '00:12:30' }],
  },
  'text/plain': exampleVtt,
}
const importFormatByType: Record<string, ImportFormat> = {
  'text/vtt': 'vtt',
  'application/x-subrip': 'srt',
  'application/json': 'json',
}

function importRoute(transcripts: Transcripts): Route {
  return route({
    method: 'POST',
    path: '/assistant/v1/meetings/:meetingId/transcript/import',
    name: 'importTranscript',
    tag,
    summary: 'Import a transcript from a file',
    description:
      'Accepts WebVTT (`<v Speaker>`), SRT, and JSON of this service, Fathom, Vexa, Attendee, Recall, Fireflies, Teams, AssemblyAI, Deepgram and Whisper, up to 20 MiB. All entries are added after the existing ones, or none: no word is left out in silence, and a file that cannot be read as a whole is refused with the line or the entry. Also possible once the meeting is completed.',
    access,
    query: ImportQuery,
    rawBody: { examples: fileExamples, bytesMax: fileBytesMax },
    answers: { 200: AppendAnswer },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'USAGE_EXCEEDED'],
    idempotent: true,
    // Parsed before the transaction, because a large file takes a second or two.
    prepare: async ({ scope, user, params, query, raw: file }) =>
      transcripts.parseFile(scope, { user, id: params.meetingId }, withFormat(file as RawBody, query)),
    handle: async ({ scope, user, params, prepared }) =>
      appendedAnswer(await transcripts.importEntries(scope, { user, id: params.meetingId }, prepared)),
  })
}

function withFormat(file: RawBody, query: ImportQuery): RawBody & { format: ImportFormat } {
  const format = query.format ?? importFormatByType[file.contentType]
  if (format === undefined)
    throw invalidField('/query/format', { code: 'required', message: 'is required with a text/plain body' })
  return { ...file, format }
}

const mediaTypes = ['application/json', 'text/vtt', 'application/x-subrip', 'text/plain']
const exportFormatByType: Record<string, ExportFormat> = {
  'text/vtt': 'vtt',
  'application/x-subrip': 'srt',
  'text/plain': 'txt',
}

type AskedFormat = { format?: ExportFormat | undefined }

function exportFormat({ format }: AskedFormat, { accept }: Record<string, string | undefined>): ExportFormat {
  return format ?? exportFormatByType[preferredMediaType(accept, mediaTypes)] ?? 'json'
}

function refuseLimit(format: ExportFormat): void {
  if (format === 'json') return
  const message = 'is only available for JSON: a file is always sent whole'
  throw invalidField('/query/limit', { code: 'unknown', message })
}

function readRoute(findGaps: FindGaps): Route {
  return route({
    method: 'GET',
    path: '/assistant/v1/meetings/:meetingId/transcript',
    name: 'getTranscript',
    tag,
    summary: 'Read or download a transcript',
    description:
      'JSON, WebVTT, SRT or plain text, in the order of the meeting. Where a bot was away, JSON has `gaps`, WebVTT a `NOTE`, and the others a line in brackets. Without `limit` the whole transcript is streamed; with `limit` you get one page of JSON.',
    access,
    query: TranscriptQuery,
    answers: {
      200: {
        json: TranscriptAnswer,
        rawTypes: ['text/vtt', 'application/x-subrip', 'text/plain'],
        description: 'The transcript.',
      },
    },
    rules: ({ query, headers }) => [ruleFor(query.limit, () => refuseLimit(exportFormat(query, headers)))],
    handle: async ({ scope, user, params: { meetingId }, query, headers }) => {
      const format = exportFormat(query, headers)
      const { afterSeq = 0, limit } = query
      if (limit === undefined) {
        const meeting = await getMeeting(scope, user, meetingId)
        const gaps = await findGaps(scope, meetingId)
        const { type, body } = exportTranscript(format, scope, { meeting, afterSeq, user, gaps })
        return raw(type, body, { vary: 'Accept' })
      }
      const { found } = await readMeeting(scope, { user, id: meetingId }, async () => {
        refuseLimit(format)
        return listEntries(scope, meetingId, { afterSeq, limit })
      })
      const { entries, hasMore } = found
      const nextAfterSeq = hasMore ? (entries.at(-1)?.seq ?? null) : null
      const gaps = gapViews(await findGaps(scope, meetingId))
      return ok({ meetingId, gaps, entries: entries.map(entryView), nextAfterSeq })
    },
  })
}

function appendedAnswer({ meeting, added, replaced, unchanged, usage }: Metered<Appended>) {
  const { id: meetingId, lastSeq, entryCount, status, revision } = meeting
  return { ...ok({ meetingId, added, replaced, unchanged, lastSeq, entryCount, status, revision }), usage }
}
