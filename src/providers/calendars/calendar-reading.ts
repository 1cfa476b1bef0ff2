import type { ProviderAnswer, ProviderRequest } from '../provider.ts'
import { ReadFailure, requireAnswer } from '../read-failure.ts'
import type { CalendarChange, Window } from './calendar-event.ts'
import type { CalendarPages, From } from './calendar-pages.ts'

export type AskPage = (toRequest: (accessToken: string) => ProviderRequest) => Promise<ProviderAnswer>

export type CalendarReading = {
  changes: CalendarChange[]
  /** For what changes from now on. */
  token: string
  /** Whether all of the window was read, or only what changed. */
  isWhole: boolean
}

/** A provider that never ends a list must not keep us reading. */
const pagesMax = 100

/** Reads what changed since the token, and all of the window without one or where it is too old. Throws ReadFailure. */
export async function readCalendar(
  ask: AskPage,
  pages: CalendarPages,
  { calendarId, window, token }: { calendarId: string; window: Window; token: string | null },
): Promise<CalendarReading> {
  const changed = token === null ? null : await readPages(ask, pages, { calendarId, from: { token } })
  if (changed !== null) return { ...changed, isWhole: false }
  const all = await readPages(ask, pages, { calendarId, from: { window } })
  if (all === null) throw new ReadFailure('CALENDAR_NOT_FOUND')
  return { ...all, isWhole: true }
}

/** Null: the token is too old, or there is no such calendar. */
async function readPages(ask: AskPage, pages: CalendarPages, read: { calendarId: string; from: From }) {
  const changes: CalendarChange[] = []
  let page: string | null = null
  for (let count = 0; count < pagesMax; count += 1) {
    const asked = { ...read, page }
    const { status, body } = await ask((accessToken) => pages.request(accessToken, asked))
    if (status === 410 || status === 404) return null
    requireAnswer({ status })
    const answer = pages.read(body)
    changes.push(...answer.changes)
    if (answer.token !== null) return { changes, token: answer.token }
    if (answer.next === null) break
    page = answer.next
  }
  throw new ReadFailure('PROVIDER_UNAVAILABLE')
}
