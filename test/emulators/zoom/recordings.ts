import { createHmac, randomBytes } from 'node:crypto'
import { ok, type Routes } from '../call.ts'
import type { Controls, World } from '../emulator.ts'
import { pageOf, pageSize } from '../paging.ts'
import type { secured } from '../secured.ts'

type Recording = {
  uuid: string
  id: number
  topic: string
  start: Date
  minutes: number
  joinUrl: string
  fileId: string
  vtt: string
}
type Hook = { url: string; secret: string }

const day = (at: Date) => at.toISOString().slice(0, 10)

/** https://developers.zoom.us/docs/api/meetings/#tag/cloud-recording and https://developers.zoom.us/docs/api/webhooks/. */
export function zoomRecordings(world: World, api: ReturnType<typeof secured>): { routes: Routes; controls: Controls } {
  const recordings: Recording[] = []
  const downloadTokens = new Map<string, number>()
  let hook: Hook | null = null

  function tell(event: string, recording: Recording, hostId: string): void {
    if (hook === null) return
    const { url, secret } = hook
    const body = JSON.stringify({
      event,
      event_ts: world.clock.now().getTime(),
      download_token: 'not-a-token-of-the-app',
      payload: { account_id: 'EmulatorAccount', object: { ...shown(recording), host_id: hostId } },
    })
    world.deliver({ url, about: recording.uuid, sign: (now) => ({ headers: signed(secret, body, now), body }) })
  }

  function tokenFor(query: URLSearchParams): { download_access_token?: string } {
    if (query.get('include_fields') !== 'download_access_token') return {}
    const token = `download-${randomBytes(12).toString('hex')}`
    downloadTokens.set(token, world.clock.now().getTime() + Number(query.get('ttl') ?? 3600) * 1000)
    return { download_access_token: token }
  }

  return {
    routes: {
      'GET api.zoom.us/v2/users/:user/recordings': api(
        ['cloud_recording:read:list_user_recordings', 'recording:read'],
        ({ query }) => {
          const now = world.clock.now()
          const from = query.get('from') ?? day(new Date(now.getTime() - 86_400_000))
          const to = query.get('to') ?? day(now)
          const found = recordings.filter(({ start }) => day(start) >= from && day(start) <= to)
          const size = pageSize(query.get('page_size'), { usual: 30, max: 300 })
          const { page, next } = pageOf(found, query.get('next_page_token'), size)
          return ok({
            from,
            to,
            page_size: size,
            total_records: found.length,
            next_page_token: next ?? '',
            meetings: page.map(shown),
          })
        },
      ),
      'GET api.zoom.us/v2/meetings/:meeting/recordings': api(
        ['cloud_recording:read:list_recording_files', 'recording:read'],
        ({ params, query }) => {
          const found = recordings.find(
            ({ uuid, id }) => uuid === params['meeting'] || String(id) === params['meeting'],
          )
          return found === undefined
            ? { status: 404, body: { code: 3301, message: 'This recording does not exist.' } }
            : ok({ ...shown(found), ...tokenFor(query) })
        },
      ),
      'GET zoom.us/rec/download/:file': (call) => {
        const recording = recordings.find(({ fileId }) => fileId === call.params['file'])
        if (recording === undefined)
          return { status: 404, body: { code: 3301, message: 'This recording does not exist.' } }
        // Zoom takes the access token, too. Here it is refused, so that nobody sends it to other hosts than the API's.
        const token = String(call.headers['authorization'] ?? '').replace(/^Bearer /, '')
        if ((downloadTokens.get(token) ?? 0) < world.clock.now().getTime())
          return { status: 401, body: { code: 124, message: 'Invalid access token.' } }
        return { status: 200, headers: { 'content-type': 'text/vtt' }, body: recording.vtt }
      },
    },
    controls: {
      /** Where Zoom sends events, as set on the app's page. Zoom checks the address with a challenge first. */
      setEventsUrl: async ({ url, secret }) => {
        const next = { url: String(url), secret: String(secret) }
        const isValid = await answersChallenge(next, world.clock.now())
        if (isValid) hook = next
        return { isValid }
      },
      /** A meeting was recorded to the cloud and transcribed: `{topic, meetingId, start, minutes, joinUrl, vtt}`. */
      recordMeeting: ({
        topic = 'Meeting',
        meetingId,
        start,
        minutes = 30,
        joinUrl,
        vtt,
        hostId = 'KdYKjnimT4KPd8FFgQt9FQ',
      }) => {
        const id = Number(meetingId ?? 85_000_000_000 + world.next())
        const recording: Recording = {
          uuid: `${randomBytes(12).toString('base64')}==`.replaceAll('/', '_'),
          id,
          topic: String(topic),
          start: new Date(String(start ?? world.clock.now().toISOString())),
          minutes: Number(minutes),
          joinUrl: String(joinUrl ?? `https://example.zoom.us/j/${id}`),
          fileId: `file${world.next()}`,
          vtt: String(vtt ?? 'WEBVTT\r\n\r\n1\r\n00:00:01.000 --> 00:00:04.000\r\nAda Example: Good morning.\r\n'),
        }
        recordings.push(recording)
        tell('recording.completed', recording, String(hostId))
        tell('recording.transcript_completed', recording, String(hostId))
        return shown(recording)
      },
    },
  }
}

function shown(recording: Recording) {
  const file = (type: string, extension: string, id: string) => ({
    id,
    meeting_id: recording.uuid,
    file_type: type,
    file_extension: extension,
    recording_type: type === 'TRANSCRIPT' ? 'audio_transcript' : 'shared_screen_with_speaker_view',
    status: 'completed',
    recording_start: recording.start.toISOString(),
    recording_end: new Date(recording.start.getTime() + recording.minutes * 60_000).toISOString(),
    download_url: `https://zoom.us/rec/download/${id}`,
  })
  return {
    uuid: recording.uuid,
    id: recording.id,
    topic: recording.topic,
    start_time: recording.start.toISOString(),
    duration: recording.minutes,
    share_url: `https://zoom.us/rec/share/${recording.fileId}`,
    join_url: recording.joinUrl,
    recording_files: [file('MP4', 'MP4', `video-${recording.fileId}`), file('TRANSCRIPT', 'VTT', recording.fileId)],
  }
}

function signed(secret: string, body: string, now: Date): Record<string, string> {
  const seconds = Math.floor(now.getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')
  return {
    'content-type': 'application/json',
    'x-zm-request-timestamp': String(seconds),
    'x-zm-signature': `v0=${signature}`,
  }
}

async function answersChallenge({ url, secret }: Hook, now: Date): Promise<boolean> {
  const plainToken = randomBytes(12).toString('base64url')
  const body = JSON.stringify({ event: 'endpoint.url_validation', event_ts: now.getTime(), payload: { plainToken } })
  const answer = await fetch(url, { method: 'POST', headers: signed(secret, body, now), body }).catch(() => null)
  if (answer?.status !== 200) return false
  const { encryptedToken } = (await answer.json().catch(() => ({}))) as { encryptedToken?: string }
  return encryptedToken === createHmac('sha256', secret).update(plainToken).digest('hex')
}
