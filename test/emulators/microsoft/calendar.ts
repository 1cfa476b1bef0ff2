import { type CalendarModel, calendarModel, type Occurrence } from '../calendar-model.ts'
import { ok, type Reply, type Routes } from '../call.ts'
import type { Controls, World } from '../emulator.ts'
import { pageOf } from '../paging.ts'
import type { secured } from '../secured.ts'
import { graphError } from './graph-error.ts'
import type { Notify } from './subscriptions.ts'

const base = 'graph.microsoft.com/v1.0'

/** https://learn.microsoft.com/graph/delta-query-events: a window that stays, and what changed in it. */
export function graphCalendar(
  world: World,
  api: ReturnType<typeof secured>,
  notify: Notify,
): { routes: Routes; controls: Controls } {
  const calendar = calendarModel(world)
  calendar.onChange(({ id, isCancelled }) => notify('me/events', isCancelled ? 'deleted' : 'updated', id))
  const reading = ['Calendars.Read', 'Calendars.ReadWrite']
  return {
    routes: {
      [`GET ${base}/me/calendarView/delta`]: api(reading, ({ query, headers }) =>
        delta(calendar, query, Number(/odata\.maxpagesize=(\d+)/.exec(String(headers['prefer'] ?? ''))?.[1] ?? 10)),
      ),
      [`GET ${base}/me/calendarView`]: api(reading, ({ query }) => {
        const { from, until } = windowOf(query.get('startDateTime'), query.get('endDateTime'))
        const inside = calendar.changedSince(0).filter((it) => !it.isCancelled && it.endMs > from && it.startMs < until)
        return ok({ value: inside.map(shown) })
      }),
    },
    controls: calendar.controls,
  }
}

/** Both kinds of token carry the window, and from where the changes are read. */
function delta(calendar: CalendarModel, query: URLSearchParams, size: number): Reply {
  const token = query.get('$skiptoken') ?? query.get('$deltatoken')
  if (token === null && (!query.has('startDateTime') || !query.has('endDateTime')))
    return graphError(400, 'ErrorInvalidParameter', 'This request requires a time window.')
  const [since = '0', start = query.get('startDateTime') ?? '', end = query.get('endDateTime') ?? '', skip = '0'] =
    token?.split('~') ?? []
  if (token !== null && Number(since) < calendar.oldestSequence() && query.has('$deltatoken'))
    return graphError(410, 'SyncStateNotFound', 'The sync state generation is not found.')
  const { from, until } = windowOf(start, end)
  const isFirst = Number(since) === 0
  const found = calendar.changedSince(Number(since)).flatMap((it): Record<string, unknown>[] => {
    const isInside = !it.isCancelled && it.endMs > from && it.startMs < until
    if (isInside) return [shown(it)]
    return isFirst ? [] : [{ '@odata.type': '#microsoft.graph.event', id: idOf(it), '@removed': { reason: 'deleted' } }]
  })
  const { page, next } = pageOf(found, skip, size)
  const link = (name: string, parts: unknown[]) =>
    `https://${base}/me/calendarView/delta?${name}=${encodeURIComponent(parts.join('~'))}`
  const tail =
    next === null
      ? { '@odata.deltaLink': link('$deltatoken', [calendar.sequence(), start, end]) }
      : { '@odata.nextLink': link('$skiptoken', [since, start, end, next]) }
  return ok({ value: page, ...tail })
}

function windowOf(start: string | null, end: string | null): { from: number; until: number } {
  const ms = (text: string) => Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
  return { from: ms(start ?? ''), until: ms(end ?? '') }
}

function idOf({ event, originalStartMs }: Occurrence): string {
  return event.series === null ? event.id : `${event.id}-${originalStartMs}`
}

function shown(occurrence: Occurrence): Record<string, unknown> {
  const { event, link, response } = occurrence
  const isOnline = link?.startsWith('https://teams.microsoft.com/') === true
  return {
    '@odata.type': '#microsoft.graph.event',
    '@odata.etag': `W/"${event.sequence}"`,
    id: idOf(occurrence),
    iCalUId: `${event.id}-ical`,
    subject: occurrence.title,
    type: event.series === null ? 'singleInstance' : occurrence.isException ? 'exception' : 'occurrence',
    ...(event.series !== null && {
      seriesMasterId: event.id,
      originalStart: new Date(occurrence.originalStartMs).toISOString(),
    }),
    isAllDay: event.isAllDay,
    isCancelled: false,
    sensitivity: occurrence.isPrivate ? 'private' : 'normal',
    showAs: 'busy',
    start: timeOf(occurrence.startMs),
    end: timeOf(occurrence.endMs),
    location: { displayName: isOnline || link === null ? '' : link },
    isOnlineMeeting: isOnline,
    onlineMeeting: isOnline ? { joinUrl: link } : null,
    isOrganizer: response === 'organizer',
    responseStatus: { response: response === 'open' ? 'notResponded' : response },
    organizer: { emailAddress: { name: 'Ada Example', address: 'ada@example.com' } },
    attendees: event.attendees.map((address) => ({ type: 'required', emailAddress: { address } })),
    webLink: `https://outlook.office365.com/calendar/item/${idOf(occurrence)}`,
    lastModifiedDateTime: event.updatedAt.toISOString(),
  }
}

/** Without an offset: the zone stands beside it. */
function timeOf(ms: number) {
  return { dateTime: new Date(ms).toISOString().replace(/\.\d+Z$/, '.0000000'), timeZone: 'UTC' }
}
