import { type CalendarModel, calendarModel, type Occurrence } from '../calendar-model.ts'
import { jsonOf, ok, type Routes } from '../call.ts'
import type { Controls, World } from '../emulator.ts'
import { pageOf, pageSize } from '../paging.ts'
import type { secured } from '../secured.ts'
import { googleError } from './google-error.ts'

type Channel = { id: string; resourceId: string; address: string; token: string; expiresAt: number; messages: number }

const scopes = ['calendar.events.readonly', 'calendar.readonly', 'calendar.events', 'calendar'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
)
/** https://developers.google.com/workspace/calendar/api/guides/sync: not together with a sync token. */
const forbiddenWithToken = ['timeMin', 'timeMax', 'updatedMin', 'q', 'orderBy', 'iCalUID']
const channelSecondsMax = 7 * 86_400

/** https://developers.google.com/workspace/calendar/api/v3/reference/events/list and push notifications. One calendar, `primary`. */
export function googleCalendar(world: World, api: ReturnType<typeof secured>): { routes: Routes; controls: Controls } {
  const calendar = calendarModel(world)
  const channels = new Map<string, Channel>()
  calendar.onChange(() => {
    for (const channel of channels.values()) notify(world, channel, 'exists')
  })
  const base = 'www.googleapis.com/calendar/v3'
  const listScopes = [...scopes, 'https://www.googleapis.com/auth/calendar.calendarlist.readonly']
  return {
    routes: {
      [`GET ${base}/users/me/calendarList`]: api(listScopes, (_call, { person }) =>
        ok({
          kind: 'calendar#calendarList',
          items: [{ id: person.email, summary: person.name, primary: true, accessRole: 'owner' }],
        }),
      ),
      [`GET ${base}/calendars/:calendar/events`]: api(scopes, ({ query }) => list(calendar, query)),
      [`POST ${base}/calendars/:calendar/events/watch`]: api(scopes, (call) => {
        const { id, type, address, token, params, expiration } = jsonOf(call) as Record<string, unknown>
        if (type !== 'web_hook' || typeof address !== 'string') return googleError(400, 'required', 'Required')
        if (channels.has(String(id))) return googleError(400, 'channelIdNotUnique', `Channel id ${id} not unique`)
        const now = world.clock.now().getTime()
        const ttl = Number((params as { ttl?: string } | undefined)?.ttl ?? channelSecondsMax)
        const latest = now + Math.min(ttl, channelSecondsMax) * 1000
        const expiresAt = Math.min(Number(expiration ?? latest), latest)
        const channel = {
          id: String(id),
          resourceId: `resource${world.next()}`,
          address,
          token: String(token ?? ''),
          expiresAt,
          messages: 0,
        }
        channels.set(channel.id, channel)
        notify(world, channel, 'sync')
        const resourceUri = `https://${base}/calendars/${call.params['calendar']}/events`
        return ok({
          kind: 'api#channel',
          id: channel.id,
          resourceId: channel.resourceId,
          resourceUri,
          token,
          expiration: String(expiresAt),
        })
      }),
      [`POST ${base}/channels/stop`]: api(scopes, (call) => {
        const { id, resourceId } = jsonOf(call)
        if (channels.get(String(id))?.resourceId !== resourceId)
          return googleError(404, 'notFound', 'Channel not found')
        channels.delete(String(id))
        return { status: 204 }
      }),
    },
    controls: { ...calendar.controls, channels: () => [...channels.values()] },
  }
}

function list(calendar: CalendarModel, query: URLSearchParams) {
  const syncToken = query.get('syncToken')
  const isIncremental = syncToken !== null
  if (isIncremental && forbiddenWithToken.some((name) => query.has(name)))
    return googleError(400, 'badRequest', 'Sync token cannot be used with the other filtering parameters.')
  if (query.get('singleEvents') !== 'true')
    return googleError(501, 'emulator', 'The emulator lists single events only.')
  const since = isIncremental ? Number(syncToken.replace('sync', '')) : 0
  if (isIncremental && (Number.isNaN(since) || since < calendar.oldestSequence()))
    return googleError(410, 'fullSyncRequired', 'Sync token is no longer valid, a full sync is required.')
  const from = Date.parse(query.get('timeMin') ?? '1970-01-01T00:00:00Z')
  const until = Date.parse(query.get('timeMax') ?? '9999-01-01T00:00:00Z')
  const hasDeleted = isIncremental || query.get('showDeleted') === 'true'
  const found = calendar
    .changedSince(since)
    .filter(({ isCancelled }) => hasDeleted || !isCancelled)
    .filter(({ startMs, endMs }) => isIncremental || (endMs > from && startMs < until))
  const size = pageSize(query.get('maxResults'), { usual: 250, max: 2500 })
  const { page, next } = pageOf(found, query.get('pageToken'), size)
  const end = next === null ? { nextSyncToken: `sync${calendar.sequence()}` } : { nextPageToken: next }
  return ok({ kind: 'calendar#events', timeZone: 'UTC', items: page.map(shown), ...end })
}

const statuses = { accepted: 'accepted', declined: 'declined', open: 'needsAction' }

function shown(occurrence: Occurrence) {
  const { event, originalStartMs, response } = occurrence
  const isInstance = event.series !== null
  const stamp = new Date(originalStartMs).toISOString().replace(/[-:]|\.\d+/g, '')
  const id = isInstance ? `${event.id}_${stamp}` : event.id
  const instance = isInstance
    ? { recurringEventId: event.id, originalStartTime: timeOf(originalStartMs, event.isAllDay) }
    : {}
  // Of a cancelled event only this is certain.
  if (occurrence.isCancelled) return { kind: 'calendar#event', id, status: 'cancelled', ...instance }
  return {
    kind: 'calendar#event',
    id,
    status: 'confirmed',
    ...instance,
    iCalUID: `${event.id}@google.com`,
    summary: occurrence.title,
    ...(occurrence.isPrivate && { visibility: 'private' }),
    start: timeOf(occurrence.startMs, event.isAllDay),
    end: timeOf(occurrence.endMs, event.isAllDay),
    htmlLink: `https://www.google.com/calendar/event?eid=${id}`,
    created: event.createdAt.toISOString(),
    updated: event.updatedAt.toISOString(),
    organizer: response === 'organizer' ? { email: 'ada@example.com', self: true } : { email: 'zoe@example.com' },
    attendees: [
      ...event.attendees.map((email) => ({ email, responseStatus: 'accepted' })),
      ...(response === 'organizer'
        ? []
        : [{ email: 'ada@example.com', self: true, responseStatus: statuses[response] }]),
    ],
    ...conferenceOf(occurrence.link),
  }
}

/** Meet has its own field; other links are conference data, or stand in the place. */
function conferenceOf(link: string | null): Record<string, unknown> {
  if (link === null) return {}
  const conferenceData = { entryPoints: [{ entryPointType: 'video', uri: link }] }
  return link.startsWith('https://meet.google.com/') ? { hangoutLink: link, conferenceData } : { location: link }
}

function timeOf(ms: number, isAllDay: boolean) {
  const text = new Date(ms).toISOString()
  return isAllDay ? { date: text.slice(0, 10) } : { dateTime: text, timeZone: 'UTC' }
}

/** Nothing is signed and the body is empty: what counts is the token that the app gave. */
function notify(world: World, channel: Channel, state: 'sync' | 'exists'): void {
  if (channel.expiresAt <= world.clock.now().getTime()) return
  channel.messages += 1
  const number = channel.messages
  world.deliver({
    url: channel.address,
    about: 'primary',
    sign: () => ({
      headers: {
        'x-goog-channel-id': channel.id,
        'x-goog-channel-token': channel.token,
        'x-goog-channel-expiration': new Date(channel.expiresAt).toUTCString(),
        'x-goog-resource-id': channel.resourceId,
        'x-goog-resource-state': state,
        'x-goog-message-number': String(number),
      },
      body: '',
    }),
  })
}
