import type { Wire } from '../connection.ts'
import { ask } from '../ground/ask.ts'
import { password, type Seeded, userEmail } from '../ground/seed.ts'
import { startService } from '../ground/service.ts'
import { inRounds, measureLoad, type Rounds, type Subject } from '../measure.ts'
import { compare, type Figure, processorUs, tableRows } from '../outcome.ts'
import { grounds, type Plan, type Scenario } from '../plan.ts'
import { type Program, startProgram } from '../program.ts'
import { median } from '../statistics.ts'

const connections = 16
// More users than connections, so that nobody gets more devices than the default limit of a user allows.
const users = 160
const [server, embedded] = grounds
const floor = 'floor: the same rows'
const deviceBody = { deviceName: 'laptop', deviceType: 'LINUX' }

export const devices: Scenario = {
  name: 'devices',
  about: `Register devices of ${users} users, each with new keys and an address, ${connections} connections.`,
  run: async (plan) => {
    const programs: Program[] = []
    try {
      const subjects: Subject[] = []
      for (const { kind, title } of grounds) {
        const seeded = await plan.seeded(kind, plan.sizes.few)
        const program = await startService(seeded.ground, {
          VPN_CAPACITY: '65000',
          TENANT_MAX_DEVICES_PER_USER: '65000',
        })
        programs.push(program)
        const requests: Wire[] = []
        // One by one: the service refuses a crowd that waits for passwords to be hashed.
        for (let user = 0; user < users; user += 1) requests.push(await registration(program, seeded, user))
        subjects.push(subject(plan, { name: title, program, requests, isServer: kind === 'postgres' }))
      }
      subjects.push(await floorSubject(plan, programs))
      const seen = await inRounds(plan.rounds, subjects)
      return { rows: tableRows(seen), figures: toFigures(seen) }
    } finally {
      for (const program of programs) await program.stop()
    }
  },
}

/** On the database of the service. */
async function floorSubject(plan: Plan, programs: Program[]): Promise<Subject> {
  const { ground, tenantId } = await plan.seeded('postgres', plan.sizes.few)
  const environment = { DATABASE_URL: ground.url ?? '', TENANT: tenantId }
  const program = await startProgram({ args: ['bench/floors/devices.ts'], environment })
  programs.push(program)
  const request: Wire = { method: 'POST', path: '/', headers: {}, body: deviceBody }
  return subject(plan, { name: floor, program, requests: [request], isServer: true })
}

function toFigures(seen: Rounds): Figure[] {
  const rounds = (seen.get(server.title) ?? []).map(processorUs)
  const processor = { of: server.title, by: floor, read: processorUs }
  return [
    {
      what: 'processor time of service and database',
      value: median(rounds),
      unit: 'us',
      rounds,
      limit: { atMost: 2500 },
    },
    // The floor commits each registration by itself; the service shares transactions among those that wait anyway.
    compare(seen, { what: 'service / floor, processor time', ...processor, limit: { atMost: 1.5 } }),
    compare(seen, { what: 'embedded / PostgreSQL', of: embedded.title, by: server.title }),
  ]
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
    body: deviceBody,
  }
}

type Registering = { name: string; program: Program; requests: Wire[]; isServer: boolean }

function subject(plan: Plan, { name, program, requests, isServer }: Registering): Subject {
  const { load, warmUpMs, measuredMs, databaseMeter: database } = plan
  const span = { kind: 'window', warmUpMs, measuredMs } as const
  const job = { program, requests, connections, span, status: 201, ...(isServer ? { database } : {}) }
  return { name, measure: () => measureLoad(load, job) }
}
