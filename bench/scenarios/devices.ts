import type { Wire } from '../connection.ts'
import { ask } from '../ground/ask.ts'
import { password, type Seeded, userEmail } from '../ground/seed.ts'
import { startService } from '../ground/service.ts'
import { inRounds, measureLoad, type Subject } from '../measure.ts'
import { compare, tableRows } from '../outcome.ts'
import { grounds, type Plan, type Scenario } from '../plan.ts'
import type { Program } from '../program.ts'

const connections = 16
const [server, embedded] = grounds

export const devices: Scenario = {
  name: 'devices',
  about: `Register devices of ${connections} users, each with new keys and an address, ${connections} connections.`,
  run: async (plan) => {
    const programs: Program[] = []
    try {
      const subjects: Subject[] = []
      for (const { kind, title } of grounds) {
        const seeded = await plan.seeded(kind, plan.sizes.few)
        const program = await startService(seeded.ground, { VPN_CAPACITY: '65000' })
        programs.push(program)
        const requests = await Promise.all(
          Array.from({ length: connections }, (_, user) => registration(program, seeded, user)),
        )
        subjects.push(subject(plan, { name: title, program, requests, isServer: kind === 'postgres' }))
      }
      const seen = await inRounds(plan.rounds, subjects)
      const figure = compare(seen, { what: 'embedded / PostgreSQL', of: embedded.title, by: server.title })
      return { rows: tableRows(seen), figures: [figure] }
    } finally {
      for (const program of programs) await program.stop()
    }
  },
}

async function registration(program: Program, { apiKey }: Seeded, user: number): Promise<Wire> {
  const key = { 'x-api-key': apiKey }
  const body = { email: userEmail(user), password }
  const { accessToken } = (await ask(program, { path: '/vault/v1/auth/login', headers: key, body })) as {
    accessToken: string
  }
  return {
    method: 'POST',
    path: '/vault/v1/devices',
    headers: { ...key, authorization: `Bearer ${accessToken}` },
    body: { deviceName: 'laptop', deviceType: 'LINUX' },
  }
}

type Registering = { name: string; program: Program; requests: Wire[]; isServer: boolean }

function subject(plan: Plan, { name, program, requests, isServer }: Registering): Subject {
  const { load, warmUpMs, measuredMs, databaseMeter: database } = plan
  const span = { kind: 'window', warmUpMs, measuredMs } as const
  const job = { program, requests, connections, span, status: 201, ...(isServer ? { database } : {}) }
  return { name, measure: () => measureLoad(load, job) }
}
