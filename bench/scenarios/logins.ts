import type { Wire } from '../connection.ts'
import { password, type Seeded, userEmail } from '../ground/seed.ts'
import { delayDuring, startHeardService } from '../lateness.ts'
import type { Load } from '../load.ts'
import type { Figure } from '../outcome.ts'
import { grounds, type Plan, type Scenario } from '../plan.ts'
import type { Program } from '../program.ts'
import { median, medianRatio } from '../statistics.ts'

const burst = 16
const burstsPerRound = 4
const idleMs = 500
const triesPerRound = 100

export const logins: Scenario = {
  name: 'logins',
  about: `Bursts of ${burst} logins, and how late the event loop runs meanwhile; wrong passwords for known and unknown addresses by turns.`,
  run: async (plan) => {
    const figures: Figure[] = []
    for (const { kind, title } of grounds) {
      const seeded = await plan.seeded(kind, plan.sizes.few)
      // Every try comes from an address of its own: what slows one who guesses is not what is measured.
      const program = await startHeardService(seeded.ground, { TRUSTED_PROXIES: '127.0.0.0/8' })
      try {
        figures.push(...(await bursts(plan, { title, program, seeded })))
        figures.push(await wrongPasswords(plan, { title, program, seeded }))
      } finally {
        await program.stop()
      }
    }
    return { rows: [], figures }
  },
}

type Tried = { title: string; program: Program; seeded: Seeded }

async function bursts(plan: Plan, { title, program, seeded }: Tried): Promise<Figure[]> {
  const idle: number[] = []
  const late: number[] = []
  const slowest: number[] = []
  const answered: number[] = []
  for (let round = 0; round < plan.rounds; round++) {
    idle.push((await delayDuring(program, () => new Promise((resolve) => setTimeout(resolve, idleMs)))).p99Ms)
    const loads: Load[] = []
    const delay = await delayDuring(program, async () => {
      for (let at = 0; at < burstsPerRound; at++) {
        const first = (round * burstsPerRound + at) * burst
        const requests = Array.from({ length: burst }, (_, user) =>
          login(seeded, { email: userEmail(first + user), password }),
        )
        loads.push(await once(plan, { program, requests, connections: burst, status: 200 }))
      }
    })
    late.push(delay.p99Ms)
    slowest.push(delay.maxMs)
    answered.push(median(loads.map(({ maxMs }) => maxMs)))
  }
  const figure = (what: string, rounds: number[], limit: Figure['limit'] = null): Figure => ({
    what: `${title}: ${what}`,
    value: median(rounds),
    unit: 'ms',
    rounds,
    limit,
  })
  return [
    figure('event loop late by, p99, idle', idle),
    figure(`event loop late by, p99, in bursts of ${burst}`, late, { atMost: 15 }),
    figure('event loop late by, at most, in those', slowest),
    figure('until the last of a burst is answered', answered),
  ]
}

/** A stranger must not learn from the time of an answer whether an address is known. */
async function wrongPasswords(plan: Plan, { title, program, seeded }: Tried): Promise<Figure> {
  const known: number[] = []
  const unknown: number[] = []
  for (let round = 0; round < plan.rounds; round++) {
    const requests = Array.from({ length: triesPerRound }, (_, at) => {
      const user = round * triesPerRound + at
      // A wrong password is not tried twice at an address, nor the same one at two: both would be slowed.
      const wrong = `not-${user}-the-Password`
      return [
        login(seeded, { email: userEmail(user), password: wrong }),
        login(seeded, { email: `nobody${user}@bench.example`, password: `${wrong}-either` }),
      ]
    }).flat()
    const { latenciesMs } = await once(plan, { program, requests, connections: 1, status: 401 })
    known.push(median(latenciesMs.filter((_, at) => at % 2 === 0)))
    unknown.push(median(latenciesMs.filter((_, at) => at % 2 === 1)))
  }
  const { ratio, rounds } = medianRatio(known, unknown)
  return {
    what: `${title}: wrong password, known / unknown address, median`,
    value: ratio,
    unit: '',
    rounds,
    limit: { atLeast: 0.9, atMost: 1.1 },
  }
}

let lastAddress = 0

function login({ apiKey }: Seeded, body: { email: string; password: string }): Wire {
  lastAddress += 1
  return {
    method: 'POST',
    path: '/vault/v1/auth/login',
    headers: { 'x-api-key': apiKey, 'x-forwarded-for': `198.18.${lastAddress >> 8}.${lastAddress & 255}` },
    body,
  }
}

type Once = { program: Program; requests: Wire[]; connections: number; status: number }

function once({ load }: Plan, { program: { host, port }, requests, ...rest }: Once): Promise<Load> {
  return load.do({ host, port, requests, span: { kind: 'once', calls: requests.length }, ...rest })
}
