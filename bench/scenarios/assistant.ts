import pg from 'pg'
import type { Wire } from '../connection.ts'
import { ask, fetchText } from '../ground/ask.ts'
import { entries, loginOwner, type Meeting, openMeeting } from '../ground/meetings.ts'
import { pageSize, type Seeded } from '../ground/seed.ts'
import { delayDuring, startHeardService } from '../lateness.ts'
import { inRounds, measureLoad, type Rounds, type Subject } from '../measure.ts'
import { compare, type Figure, processorUs, tableRows } from '../outcome.ts'
import { grounds, type Plan, type Scenario } from '../plan.ts'
import { type Program, startProgram } from '../program.ts'
import { median } from '../statistics.ts'

const entriesACall = 500
const appendsARound = 30
/** 20,000 words. */
const longMeetingEntries = 1_200
const meetings = 200
// Of word after word, each with its times: a file of more has too many members.
const importBytes = 12 * 1024 * 1024
const modes = ['short', 'detailed'] as const

type Ground = (typeof grounds)[number]
type Opened = { ground: Ground; program: Program; headers: Record<string, string>; long: Meeting }
const subjectName = ({ title }: Ground, what: string) => `${title}: ${what}`
const floorName = (what: string) => `floor: ${what}`

export const assistant: Scenario = {
  name: 'assistant',
  about: `Meetings: ${entriesACall} entries in a call, a page of ${pageSize} of ${meetings} meetings, a meeting of 20,000 words, its summary made and kept, and a file of 12 MB brought in; how late the event loop runs meanwhile.`,
  run: async (plan) => {
    const programs: Program[] = []
    try {
      const subjects: Subject[] = []
      const opened: Opened[] = []
      for (const ground of grounds) {
        const seeded = await plan.seeded(ground.kind, plan.sizes.few)
        const service = await startService(ground, seeded)
        programs.push(service.program)
        opened.push(service)
        subjects.push(...serviceSubjects(plan, service))
        if (ground.kind !== 'postgres') continue
        const floor = await startFloor(service, seeded)
        programs.push(floor)
        subjects.push(...floorSubjects(plan, { floor, service }))
      }
      const seen = await inRounds(plan.rounds, subjects)
      const figures = [...comparisons(seen)]
      for (const service of opened) figures.push(...(await loopFigures(plan, service)))
      return { rows: tableRows(seen), figures }
    } finally {
      for (const program of programs) await program.stop()
    }
  },
}

async function startService(ground: Ground, seeded: Seeded): Promise<Opened> {
  const program = await startHeardService(seeded.ground)
  const headers = await loginOwner(program, seeded)
  for (let made = 1; made < meetings; made++) await openMeeting(program, headers)
  const long = await openMeeting(program, headers)
  const spoken = entries(longMeetingEntries)
  for (let from = 0; from < spoken.length; from += entriesACall)
    await append(program, long, spoken.slice(from, from + entriesACall))
  return { ground, program, headers, long }
}

function append(program: Program, { path, headers }: Meeting, spoken: object[]): Promise<unknown> {
  return ask(program, { path, headers, body: { entries: spoken } })
}

/** Starts the floor on the service's database, with its own tables. Throws if it does not answer exactly as the service does. */
async function startFloor({ program, headers, long }: Opened, { ground }: Seeded): Promise<Program> {
  const { url } = ground
  const client = new pg.Client({ connectionString: url ?? '' })
  await client.connect()
  try {
    await client.query('create table bench_entries (id bigserial primary key, speaker text, text text, at text)')
    await client.query('create table bench_meetings (id uuid primary key, body text not null)')
    // All of them: another scenario may have left some there.
    for (let page = 1, pages = 1; page <= pages; page++) {
      const path = `${listPath}&page=${page}`
      const listed = (await ask(program, { path, headers })) as {
        meetings: { id: string }[]
        pagination: { totalPages: number }
      }
      pages = listed.pagination.totalPages
      for (const meeting of listed.meetings)
        await client.query('insert into bench_meetings values ($1, $2)', [meeting.id, JSON.stringify(meeting)])
    }
  } finally {
    await client.end()
  }
  const floor = await startProgram({ args: ['bench/floors/meetings.ts'], environment: { DATABASE_URL: url ?? '' } })
  for (const [ours, bare] of [
    [listPath, '/meetings'],
    [`/assistant/v1/meetings/${long.id}`, `/meetings/${long.id}`],
  ] as [string, string][]) {
    const texts = await Promise.all([
      fetchText(program, { path: ours, headers }),
      fetchText(floor, { path: bare, headers: {} }),
    ])
    if (texts[0] !== texts[1]) throw new Error(`The floor answers ${bare} otherwise than the service does.`)
  }
  return floor
}

const listPath = `/assistant/v1/meetings?limit=${pageSize}`

function serviceSubjects(plan: Plan, { ground, program, headers, long }: Opened): Subject[] {
  const database = ground.kind === 'postgres' ? { database: plan.databaseMeter } : {}
  const reading = (what: string, path: string, connections: number): Subject => ({
    name: subjectName(ground, what),
    measure: () =>
      measureLoad(plan.load, { ...readingJob(plan, { path, headers }), connections, program, ...database }),
  })
  return [
    {
      name: subjectName(ground, 'append'),
      // Transcripts have an end: each round has one of its own.
      measure: async () => {
        const { path } = await openMeeting(program, headers)
        return measureLoad(plan.load, { ...appendingJob({ path, headers }), program, ...database })
      },
    },
    reading('list', listPath, 8),
    reading('get', `/assistant/v1/meetings/${long.id}`, 1),
    reading('summary, kept', `/assistant/v1/meetings/${long.id}/summary?mode=detailed`, 8),
  ]
}

function floorSubjects(plan: Plan, { floor: program, service }: { floor: Program; service: Opened }): Subject[] {
  const database = plan.databaseMeter
  const reading = (what: string, path: string, connections: number): Subject => ({
    name: floorName(what),
    measure: () =>
      measureLoad(plan.load, { ...readingJob(plan, { path, headers: {} }), connections, program, database }),
  })
  return [
    {
      name: floorName('append'),
      measure: () => measureLoad(plan.load, { ...appendingJob({ path: '/entries', headers: {} }), program, database }),
    },
    reading('list', '/meetings', 8),
    reading('get', `/meetings/${service.long.id}`, 1),
  ]
}

type Target = { path: string; headers: Record<string, string> }

function readingJob({ warmUpMs, measuredMs }: Plan, target: Target) {
  const request: Wire = { method: 'GET', ...target }
  return { requests: [request], span: { kind: 'window', warmUpMs, measuredMs } as const, status: 200 }
}

function appendingJob(target: Target) {
  const request: Wire = { method: 'POST', ...target, body: { entries: entries(entriesACall) } }
  const requests = Array.from({ length: appendsARound }, () => request)
  return { requests, connections: 1, span: { kind: 'once', calls: appendsARound } as const, status: 200 }
}

function comparisons(seen: Rounds): Figure[] {
  const [server] = grounds
  return ['append', 'list', 'get'].map((what) =>
    compare(seen, {
      what: `${subjectName(server, what)}: CPU a request / floor`,
      of: subjectName(server, what),
      by: floorName(what),
      read: processorUs,
    }),
  )
}

/** Slow operations one after another: their duration, and the delay of the event loop meanwhile. */
async function loopFigures(plan: Plan, service: Opened): Promise<Figure[]> {
  const figures = [await idleLateness(plan, service)]
  for (const mode of modes) figures.push(...(await coldSummaries(plan, { ...service, mode })))
  figures.push(...(await importFigures(plan, service)))
  return figures
}

/** The delay that the machine itself adds to each figure. */
async function idleLateness({ rounds }: Plan, { ground, program }: Opened): Promise<Figure> {
  const late: number[] = []
  for (let round = 0; round < rounds; round++)
    late.push((await delayDuring(program, () => new Promise((resolve) => setTimeout(resolve, 1000)))).maxMs)
  return {
    what: subjectName(ground, 'idle: event loop late by, at most'),
    value: median(late),
    unit: 'ms',
    rounds: late,
    limit: null,
  }
}

/** Each run appends an entry first, which makes the stored summary outdated. */
async function coldSummaries(plan: Plan, { mode, ...service }: Opened & { mode: string }): Promise<Figure[]> {
  const { ground, program, headers, long } = service
  const path = `/assistant/v1/meetings/${long.id}/summary?mode=${mode}`
  return measureRepeatedly(plan, {
    program,
    what: subjectName(ground, `summary of 20,000 words made, ${mode}`),
    atMostMs: 1000,
    prepare: () => append(program, long, entries(1)),
    work: () => ask(program, { path, headers }),
  })
}

async function importFigures(plan: Plan, { ground, program, headers }: Opened): Promise<Figure[]> {
  const body = wordyFile()
  let path = ''
  return measureRepeatedly(plan, {
    program,
    what: subjectName(ground, 'JSON of 12 MB brought in'),
    atMostMs: null,
    prepare: async () => {
      path = `${(await openMeeting(program, headers)).path}/import`
    },
    work: async () => {
      const response = await fetch(program.base + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      await response.text()
    },
  })
}

/** A file like that of a recognizer that times each word: little speech in much JSON. */
function wordyFile(): string {
  const rows: string[] = []
  let size = 0
  for (const { speaker, text, timestamp } of entries(20_000)) {
    const words = text.split(' ').map((word, n) => ({ word, start: n / 3, end: (n + 1) / 3, confidence: 0.987654 }))
    const row = JSON.stringify({ speaker, text, timestamp, words })
    size += row.length + 1
    if (size > importBytes) break
    rows.push(row)
  }
  return `{"entries":[${rows.join()}]}`
}

type Timed = {
  program: Program
  what: string
  atMostMs: number | null
  prepare: () => Promise<unknown>
  work: () => Promise<unknown>
}

async function measureRepeatedly(plan: Plan, { program, what, atMostMs, prepare, work }: Timed): Promise<Figure[]> {
  const took: number[] = []
  const late: number[] = []
  for (let round = -1; round < plan.rounds; round++) {
    await prepare()
    let tookMs = 0
    const delay = await delayDuring(program, async () => {
      const startedMs = performance.now()
      await work()
      tookMs = performance.now() - startedMs
    })
    if (round < 0) continue // the first run starts workers and compiles code
    took.push(tookMs)
    late.push(delay.maxMs)
  }
  const limit = atMostMs === null ? null : { atMost: atMostMs }
  return [
    { what, value: median(took), unit: 'ms', rounds: took, limit },
    {
      what: `${what}: event loop late by, at most`,
      value: median(late),
      unit: 'ms',
      rounds: late,
      limit: { atMost: 50 },
    },
  ]
}
