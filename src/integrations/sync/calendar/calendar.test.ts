import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Call, Handler, Reply } from '../../../../test/emulators/call.ts'
import { emulatorClock } from '../../../../test/emulators/clock.ts'
import type { World } from '../../../../test/emulators/emulator.ts'
import { googleCalendar } from '../../../../test/emulators/google/calendar.ts'
import { graphCalendar } from '../../../../test/emulators/microsoft/calendar.ts'
import { anyCharacter } from '../../../../test/harness/any-character.ts'
import { meetingTitle } from '../../../providers/calendars/calendar-event.ts'
import { calendarPages, mainCalendar } from '../../../providers/calendars/calendar-pages.ts'
import { type AskPage, readCalendar } from '../../../providers/calendars/calendar-reading.ts'
import type { ProviderRequest } from '../../../providers/provider.ts'
import { fingerprintOf, type KnownEvent, nextStep, unnamed, windowAt } from './calendar.rules.ts'

type Provider = 'google' | 'microsoft'
type Followed = KnownEvent & { title: string; start: number; end: number; link: string | null }

const now = new Date('2027-01-04T09:00:00Z')
const hourMs = 3_600_000
const window = windowAt(now)

/** The calendar of an emulator without its server and its tokens. */
function calendarOf(provider: Provider) {
  let last = 0
  const world: World = {
    clock: emulatorClock(),
    grantOf: () => null,
    deliver: () => undefined,
    appSecret: () => '',
    next: () => {
      last += 1
      return last
    },
  }
  const open =
    (_scopes: readonly string[], handle: (call: Call, grant: never) => Reply | Promise<Reply>): Handler =>
    (call) =>
      handle(call, undefined as never)
  const { routes, controls } =
    provider === 'google' ? googleCalendar(world, open) : graphCalendar(world, open, () => undefined)
  const handle = (path: string) =>
    Object.entries(routes).find(([key]) => key.startsWith('GET ') && key.endsWith(path))?.[1]
  const list = handle(provider === 'google' ? '/events' : '/delta')
  assert.ok(list)
  const ask: AskPage = async (toRequest) => {
    const { status, body } = await list(callOf(toRequest('token')))
    return { status, body }
  }
  return { controls, ask }
}

function callOf({ url, headers }: ProviderRequest): Call {
  const { host, pathname, searchParams: query } = new URL(url)
  // Small pages, so that there are several.
  if (host === 'www.googleapis.com') query.set('maxResults', '3')
  const small = { ...headers, prefer: 'odata.maxpagesize=3' }
  return { method: 'GET', host, path: pathname, query, headers: small, bytes: Buffer.alloc(0), text: '', params: {} }
}

/** What the service keeps in its tables, in memory. */
function follower(provider: Provider, ask: AskPage) {
  const events = new Map<string, Followed>()
  let token: string | null = null
  let created = 0
  return {
    live: () => [...events.values()].filter(({ isGone }) => !isGone),
    sync: async () => {
      const read = await readCalendar(ask, calendarPages[provider], { calendarId: mainCalendar, window, token })
      token = read.token
      const live = [...events].filter(([, { isGone }]) => !isGone).map(([key]) => key)
      for (const change of [...read.changes, ...(read.isWhole ? unnamed(live, read.changes) : [])]) {
        const known = events.get(change.key) ?? null
        const step = nextStep(change, known, window)
        if (step.kind === 'none') continue
        if (step.kind === 'cancel') {
          if (known !== null) events.set(change.key, { ...known, isGone: true })
          continue
        }
        if (step.kind === 'create') created += 1
        const { title, startAt, endAt, links } = step.entry
        const meetingId = step.kind === 'create' ? `meeting${created}` : (known?.meetingId ?? '')
        const endsAt = step.entry.endAt
        const values = { endsAt, title, start: startAt.getTime(), end: endAt.getTime(), link: links[0] ?? null }
        events.set(change.key, { meetingId, fingerprint: fingerprintOf(step.entry), isGone: false, ...values })
      }
    },
  }
}

type Planned = {
  title: string
  start: number
  end: number
  link: string | null
  isPrivate: boolean
  isCancelled: boolean
}

/** What people did to the calendar, told a second time: which meetings must be planned in the end. */
function oracle() {
  const occurrences = new Map<string, Planned[]>()
  return {
    occurrences,
    wanted: () =>
      [...occurrences.values()]
        .flat()
        .filter((it) => !it.isCancelled && !it.isPrivate)
        .filter((it) => it.start < window.end.getTime() && it.end > window.start.getTime()),
  }
}

const hours = fc.integer({ min: -60, max: 24 * 35 })
const links = fc.constantFrom(
  null,
  'https://meet.google.com/abc-defg-hij',
  'https://teams.microsoft.com/l/meetup-join/x/0',
)
const steps = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    hour: hours,
    isPrivate: fc.boolean(),
    link: links,
    count: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ kind: fc.constant('move' as const), which: fc.nat(), occurrence: fc.nat(), hour: hours }),
  fc.record({ kind: fc.constant('link' as const), which: fc.nat(), occurrence: fc.nat(), link: links }),
  fc.record({ kind: fc.constant('cancelOne' as const), which: fc.nat(), occurrence: fc.nat() }),
  fc.record({ kind: fc.constant('cancel' as const), which: fc.nat() }),
  fc.constant({ kind: 'expire' as const }),
  fc.constant({ kind: 'sync' as const }),
)
type ScriptStep = typeof steps extends fc.Arbitrary<infer S> ? S : never

const iso = (ms: number) => new Date(ms).toISOString()

async function play(provider: Provider, script: ScriptStep[]) {
  const { controls, ask } = calendarOf(provider)
  const { live, sync } = follower(provider, ask)
  const { occurrences, wanted } = oracle()
  const starts = new Map<string, number[]>()
  const names: string[] = []
  const chosen = (which: number, occurrence: number) => {
    const id = names[which % Math.max(1, names.length)]
    const list = id === undefined ? [] : (occurrences.get(id) ?? [])
    const position = occurrence % Math.max(1, list.length)
    const it = list[position]
    return id === undefined || it === undefined ? null : { id, it, list, original: starts.get(id)?.[position] ?? 0 }
  }
  for (const step of script) {
    if (step.kind === 'sync') await sync()
    else if (step.kind === 'expire') controls['expireSyncTokens']?.({})
    else if (step.kind === 'create') {
      const id = `e${names.length}`
      const start = now.getTime() + step.hour * hourMs
      const { isPrivate, link, count } = step
      const series = count === 1 ? null : { everyDays: 1, count }
      controls['createEvent']?.({
        id,
        title: id,
        start: iso(start),
        end: iso(start + hourMs),
        link,
        private: isPrivate,
        series,
      })
      const all = Array.from({ length: count }, (_, day) => start + day * 24 * hourMs)
      starts.set(id, all)
      names.push(id)
      occurrences.set(
        id,
        all.map((at) => ({ title: id, start: at, end: at + hourMs, link, isPrivate, isCancelled: false })),
      )
    } else {
      const found = chosen(step.which, 'occurrence' in step ? step.occurrence : 0)
      if (found === null) continue
      const { id, it, list, original } = found
      const at = { id, originalStart: iso(original) }
      if (step.kind === 'move') {
        Object.assign(it, { start: now.getTime() + step.hour * hourMs, end: now.getTime() + (step.hour + 1) * hourMs })
        controls['editOccurrence']?.({ ...at, start: iso(it.start), end: iso(it.end) })
      } else if (step.kind === 'link') {
        it.link = step.link
        controls['editOccurrence']?.({ ...at, link: step.link })
      } else if (step.kind === 'cancelOne') {
        it.isCancelled = true
        controls['cancelOccurrence']?.(at)
      } else {
        for (const one of list) one.isCancelled = true
        controls['cancelEvent']?.({ id })
      }
    }
  }
  await sync()
  return { followed: live(), wanted: wanted() }
}

const sorted = (list: { title: string; start: number; end: number; link: string | null }[]) =>
  list.map(({ title, start, end, link }) => `${title} ${iso(start)} ${iso(end)} ${link}`).sort()

for (const provider of ['google', 'microsoft'] as const)
  test(`${provider}: after any script of changes, one sync makes the meetings equal to the calendar`, async () => {
    const property = fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (script) => {
      const { followed, wanted } = await play(provider, script)
      assert.deepEqual(sorted(followed), sorted(wanted))
    })
    await fc.assert(property, { numRuns: 500 })
  })

test('a title is one visible line of at most 200 characters', () => {
  assert.equal(meetingTitle(null), 'Meeting')
  assert.equal(meetingTitle('\u200b \n'), 'Meeting')
  assert.equal(meetingTitle('Weekly\r\nplanning '), 'Weekly planning')
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (text) => {
      const title = meetingTitle(text)
      assert.ok(title.length >= 1 && title.length <= 200 && title === title.trim() && title.isWellFormed())
      assert.doesNotMatch(title, /[\p{Cc}\p{Zl}\p{Zp}]/u)
    }),
  )
})
