import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../bench/ground/postgres.ts'
import { adminKey, type Ground, openGround, secrets, startService } from '../../bench/ground/service.ts'
import { delayDuring, startHeardService } from '../../bench/lateness.ts'
import type { Program } from '../../bench/program.ts'
import { median } from '../../bench/statistics.ts'
import { systemCaller } from '../../src/kernel/caller.ts'
import { sealedLicenseKeys } from '../../src/licensing/licenses/license-issuing.ts'
import { newLicenseKey } from '../../src/licensing/licenses/license-key.rules.ts'
import { mintPlatformScope } from '../../src/storage/mint.ts'
import { run, type Sql, sql } from '../../src/storage/query.ts'
import { foldRowCounts } from '../../src/storage/row-counts.ts'
import type { Row } from './row.ts'

const repeats = 15
/** No question of the console may take longer, nor hold the event loop for so long. */
const answerMsMax = 500
const loopMsMax = 200

/** What the console asks, on a database with so many users, licenses, devices, sessions, audit entries and a hundredth of the tenants. */
export async function consoleSize(rows: number, only?: string): Promise<Row[]> {
  const postgres = await openPostgres()
  const folder = () => mkdtempSync(join(tmpdir(), 'console-size-'))
  try {
    const server: Ground = { kind: 'postgres', url: await postgres.create(), dataFolder: folder() }
    const embedded: Ground = { kind: 'embedded', url: null, dataFolder: folder() }
    const grounds = [['PostgreSQL', server] as const, ['PGlite', embedded] as const]
    const seen: Row[] = []
    for (const [name, ground] of grounds) {
      if (only === undefined || only === name) seen.push(...(await measure(name, ground, rows)))
    }
    return seen
  } finally {
    await postgres.end()
  }
}

async function measure(database: string, ground: Ground, rows: number): Promise<Row[]> {
  await (await startService(ground)).stop()
  await fill(ground, rows)
  const service = await startHeardService(ground)
  try {
    const seen: Row[] = []
    for (const [question, ask] of questions(rows)) seen.push({ database, question, ...(await timed(service, ask)) })
    return seen
  } finally {
    await service.stop()
  }
}

type Ask = (service: Program) => Promise<void>

function questions(rows: number): [string, Ask][] {
  const headers = { 'x-admin-key': adminKey, 'content-type': 'application/json' }
  const get =
    (path: string): Ask =>
    async ({ base }) => {
      const reply = await fetch(base + path, { headers })
      if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
      await reply.arrayBuffer()
    }
  /** The thing must be found, or the time would be that of another question. */
  const search =
    (q: string, kind: string): Ask =>
    async ({ base }) => {
      const body = JSON.stringify({ q })
      const reply = await fetch(`${base}/v1/platform/admin/search`, { method: 'POST', headers, body })
      const text = await reply.text()
      if (!text.includes(`"${kind}"`)) throw new Error(`${q}: ${reply.status} ${text}`)
    }
  const middle = Math.floor(rows / 2)
  const id = (noun: keyof typeof kinds) => uuidOf(kinds[noun], middle)
  return [
    ['Home', get('/v1/platform/admin/overview')],
    ['search: part of a name', search('7 of many', 'TENANT')],
    ['search: start of an e-mail', search(`person${middle}@`, 'USER')],
    ['search: id of a user', search(id('user'), 'USER')],
    ['search: id of a license', search(id('license'), 'LICENSE')],
    ['search: id of a device', search(id('device'), 'DEVICE')],
    ['search: id of a request', search(`request-${middle}`, 'AUDIT_ENTRIES')],
    ['users, first page', get('/admin/users?limit=20')],
    ['users, by part of the e-mail', get(`/admin/users?limit=20&email=person${middle}`)],
    ['licenses, first page', get('/vault/v1/licenses?limit=20')],
    ['licenses, by label', get(`/vault/v1/licenses?limit=20&q=label%20${middle}`)],
    ['licenses, by product and status', get('/vault/v1/licenses?limit=20&product=editing-sdk&status=REVOKED')],
    ['open VPN sessions', get('/admin/vpn/sessions?limit=20')],
    ['audit, first page', get('/admin/audit-logs?limit=20')],
    ['audit, by target', get(`/admin/audit-logs?limit=20&targetId=${id('user')}`)],
    ['audit, by action', get('/admin/audit-logs?limit=20&action=user.suspend')],
    ['tenants, by part of the name', get('/admin/tenants?limit=20&q=7%20of%20many')],
  ]
}

async function timed(service: Program, ask: Ask) {
  await ask(service)
  const times: number[] = []
  const { maxMs } = await delayDuring(service, async () => {
    for (let n = 0; n < repeats; n += 1) {
      const start = performance.now()
      await ask(service)
      times.push(performance.now() - start)
    }
  })
  const [p50, max] = [median(times), Math.max(...times)]
  const faults = [p50 > answerMsMax && 'slow', maxMs > loopMsMax && 'holds the event loop'].filter(Boolean)
  return { 'p50 ms': round(p50), 'max ms': round(max), 'loop max ms': round(maxMs), broken: faults.join(', ') }
}

const round = (ms: number) => Math.round(ms * 10) / 10

/** The nth thing of a kind. The same as `idOf` in SQL. */
function uuidOf(kind: number, n: number): string {
  return `0000000${kind}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

const kinds = { tenant: 1, user: 2, license: 3, device: 4, session: 5, entry: 6, server: 7 } as const
const idOf = (kind: keyof typeof kinds, n: Sql): Sql =>
  sql`('0000000' || ${kinds[kind]}::int || '-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

const rowsAtOnce = 2000
const tables = [
  'row_count_changes',
  'tenants',
  'users',
  'licenses',
  'devices',
  'vpn_sessions',
  'audit_log',
  'usage_metrics',
]

/** One of a hundred VPN sessions is open; one of twenty licenses is revoked; everything is spread over a year. */
async function fill(ground: Ground, rows: number): Promise<void> {
  const database = await openGround(ground)
  const platform = mintPlatformScope(database.handle, systemCaller)
  const n = sql`n`
  const tenants = Math.ceil(rows / 100)
  const tenant = idOf('tenant', sql`(n % ${tenants}::int + 1)`)
  const server = uuidOf(kinds.server, 1)
  const at = sql`now() - n * interval '1 year' / ${rows}::int`
  await run(
    platform,
    sql`insert into tenants (id, name, slug, contact_email, status, created_at, updated_at)
      select ${idOf('tenant', n)}, n || ' of many', 'many-' || n, 'ops@example.com', 'ACTIVE', ${at}, now()
      from generate_series(1, ${tenants}::int) n`,
  )
  await run(
    platform,
    sql`insert into vpn_servers (id, name, region, public_ip, endpoint_host, endpoint_port, subnet4, subnet6, mtu, capacity,
        status, active_count, created_at, updated_at)
      values (${server}, 'large', 'eu', '192.0.2.1', 'vpn.example.com', 51820, '10.64.0.0/10', 'fd00::/64', 1420, 1000000,
        'ACTIVE', ${rows}, now(), now())`,
  )
  const inserts: ((range: Sql) => Sql)[] = [
    (range) => sql`insert into users (tenant_id, id, email, role, status, created_at, updated_at)
      select ${tenant}, ${idOf('user', n)}, 'person' || n || '@example.com', 'USER', 'ACTIVE', ${at}, now() from ${range}`,
    (
      range,
    ) => sql`insert into devices (tenant_id, id, user_id, device_name, device_type, public_key, server_id, assigned_ip,
        assigned_ipv6, status, created_at)
      select ${tenant}, ${idOf('device', n)}, ${idOf('user', n)}, 'laptop ' || n, 'LINUX', 'key ' || n, ${server}, '10.64.0.2',
        'fd00::2', 'ACTIVE', ${at} from ${range}`,
    (
      range,
    ) => sql`insert into vpn_sessions (tenant_id, id, device_id, user_id, server_id, license_id, license_key_hint, status,
        source, connected_at)
      select ${tenant}, ${idOf('session', n)}, ${idOf('device', n)}, ${idOf('user', n)}, ${server}, ${idOf('license', n)}, 'MANY',
        case when n % 100 = 0 then 'ACTIVE' else 'ENDED' end, 'API', ${at} from ${range}`,
    (
      range,
    ) => sql`insert into audit_log (id, at, tenant_id, actor_type, actor_label, action, target_type, target_id, outcome,
        request_id)
      select ${idOf('entry', n)}, ${at}, ${tenant}, 'ADMIN', 'Ana', case when n % 50 = 0 then 'user.suspend' else 'user.update' end,
        'user', ${idOf('user', n)}::text, 'ALLOWED', 'request-' || n from ${range}`,
    (range) => sql`insert into usage_metrics (tenant_id, day, product, api_calls)
      select ${tenant}, current_date - n / ${tenants}::int, 'vault-vpn', 10 from ${range}`,
  ]
  for (let from = 1; from <= rows; from += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, rows - from + 1)
    for (const insert of inserts) {
      await run(platform, insert(sql`generate_series(${from}::int, ${from + count - 1}::int) n`))
    }
    // A list opens the keys of its page, so they must be real.
    const sealed = Array.from({ length: count }, (_, at) => {
      const owner = [uuidOf(kinds.tenant, ((from + at) % tenants) + 1), uuidOf(kinds.license, from + at)]
      return secrets.seal(newLicenseKey(randomBytes), sealedLicenseKeys.context(owner)).toString('hex')
    })
    await run(
      platform,
      sql`insert into licenses (tenant_id, id, key_hash, key_sealed, key_hint, product, plan, label, expires_at, revoked_at,
          created_at, updated_at)
        select ${tenant}, ${idOf('license', n)}, sha256(uuid_send(gen_random_uuid())), decode(sealed, 'hex'), 'MANY', 'editing-sdk',
          'STARTER', 'label ' || n, case when n % 3 = 0 then now() + (n % 365) * interval '1 day' end,
          case when n % 20 = 0 then now() end, ${at}, now()
        from (select sealed, ${from - 1}::int + row::int as n from unnest(${sealed}::text[]) with ordinality as s(sealed, row)) as numbered`,
    )
    // As the service does every ten seconds: the questions would be asked before it had counted all of this.
    await foldRowCounts(platform)
  }
  for (const table of tables) await run(platform, sql`vacuum analyze ${sql.raw(table)}`)
  await database.close()
}
