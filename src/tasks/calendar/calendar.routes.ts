import { open } from '../../http/access/access.ts'
import { noContent, raw, secret } from '../../http/answer.ts'
import { matchesIfNoneMatch } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { sha256Digest } from '../../kernel/checksum.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { taskAccess as access, base, tag } from '../access.ts'
import type { Calendars } from './calendar.service.ts'

const mediaType = 'text/calendar; charset=utf-8'
const path = `${base}/calendar` as const

const CalendarAnswer = StrictObject({
  calendar: StrictObject({
    url: Type.String({
      description: 'A secret: anybody who has it can read the titles of your tasks. It is shown only now.',
      examples: [
        'https://atrium.example/assistant/v1/calendars/atrcal_4fGh7KpQ2sVx9ZbN1mLcT6wYrE3uJd8aHoXi5kSvRyBtPnCzW0MqAg1b2.ics',
      ],
    }),
  }),
})

type Deps = { calendars: Calendars; members: OrganizationMembers }

export function calendarRoutes({ calendars, members }: Deps): Route[] {
  return [
    route({
      method: 'POST',
      path,
      name: 'createTaskCalendar',
      tag,
      summary: 'Get the address of a calendar with your tasks',
      description:
        'For calendar programs, which subscribe to it. It shows your open tasks of the organization that have a due day. A second call returns a new address and ends the old one. Leaving the organization also ends it.',
      access,
      answers: { 201: CalendarAnswer },
      idempotent: true,
      authorizeRepeat: ({ scope, user, params: { orgId } }) => members.get(scope, user, { orgId }),
      handle: async ({ scope, user, params: { orgId } }) =>
        secret({ status: 201 as const, body: { calendar: await calendars.create(scope, user, orgId) } }),
    }),
    route({
      method: 'DELETE',
      path,
      name: 'deleteTaskCalendar',
      tag,
      summary: 'End the address of your calendar',
      access,
      answers: { 204: null },
      handle: async ({ scope, user, params: { orgId } }) => {
        await calendars.remove(scope, user, orgId)
        return noContent()
      },
    }),
    route({
      method: 'GET',
      path: '/assistant/v1/calendars/:token.ics',
      name: 'readTaskCalendar',
      tag,
      summary: 'Read a calendar of tasks',
      description: 'Open, because calendar programs send no credentials: the address is the secret.',
      access: open('the address is a secret that a member was given'),
      answers: { 200: { rawTypes: [mediaType], description: 'All-day events (iCalendar, RFC 5545).' }, 304: null },
      refusals: ['NOT_FOUND'],
      handle: async ({ platform, params: { token }, headers }) => {
        const text = await calendars.read(platform, token)
        const etag = `"${sha256Digest(text).toString('base64url')}"`
        const cacheHeaders = { etag, 'cache-control': 'private, no-cache' }
        if (matchesIfNoneMatch(etag, headers['if-none-match']))
          return { status: 304 as const, body: null, headers: cacheHeaders }
        return raw(mediaType, text, cacheHeaders)
      },
    }),
  ]
}
