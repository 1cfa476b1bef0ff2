import type { Wire } from '../connection.ts'
import { fetchText } from '../ground/ask.ts'
import type { Seeded } from '../ground/seed.ts'
import { startService } from '../ground/service.ts'
import type { Rounds } from '../measure.ts'
import { inRounds, measureLoad, type Subject } from '../measure.ts'
import { compare, type Figure, tableRows } from '../outcome.ts'
import type { Plan, Scenario } from '../plan.ts'
import { type Program, startProgram } from '../program.ts'

const connections = 32

const floors = [
  { name: 'floor: pool', args: ['pool', 'joined'] },
  { name: 'floor: pool, keys remembered', args: ['pool', 'remembered'] },
  { name: 'floor: pipelined', args: ['pipelined', 'joined'] },
  { name: 'floor: pipelined, keys remembered', args: ['pipelined', 'remembered'] },
]

/** Questions about the licenses of a seeded database, as an SDK asks them. */
export function questions({ apiKey, keys }: Pick<Seeded, 'apiKey' | 'keys'>, extra: object = {}): Wire[] {
  return keys.map((licenseKey) => ({
    method: 'POST',
    path: '/vault/v1/licenses/validate',
    headers: { 'x-api-key': apiKey },
    body: { licenseKey, ...extra },
  }))
}

export const validate: Scenario = {
  name: 'validate',
  about: `Validate licenses that exist, ${connections} connections, all limits and checks on.`,
  run: async (plan) => {
    const few = plan.sizes.few
    const [server, embedded] = [await plan.seeded('postgres', few), await plan.seeded('embedded', few)]
    const programs = new Map<string, Program>()
    try {
      programs.set('service, PostgreSQL', await startService(server.ground))
      programs.set('service, embedded', await startService(embedded.ground))
      const environment = { DATABASE_URL: server.ground.url ?? '' }
      for (const { name, args } of floors) {
        programs.set(name, await startProgram({ args: ['bench/floors/validate.ts', ...args], environment }))
      }
      await refuseOtherAnswers(programs, server)
      const seen = await inRounds(
        plan.rounds,
        [...programs].map(([name, program]) =>
          subject(plan, { name, program, seeded: name.endsWith('embedded') ? embedded : server }),
        ),
      )
      return { rows: tableRows(seen), figures: toFigures(seen) }
    } finally {
      for (const program of programs.values()) await program.stop()
    }
  },
}

function subject(plan: Plan, { name, program, seeded }: { name: string; program: Program; seeded: Seeded }): Subject {
  const { load, warmUpMs, measuredMs, databaseMeter: database } = plan
  const requests = questions(seeded)
  const span = { kind: 'window', warmUpMs, measuredMs } as const
  // What is embedded is in the service's own time.
  const isServer = seeded.ground.kind === 'postgres'
  const job = { program, requests, connections, span, status: 200, ...(isServer ? { database } : {}) }
  return { name, measure: () => measureLoad(load, job) }
}

/** A floor that answered less would be no floor: on the same license its body is the service's, byte for byte. */
async function refuseOtherAnswers(programs: Map<string, Program>, seeded: Seeded): Promise<void> {
  const [question] = questions(seeded)
  if (question === undefined) throw new Error('Nothing was seeded.')
  const answers = new Map<string, string>()
  for (const [name, program] of programs) {
    if (name.endsWith('embedded')) continue // has licenses of its own
    answers.set(name, await fetchText(program, question))
  }
  const [expected, ...others] = answers.values()
  if (others.some((text) => text !== expected)) {
    throw new Error(`The floors do not answer what the service answers:\n${[...answers].join('\n')}`)
  }
}

function toFigures(seen: Rounds): Figure[] {
  const [server, embedded] = ['service, PostgreSQL', 'service, embedded']
  return [
    compare(seen, { what: 'PostgreSQL / pool floor', of: server, by: 'floor: pool', limit: { atLeast: 0.9 } }),
    compare(seen, { what: 'PostgreSQL / pool floor, keys remembered', of: server, by: 'floor: pool, keys remembered' }),
    compare(seen, {
      what: 'PostgreSQL / pipelined floor',
      of: server,
      by: 'floor: pipelined',
      limit: { atLeast: 0.65 },
    }),
    compare(seen, {
      what: 'PostgreSQL / pipelined floor, keys remembered',
      of: server,
      by: 'floor: pipelined, keys remembered',
    }),
    compare(seen, { what: 'embedded / pool floor', of: embedded, by: 'floor: pool', limit: { atLeast: 0.25 } }),
  ]
}
