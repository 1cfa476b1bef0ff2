import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, testLimits } from '../../../test/harness/app.ts'
import { one, run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { tenantQuotas } from './quota.store.ts'

const quotas = tenantQuotas(testLimits)

describe('quotas', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })

  test('the limits of the tenant are returned, also a limit of zero, and the defaults for the others', async () => {
    const { id } = await app.tenant({
      limits: { maxDevices: 3, maxMeetings: 0, maxApiKeys: null, maxStorageBytes: 2 ** 53 - 1 },
    })
    await transaction(app.scopeOf(id), async (tx) => {
      const { maxDevices, maxMeetings, maxStorageBytes, maxApiKeys, maxUsers } = await quotas.lockLimits(tx, null)
      assert.deepEqual([maxDevices, maxMeetings, maxStorageBytes, maxApiKeys], [3, 0, 2 ** 53 - 1, null])
      assert.equal(maxUsers, testLimits.maxUsers)
    })
  })

  test('only one creator counts at a time: two cannot take the same last place', async () => {
    const { id } = await app.tenant({ limits: { maxDevices: 3 } })
    // The name of the tenant stands for what a creator counts and adds to.
    await run(app.platform, sql`update tenants set name = '' where id = ${id}`)
    const create = () =>
      transaction(app.scopeOf(id), async (tx) => {
        const { maxDevices: limit } = await quotas.lockLimits(tx, null)
        const { name } = await one(tx, sql<{ name: string }>`select name from tenants where id = ${id}`)
        if (limit !== null && name.length >= limit) return false
        await run(tx, sql`update tenants set name = ${`${name}x`} where id = ${id}`)
        return true
      })
    const answers = await Promise.all(Array.from({ length: 12 }, create))
    assert.equal(answers.filter(Boolean).length, 3)
  })
})
