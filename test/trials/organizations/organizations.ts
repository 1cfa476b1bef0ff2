import { randomBytes } from 'node:crypto'
import { startCluster } from '../../harness/cluster.ts'
import { startMailServer } from '../../harness/mail-server.ts'
import { startPostgresServer } from '../../harness/postgres-server.ts'
import { startService, temporaryFolder } from '../../harness/service.ts'
import type { Row } from '../row.ts'
import { type Installation, people } from './people.ts'
import { races } from './races.ts'
import { removal } from './removal.ts'

const membersMax = 3
const limits = { maxOrgs: 1_000_000, maxOrgMembers: membersMax }

/** Races for roles and seats, and removals of members who follow a meeting: on two processes, and on an embedded database. */
export async function organizations(rounds: number): Promise<Row[]> {
  const mail = await startMailServer()
  const settings = {
    SMTP_URL: mail.url,
    MAIL_FROM: 'no-reply@atrium.example',
    RATE_LIMIT_MAX: '1000000000',
    // The same guests are invited in each round.
    RATE_LIMIT_WINDOW_SECONDS: '1',
    LOG_LEVEL: 'silent',
  }
  const onTwo = await onTwoProcesses(settings, async (service) =>
    runRounds('two processes', { mail, ...service }, rounds),
  )
  const embedded = await onEmbedded(settings, async (service) => runRounds('embedded', { mail, ...service }, rounds))
  await mail.close()
  return [...onTwo, ...embedded]
}

type Run = (service: Omit<Installation, 'mail'>) => Promise<Row[]>

async function onTwoProcesses(environment: Record<string, string>, run: Run): Promise<Row[]> {
  const server = await startPostgresServer()
  // Without Redis, which would tell the other process at once.
  const cluster = await startCluster({ nodes: 2, databaseUrl: server.url, environment })
  try {
    return await run({ bases: cluster.nodes.map(({ base }) => base), admin: cluster.admin })
  } finally {
    await cluster.stop()
    await server.stop()
  }
}

async function onEmbedded(environment: Record<string, string>, run: Run): Promise<Row[]> {
  const adminKey = `atradmin_${randomBytes(24).toString('base64url')}`
  const service = await startService({ ...environment, DATA_DIR: await temporaryFolder(), ADMIN_KEY: adminKey })
  try {
    return await run({ bases: [service.base], admin: { 'x-admin-key': adminKey } })
  } finally {
    await service.stop('SIGKILL')
  }
}

async function runRounds(on: string, installation: Installation, rounds: number): Promise<Row[]> {
  const tenant = await people(installation, limits)
  const rows: Row[] = []
  for (const [name, race] of Object.entries(await races(tenant, membersMax))) {
    const faults = new Set<string>()
    for (let round = 0; round < rounds; round++) for (const fault of await race(round)) faults.add(fault)
    rows.push({ on, race: name, rounds, broken: [...faults].join('; ') })
  }
  const remove = await removal(tenant)
  const faults = new Set<string>()
  let slowestMs = 0
  for (let round = 0; round < rounds; round++) {
    const seen = await remove(round)
    for (const fault of seen.faults) faults.add(fault)
    slowestMs = Math.max(slowestMs, seen.closedMs)
  }
  const slowest = Math.round(slowestMs)
  return [
    ...rows,
    { on, race: 'removed live', rounds, 'closed after ms, slowest': slowest, broken: [...faults].join('; ') },
  ]
}
