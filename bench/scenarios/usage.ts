import type { Wire } from '../connection.ts'
import { fetchText } from '../ground/ask.ts'
import { entries, loginAtNewTenants, loginOwner, openMeeting } from '../ground/meetings.ts'
import { type Seeded, seed } from '../ground/seed.ts'
import { serviceEnvironment } from '../ground/service.ts'
import { inTurns, type Side } from '../in-turns.ts'
import type { Rounds } from '../measure.ts'
import { compare, type Figure, processorUs, tableRows } from '../outcome.ts'
import { grounds, type Plan, type Scenario } from '../plan.ts'
import { type Program, startProgram } from '../program.ts'
import { median } from '../statistics.ts'

const entriesACall = 5
const licenses = 10
/** PRO limits words and not meetings: both kinds are measured, and nothing is refused. */
const limited = { USAGE_DEFAULT_PLAN: 'PRO' }
const callersAtOnce = 16
/** Two services that are the same differ by 2 % from start to start: each is started so often. */
const starts = 3
/** What a tenant may expect of which 16 callers append at once: its counter is locked until each has committed. */
const hotAppendsPerSecond = 300
const modes = ['metered', 'unmetered'] as const
const deeds = ['create', 'append'] as const

type Ground = (typeof grounds)[number]
type Mode = (typeof modes)[number]
type Deed = (typeof deeds)[number]
type Login = Record<string, string>
type Opened = { ground: Ground; mode: Mode; program: Program; headers: Login; others: Login[] }
type Callers = 'one' | 'of one tenant' | 'of many tenants'
type Measured = { deed: Deed; callers: Callers }

const subjectName = ({ title }: Ground, mode: Mode, { deed, callers }: Measured) =>
  `${title}, ${mode}: ${deed}${callers === 'one' ? '' : ` by ${callersAtOnce} ${callers}`}`

export const usage: Scenario = {
  name: 'usage',
  about: `Meetings created, and ${entriesACall} entries appended to one meeting, by a service that counts each use in its transaction and one that does not.`,
  run: async (plan) => {
    const seen: Rounds = new Map()
    const timesStarted = Math.min(starts, plan.rounds)
    for (const ground of grounds) {
      for (let start = 0; start < timesStarted; start++) {
        // Neither is always the first.
        const order = start % 2 === 0 ? modes : modes.toReversed()
        const rounds = Math.ceil(plan.rounds / timesStarted)
        for (const [name, measured] of await measureBoth({ ...plan, rounds }, ground, order))
          seen.set(name, [...(seen.get(name) ?? []), ...measured])
      }
    }
    return { rows: tableRows(seen), figures: grounds.flatMap((ground) => toFigures(seen, ground)) }
  },
}

async function measureBoth(plan: Plan, ground: Ground, order: readonly Mode[]): Promise<Rounds> {
  const programs: Program[] = []
  try {
    const both: Opened[] = []
    for (const mode of order) {
      const service = await startMode(plan, ground, mode)
      programs.push(service.program)
      both.push(await logIn(service))
    }
    const seen: Rounds = new Map()
    for (const what of measuredOn(ground))
      for (const [name, measured] of await measure(plan, both, what)) seen.set(name, measured)
    for (const service of both) await requireMode(service)
    return seen
  } finally {
    for (const program of programs) await program.stop()
  }
}

// The embedded database takes one transaction at a time, whoever calls.
const measuredOn = ({ kind }: Ground): Measured[] =>
  deeds.flatMap((deed) => {
    const callers: Callers[] = kind === 'postgres' ? ['one', 'of many tenants', 'of one tenant'] : ['one']
    return callers.map((each) => ({ deed, callers: each }))
  })

type Started = Pick<Opened, 'ground' | 'mode' | 'program'> & { seeded: Seeded }

async function startMode(plan: Plan, ground: Ground, mode: Mode): Promise<Started> {
  const seeded = await seed(await plan.empty(ground.kind), licenses)
  const program = await startProgram({
    // With `./`, because `src/main.ts` runs the bundle, which does not load the file that is replaced.
    args: [...(mode === 'metered' ? [] : ['--import', './bench/unmetered.ts']), 'scripts/node24.js', './src/main.ts'],
    environment: { ...serviceEnvironment(seeded.ground), ...limited },
  })
  return { ground, mode, program, seeded }
}

async function logIn({ seeded, ...service }: Started): Promise<Opened> {
  const { program, ground } = service
  const others = ground.kind === 'postgres' ? await loginAtNewTenants(program, callersAtOnce) : []
  return { ...service, headers: await loginOwner(program, seeded), others }
}

const requestOf = async (deed: Deed, { program, headers }: Pick<Opened, 'program' | 'headers'>): Promise<Wire> => {
  if (deed === 'create')
    return { method: 'POST', path: '/assistant/v1/meetings', headers, body: { title: 'Weekly planning' } }
  const { path } = await openMeeting(program, headers)
  return { method: 'POST', path, headers, body: { entries: entries(entriesACall) } }
}
const statusOf = (deed: Deed): number => (deed === 'create' ? 201 : 200)

/** A first round warms both up and is thrown away. */
async function measure({ rounds, measuredMs }: Plan, both: Opened[], what: Measured): Promise<Rounds> {
  const { deed, callers } = what
  const sides = both.map((service): Side => {
    const { program, headers, others } = service
    const logins = { one: [headers], 'of one tenant': Array(callersAtOnce).fill(headers), 'of many tenants': others }[
      callers
    ]
    return {
      name: subjectName(service.ground, service.mode, what),
      program,
      callers: logins.length,
      status: statusOf(deed),
      next: () => Promise.all(logins.map((login) => requestOf(deed, { program, headers: login }))),
    }
  })
  const measured = measuredMs / (callers === 'one' ? 10 : 40)
  const seen = await inTurns({ rounds: rounds + 1, warmUp: measured / 3, measured }, sides)
  return new Map([...seen].map(([name, measurements]) => [name, measurements.slice(1)]))
}

/** Otherwise the same service was measured twice. */
async function requireMode({ mode, program, headers }: Opened): Promise<void> {
  const path = '/assistant/v1/usage?scope=me&meter=meetings'
  const { totals } = JSON.parse(await fetchText(program, { path, headers })) as { totals: { meetings?: number } }
  if ((mode === 'metered') !== (totals.meetings ?? 0) > 0) throw new Error(`The service should be ${mode}.`)
}

function toFigures(seen: Rounds, ground: Ground): Figure[] {
  return measuredOn(ground).flatMap((what) => {
    const text = subjectName(ground, 'metered', what)
    const pair = { of: subjectName(ground, 'metered', what), by: subjectName(ground, 'unmetered', what) }
    return [
      compare(seen, {
        ...pair,
        what: `${text}: requests/s / unmetered`,
        ...(what.callers === 'of one tenant' ? {} : { limit: { atLeast: 0.9 } }),
      }),
      ...(what.callers === 'of one tenant' && what.deed === 'append' ? [hotFigure(seen, pair.of)] : []),
      compare(seen, { ...pair, what: `${text}: CPU a request / unmetered`, read: processorUs }),
    ]
  })
}

function hotFigure(seen: Rounds, name: string): Figure {
  const rounds = (seen.get(name) ?? []).map(({ perSecond }) => perSecond)
  return {
    what: `${name}: requests/s`,
    value: median(rounds),
    unit: '',
    rounds,
    limit: { atLeast: hotAppendsPerSecond },
  }
}
