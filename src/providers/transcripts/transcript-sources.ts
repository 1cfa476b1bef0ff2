import { listAt, parseTime, textAt } from '../answer-fields.ts'
import { graphApi } from '../microsoft.ts'
import { bearerRequest, type ProviderRequest } from '../provider.ts'
import type { ReceivedAnswer } from '../provider-http.ts'
import { requireAnswer } from '../read-failure.ts'

export type SourceCalls = {
  /** One call of the provider's API, with the access token. */
  api(toRequest: (accessToken: string) => ProviderRequest): Promise<ReceivedAnswer>
  /** A download, on hosts of the provider alone. It never gets the access token. */
  link(url: string, headers: Record<string, string>): Promise<ReceivedAnswer>
}

/** A transcript at a provider. `key`: the provider's id of it. */
export type SourceTranscript = {
  key: string
  title: string
  joinUrl: string | null
  startAt: Date
  endAt: Date | null
  /** WebVTT. */
  bytes: Buffer
}

/** Null from `open`: it is not there yet, or no more. */
export type ListedTranscript = { key: string; open(): Promise<SourceTranscript | null> }

export type Listing = { accountId: string; from: Date; until: Date }

/** What was recorded in that time. Throws ReadFailure. */
export type TranscriptSource = (calls: SourceCalls, listing: Listing) => Promise<ListedTranscript[]>

const pagesMax = 20

/** Its pages, as far as they go. `next` of an answer: the request for the next page; null: there is none. */
async function pages(
  { api }: SourceCalls,
  first: string,
  next: (body: unknown) => string | null,
): Promise<ReceivedAnswer['body'][]> {
  const bodies: unknown[] = []
  let url: string | null = first
  for (let count = 0; url !== null && count < pagesMax; count += 1) {
    const at: string = url
    const answer = await api((token) => bearerRequest(token, at))
    requireAnswer(answer)
    bodies.push(answer.body)
    url = next(answer.body)
  }
  return bodies
}

const zoomApi = 'https://api.zoom.us/v2'
const tokenSeconds = 600

/**
 * https://developers.zoom.us/docs/api/meetings/#tag/cloud-recording. Files are downloaded with a token for them alone, which the
 * list of one meeting's files gives: the access token is for the API.
 */
const zoom: TranscriptSource = async (calls, { from, until }) => {
  const url = new URL(`${zoomApi}/users/me/recordings`)
  const query = { from: from.toISOString().slice(0, 10), to: until.toISOString().slice(0, 10), page_size: '300' }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const next = (body: unknown) => {
    const token = textAt(body, 'next_page_token')
    if (token === null) return null
    url.searchParams.set('next_page_token', token)
    return url.href
  }
  const meetings = (await pages(calls, url.href, next)).flatMap((body) => listAt(body, 'meetings'))
  return meetings.flatMap((meeting) =>
    listAt(meeting, 'recording_files').flatMap((file) => {
      const key = textAt(file, 'id')
      const isReady =
        textAt(file, 'file_type') === 'TRANSCRIPT' && (textAt(file, 'status') ?? 'completed') === 'completed'
      return key === null || !isReady ? [] : [{ key, open: () => openZoom(calls, { meeting, key }) }]
    }),
  )
}

async function openZoom(
  { api, link }: SourceCalls,
  { meeting, key }: { meeting: unknown; key: string },
): Promise<SourceTranscript | null> {
  const uuid = textAt(meeting, 'uuid') ?? ''
  // A slash in it has to be encoded twice.
  const id = encodeURIComponent(uuid.includes('/') ? encodeURIComponent(uuid) : uuid)
  const url = `${zoomApi}/meetings/${id}/recordings?include_fields=download_access_token&ttl=${tokenSeconds}`
  const answer = await api((token) => bearerRequest(token, url))
  if (answer.status === 404) return null
  requireAnswer(answer)
  const file = listAt(answer.body, 'recording_files').find((it) => textAt(it, 'id') === key)
  const download = textAt(file, 'download_url')
  const downloadToken = textAt(answer.body, 'download_access_token')
  const startAt = parseTime(textAt(file, 'recording_start') ?? textAt(answer.body, 'start_time'))
  if (download === null || downloadToken === null || startAt === null) return null
  const content = await link(download, { authorization: `Bearer ${downloadToken}` })
  if (content.status === 404) return null
  requireAnswer(content)
  const number = textAt(answer.body, 'id')
  return {
    key,
    title: textAt(answer.body, 'topic') ?? '',
    joinUrl: number === null ? null : `https://zoom.us/j/${number}`,
    startAt,
    endAt: parseTime(textAt(file, 'recording_end')),
    bytes: content.bytes,
  }
}

/** https://learn.microsoft.com/graph/api/onlinemeeting-getalltranscripts: of meetings that the user has organized. */
const microsoft: TranscriptSource = async (calls, { accountId, from, until }) => {
  const user = encodeURIComponent(accountId)
  const when = `startDateTime=${from.toISOString()},endDateTime=${until.toISOString()}`
  const first = `${graphApi}/users/${user}/onlineMeetings/getAllTranscripts(meetingOrganizerUserId='${user}',${when})`
  const next = (body: unknown) => {
    const link = textAt(body, '@odata.nextLink')
    // Another host would get the access token.
    return link?.startsWith(`${graphApi}/`) ? link : null
  }
  const transcripts = (await pages(calls, first, next)).flatMap((body) => listAt(body, 'value'))
  return transcripts.flatMap((transcript) => {
    const key = textAt(transcript, 'id')
    return key === null ? [] : [{ key, open: () => openGraph(calls, { transcript, key }) }]
  })
}

async function openGraph(
  { api }: SourceCalls,
  { transcript, key }: { transcript: unknown; key: string },
): Promise<SourceTranscript | null> {
  const meetingUrl = `${graphApi}/me/onlineMeetings/${encodeURIComponent(textAt(transcript, 'meetingId') ?? '')}`
  const meeting = await api((token) => bearerRequest(token, meetingUrl))
  if (meeting.status === 404) return null
  requireAnswer(meeting)
  const contentUrl = `${meetingUrl}/transcripts/${encodeURIComponent(key)}/content?$format=text/vtt`
  const content = await api((token) => ({ ...bearerRequest(token, contentUrl, { accept: 'text/vtt' }) }))
  if (content.status === 404) return null
  requireAnswer(content)
  const startAt = parseTime(textAt(transcript, 'createdDateTime') ?? textAt(meeting.body, 'startDateTime'))
  if (startAt === null) return null
  return {
    key,
    title: textAt(meeting.body, 'subject') ?? '',
    joinUrl: textAt(meeting.body, 'joinWebUrl'),
    startAt,
    endAt: parseTime(textAt(transcript, 'endDateTime')),
    bytes: content.bytes,
  }
}

export const transcriptSources = { zoom, microsoft }
