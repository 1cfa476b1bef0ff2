import { listAt, textAt } from '../answer-fields.ts'
import { graphApi } from '../microsoft.ts'
import { bearerRequest, type ProviderRequest } from '../provider.ts'
import { type CalendarChange, readGoogleEvent, readGraphEvent, type Window } from './calendar-event.ts'

/** Where reading begins: with all of a window, or with what changed since a token. */
export type From = { token: string } | { window: Window }

export type CalendarPage = {
  changes: CalendarChange[]
  /** Exactly one of both: the next page, or the token for what changes from now on. */
  next: string | null
  token: string | null
}

export type CalendarPages = {
  request(accessToken: string, read: { calendarId: string; from: From; page: string | null }): ProviderRequest
  read(body: unknown): CalendarPage
}

/** The person's own calendar, where no other is chosen. */
export const mainCalendar = 'primary'

const googlePageSize = '250'
/** Descriptions may be large, and are not used. */
const googleFields =
  'nextPageToken,nextSyncToken,items(id,status,iCalUID,summary,visibility,start,end,originalStartTime,hangoutLink,conferenceData/entryPoints,location,organizer/self,attendees(self,resource,responseStatus))'

const google: CalendarPages = {
  request: (accessToken, { calendarId, from, page }) => {
    const url = new URL(`https://www.googleapis.com/calendar/v3/calendars/${encodeURIComponent(calendarId)}/events`)
    const query = { singleEvents: 'true', maxResults: googlePageSize, fields: googleFields }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    if ('token' in from) url.searchParams.set('syncToken', from.token)
    else {
      url.searchParams.set('timeMin', from.window.start.toISOString())
      url.searchParams.set('timeMax', from.window.end.toISOString())
    }
    if (page !== null) url.searchParams.set('pageToken', page)
    return bearerRequest(accessToken, url.href)
  },
  read: (body) => ({
    changes: listAt(body, 'items').flatMap((event) => readGoogleEvent(event) ?? []),
    next: textAt(body, 'nextPageToken'),
    token: textAt(body, 'nextSyncToken'),
  }),
}

/** Pages and tokens are whole addresses, which are asked on the hosts of Graph alone. */
const microsoft: CalendarPages = {
  request: (accessToken, { calendarId, from, page }) => {
    const headers = { prefer: 'outlook.timezone="UTC", odata.maxpagesize=100' }
    const link = page ?? ('token' in from ? from.token : null)
    if (link !== null || !('window' in from)) return bearerRequest(accessToken, link ?? '', headers)
    const calendar = calendarId === mainCalendar ? 'me' : `me/calendars/${encodeURIComponent(calendarId)}`
    const url = new URL(`${graphApi}/${calendar}/calendarView/delta`)
    url.searchParams.set('startDateTime', from.window.start.toISOString())
    url.searchParams.set('endDateTime', from.window.end.toISOString())
    return bearerRequest(accessToken, url.href, headers)
  },
  read: (body) => ({
    changes: listAt(body, 'value').flatMap((event) => readGraphEvent(event) ?? []),
    next: linkAt(body, '@odata.nextLink'),
    token: linkAt(body, '@odata.deltaLink'),
  }),
}

/** Null for an address of another host, which would get the access token. */
function linkAt(body: unknown, name: string): string | null {
  const link = textAt(body, name)
  return link?.startsWith('https://graph.microsoft.com/') ? link : null
}

export const calendarPages = { google, microsoft }
