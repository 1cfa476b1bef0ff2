import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { one, run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { getLicense, lockLicense, revokeAllLicenses, saveLastValidated } from './license.store.ts'
import { parseLicenseKey } from './license-key.rules.ts'

async function addLicenses(app: TestApp, tenantId: string, count: number): Promise<void> {
  const now = app.clock.now()
  await run(
    app.platform,
    sql`insert into licenses (tenant_id, id, key_hash, key_sealed, key_hint, product, plan, created_at, updated_at)
      select ${tenantId}, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), '\\x00'::bytea, 'HINT0', 'editing-sdk', 'PRO',
        ${now}::timestamptz, ${now}::timestamptz
      from generate_series(1, ${count}::int)`,
  )
}

async function goodLicenses(app: TestApp, tenantId: string): Promise<number> {
  const counting = sql<{ count: number }>`select count(*)::int as count from licenses
    where tenant_id = ${tenantId} and revoked_at is null`
  return (await one(app.platform, counting)).count
}

test('all licenses of a removed tenant are revoked, however many there are, and no others', async () => {
  const app = await testApp()
  const [going, staying] = [await app.tenant(), await app.tenant()]
  await addLicenses(app, going.id, 10_001) // more than two statements take
  await addLicenses(app, staying.id, 3)
  await transaction(app.platform, (tx) => revokeAllLicenses(tx, going.id, app.clock.now()))
  assert.equal(await goodLicenses(app, going.id), 0)
  assert.equal(await goodLicenses(app, staying.id), 3)
  // The keys cannot be decrypted, so no other test may read these licenses.
  await run(app.platform, sql`delete from licenses where tenant_id in (${going.id}, ${staying.id})`)
})

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'

test('saving lastValidatedAt does not wait for a locked license', {
  skip: !isServer && 'PGlite runs one at a time',
}, async () => {
  const app = await testApp()
  const tenant = await app.tenant()
  const hashes = await Promise.all(
    [0, 1].map(async () => parseLicenseKey((await app.license(tenant)).key)?.hash as Buffer),
  )
  const [held, free] = hashes as [Buffer, Buffer]
  const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = transaction(app.platform, async (tx) => {
    await lockLicense(tx, { keyHash: held })
    isHeld.resolve()
    await mayEnd.promise
  })
  await isHeld.promise
  const at = app.clock.now()
  await saveLastValidated(
    app.platform,
    hashes.map((hash) => ({ key: hash.toString('hex'), at })),
  )
  mayEnd.resolve()
  await holding
  assert.equal((await getLicense(app.platform, { keyHash: held })).lastValidatedAt, null)
  assert.deepEqual((await getLicense(app.platform, { keyHash: free })).lastValidatedAt, at)
})
