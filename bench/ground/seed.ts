// Fills a database through the service's own functions where what is written must be read by it, and by SQL the rest.

import { passwordHasher } from '../../src/identity/auth/password-hash.ts'
import { systemCaller } from '../../src/kernel/caller.ts'
import type { License } from '../../src/licensing/licenses/license.rules.ts'
import { licenseIssuer, openLicenseKey } from '../../src/licensing/licenses/license-issuing.ts'
import type { Database } from '../../src/storage/database.ts'
import { eventBus } from '../../src/storage/events.ts'
import { mintPlatformScope, mintTenantScope } from '../../src/storage/mint.ts'
import { run, sql } from '../../src/storage/query.ts'
import { transaction } from '../../src/storage/scope.ts'
import { type Ground, openGround, secrets, startService } from './service.ts'
import { makeApiKey, makeTenant } from './tenants.ts'

/** How much there is, and what requests need to name it. */
export type Seeded = {
  ground: Ground
  licenses: number
  users: number
  tenantId: string
  apiKey: string
  /** Licenses that requests ask for: spread over the whole table, with uses that do not run out. */
  keys: string[]
  /** One for each who consumes, so that none waits for another's lock. */
  hotKeys: string[]
}

export const product = 'editing-sdk'
export const password = 'plum-Kayak-73-otter'
export const pageSize = 20
const keysMax = 10_000
const hotKeys = 8
/** No run takes as many, and one more still fits the column. */
const usesMax = 2_000_000_000
/** A statement of this many rows ends long before the pool's limit of 10 s, also on a busy machine. */
const rowsAtOnce = 10_000
const licensesPerTransaction = 250
/** Rows behind the newest that a list shows on its page 5,000. */
export const deepPage = 5_000

/** Migrates, then makes a tenant, `licenses` licenses and as many users, at most 100,000. */
export async function seed(ground: Ground, licenses: number): Promise<Seeded> {
  const { tenantId, apiKey } = await makeCustomer(ground)
  const users = Math.min(licenses, pageSize * deepPage)
  const database = await openGround(ground)
  try {
    const newest = new Date()
    const ages = spreadAges(Math.min(licenses, keysMax), licenses)
    const keys = await issue(database, {
      tenantId,
      moments: ages.map((age) => new Date(newest.getTime() - age * 1000)),
    })
    const hot = await issue(database, { tenantId, moments: Array.from({ length: hotKeys }, () => new Date(0)) })
    await fillLicenses(database, { tenantId, count: licenses - keys.length, newest })
    await fillUsers(database, { tenantId, count: users, newest })
    await run(mintPlatformScope(database.handle, systemCaller), sql`analyze`)
    return { ground, licenses, users, tenantId, apiKey, keys, hotKeys: hot }
  } finally {
    await database.close()
  }
}

/**
 * How many seconds older than the newest each of `count` issued licenses is, among `total` that are a second apart.
 * A list opens the sealed keys of a page, which only issued ones have: page 1 and the deep page consist of those.
 */
export function spreadAges(count: number, total: number): number[] {
  if (count >= total) return Array.from({ length: count }, (_, at) => at)
  const before = pageSize * (deepPage - 1)
  const step = (total - before - pageSize) / (count - 2 * pageSize)
  return Array.from({ length: count }, (_, at) => {
    if (at < pageSize) return at - pageSize
    // Between the filler that stands on the page before and the one on the page after.
    if (at < 2 * pageSize) return before - pageSize - 1 + (at - pageSize + 1) / (pageSize + 1)
    return before + Math.floor((at - 2 * pageSize) * step) + 0.5
  })
}

async function makeCustomer(ground: Ground): Promise<{ tenantId: string; apiKey: string }> {
  const service = await startService(ground)
  try {
    const tenantId = await makeTenant(service, 'bench')
    return { tenantId, apiKey: await makeApiKey(service, tenantId, ['vault-vpn', 'assistant-ai', product]) }
  } finally {
    await service.stop()
  }
}

async function issue(
  { handle }: Database,
  { tenantId, moments }: { tenantId: string; moments: Date[] },
): Promise<string[]> {
  const make = licenseIssuer({ secrets, audit: async () => undefined, events: eventBus() })
  const scope = mintTenantScope(handle, tenantId, systemCaller)
  const terms = {
    product,
    plan: 'STARTER',
    maxUses: usesMax,
    expiresAt: null,
    label: null,
    isAutomatic: false,
  } as const
  const made: License[] = []
  for (let from = 0; from < moments.length; from += licensesPerTransaction) {
    const batch = await transaction(scope, async (tx) => {
      const licenses: (License | null)[] = []
      for (const now of moments.slice(from, from + licensesPerTransaction))
        licenses.push(await make(tx, { ...terms, now }))
      return licenses
    })
    made.push(...batch.filter((license) => license !== null))
  }
  return made.map((license) => openLicenseKey(license, secrets))
}

type Filling = { tenantId: string; count: number; newest: Date }

/** Licenses that nobody asks for: rows and index entries like any other, but their keys open nothing. */
async function fillLicenses({ handle }: Database, { tenantId, count, newest }: Filling): Promise<void> {
  const platform = mintPlatformScope(handle, systemCaller)
  for (let from = 0; from < count; from += rowsAtOnce) {
    const to = Math.min(from + rowsAtOnce, count)
    await run(
      platform,
      sql`insert into licenses (tenant_id, id, key_hash, key_sealed, key_hint, product, plan, max_uses, created_at, updated_at)
        select ${tenantId}, gen_random_uuid(), sha256(uuid_send(gen_random_uuid())), decode(repeat('ab', 60), 'hex'), 'BENCH',
          ${product}, 'STARTER', ${usesMax}, ${newest}::timestamptz - n * interval '1 second', ${newest}
        from generate_series(${from}::int, ${to - 1}::int) as n`,
    )
  }
}

/** `user0@bench.example` and so on, all with the one password. */
async function fillUsers({ handle }: Database, { tenantId, count, newest }: Filling): Promise<void> {
  const platform = mintPlatformScope(handle, systemCaller)
  const passwordHash = await passwordHasher().hash(password)
  for (let from = 0; from < count; from += rowsAtOnce) {
    const to = Math.min(from + rowsAtOnce, count)
    await run(
      platform,
      sql`insert into users (tenant_id, id, email, role, status, password_hash, created_at, updated_at)
        select ${tenantId}, gen_random_uuid(), 'user' || n || '@bench.example', 'USER', 'ACTIVE', ${passwordHash},
          ${newest}::timestamptz - n * interval '1 second', ${newest}
        from generate_series(${from}::int, ${to - 1}::int) as n`,
    )
  }
}

export function userEmail(user: number): string {
  return `user${user}@bench.example`
}
