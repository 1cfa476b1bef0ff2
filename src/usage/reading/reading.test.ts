import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { newId } from '../../kernel/ids.ts'
import { run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { meteringService } from '../meters/metering.service.ts'

describe('reading usage', () => {
  let app: TestApp
  let orgs: ReturnType<typeof organizationCalls>
  let key: TestKey
  let admin: TestUser
  let owner: TestUser
  let member: TestUser
  let orgId: string

  before(async () => {
    app = await testApp()
    orgs = organizationCalls(app)
  })
  beforeEach(async () => {
    key = await app.apiKey(await app.tenant())
    admin = await orgs.person(key)
    await app.promote(admin)
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner)).id
    member = await orgs.add(key, orgId, 'member')
  })

  const read = async (user: TestUser, query = '') => {
    await app.app.flush()
    const authorization = `Bearer ${user.accessToken}`
    return app.call({ url: `/assistant/v1/usage${query}`, headers: { authorization } })
  }

  const count = (amounts: Record<string, number>, subject: object) => {
    const metering = meteringService({
      clock: app.clock,
      planOf: () => sql<string | null>`null::text`,
      planEndOf: () => sql`null::timestamptz`,
      tellReached: async () => undefined,
    })
    return transaction(app.scopeOf(key.tenantId), (tx) => metering.count(tx, { amounts, ...subject }))
  }

  test('gives each scope its uses, by what was asked for', async () => {
    await count({ asks: 3 }, { orgId, userId: member.id, engine: 'llm' })
    await count({ asks: 2 }, { orgId, userId: owner.id, engine: 'local' })
    await count({ asks: 1, meetings: 4 }, { userId: member.id })
    const ofMeters = async (user: TestUser, query: string) => {
      const { status, body } = await read(user, query)
      assert.equal(status, 200, JSON.stringify(body))
      const usage = body.usage.filter(({ meter }: { meter: string }) => ['asks', 'meetings'].includes(meter))
      return { usage, asks: body.totals.asks }
    }
    const day = app.clock.now().toISOString().slice(0, 10)
    assert.deepEqual(await ofMeters(member, ''), {
      usage: [
        { day, meter: 'asks', amount: 4 },
        { day, meter: 'meetings', amount: 4 },
      ],
      asks: 4,
    })
    assert.deepEqual(await ofMeters(owner, `?scope=org&orgId=${orgId}&groupBy=month`), {
      usage: [{ month: `${day.slice(0, 7)}-01`, meter: 'asks', amount: 5 }],
      asks: 5,
    })
    assert.deepEqual(await ofMeters(owner, `?scope=org&orgId=${orgId}&groupBy=engine`), {
      usage: [
        { engine: 'llm', meter: 'asks', amount: 3 },
        { engine: 'local', meter: 'asks', amount: 2 },
      ],
      asks: 5,
    })
    const byUser = [
      { user: member.id, meter: 'asks', amount: 4 },
      { user: owner.id, meter: 'asks', amount: 2 },
    ]
    assert.deepEqual(await ofMeters(admin, '?scope=tenant&groupBy=user&meter=asks'), {
      usage: byUser.toSorted((a, b) => (a.user < b.user ? -1 : 1)),
      asks: 6,
    })
    assert.deepEqual(await ofMeters(admin, '?scope=tenant&groupBy=org&meter=asks'), {
      usage: [
        { org: orgId, meter: 'asks', amount: 5 },
        { org: null, meter: 'asks', amount: 1 },
      ],
      asks: 6,
    })
    assert.deepEqual((await ofMeters(admin, '?scope=tenant&groupBy=meter')).usage, [
      { meter: 'asks', amount: 6 },
      { meter: 'meetings', amount: 4 },
    ])
  })

  test('is for admins of the organization and of the tenant; a foreign organization is one that never existed', async () => {
    const foreignKey = await app.apiKey(await app.tenant())
    const foreign = await orgs.create(await orgs.person(foreignKey))
    const statuses = await Promise.all(
      [
        read(member, '?scope=tenant'),
        read(member, `?scope=org&orgId=${orgId}`),
        read(owner, '?scope=tenant'),
        read(admin, `?scope=org&orgId=${orgId}`),
        read(owner, '?scope=org'),
      ].map(async (reply) => (await reply).status),
    )
    assert.deepEqual(statuses, [403, 403, 403, 200, 400])
    for (const reader of [admin, owner]) {
      const unknown = await read(reader, `?scope=org&orgId=${newId(app.clock.now())}`)
      const other = await read(reader, `?scope=org&orgId=${foreign.id}`)
      const withoutId = ({ requestId: _, ...body }: Record<string, unknown>) => body
      assert.deepEqual([other.status, withoutId(other.body)], [404, withoutId(unknown.body)])
    }
  })

  test('can be read as CSV, of at most 366 days and 10,000 entries', async () => {
    await count({ meetings: 2 }, { userId: member.id })
    const file = await read(member, '?format=csv&groupBy=meter&meter=meetings')
    assert.match(file.headers['content-type'] ?? '', /^text\/csv/)
    assert.equal(file.bytes.toString(), 'meter,amount\r\nmeetings,2\r\n')
    assert.equal((await read(member, '?from=2020-01-01&to=2021-01-01')).status, 400)
    const day = app.clock.now().toISOString().slice(0, 10)
    await run(
      app.platform,
      sql`insert into usage_by_day (tenant_id, day, meter, user_id, amount)
        select ${key.tenantId}, ${day}, 'mails', gen_random_uuid(), 1 from generate_series(1, 10001)`,
    )
    const tooMany = await read(admin, '?scope=tenant&groupBy=user')
    assert.deepEqual([tooMany.status, tooMany.body.errors[0].path], [400, '/query/groupBy'])
    assert.equal((await read(admin, '?scope=tenant&groupBy=user&meter=meetings')).status, 200)
  })
})
