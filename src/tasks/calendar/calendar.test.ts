import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import ICAL from 'ical.js'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { auditOfTarget } from '../../../test/harness/audit-log.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { rowsWith } from '../../../test/harness/tables.ts'
import { taskCalls } from '../../../test/harness/tasks.ts'
import { run, sql } from '../../storage/query.ts'
import { calendarText } from './calendar.service.ts'

describe('the calendar of a member', () => {
  let app: TestApp
  let orgs: ReturnType<typeof organizationCalls>
  let key: TestKey
  let owner: TestUser
  let member: TestUser
  let orgId: string

  before(async () => {
    app = await testApp()
    orgs = organizationCalls(app)
    key = await app.apiKey(await app.tenant())
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner)).id
    member = await orgs.add(key, orgId, 'viewer')
  })

  const calendar = (user: TestUser, method: string) => orgs.call(user, method, `/orgs/${orgId}/tasks/calendar`)
  const create = async (user: TestUser): Promise<string> => {
    const { status, body, headers } = await calendar(user, 'POST')
    assert.deepEqual([status, headers['cache-control']], [201, 'no-store'], JSON.stringify(body))
    return body.calendar.url
  }
  const read = (url: string, headers = {}) => app.app.server.inject({ url, headers })
  const titles = async (url: string) => {
    const { statusCode, payload, headers } = await read(url)
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/calendar; charset=utf-8'])
    const events = new ICAL.Component(ICAL.parse(payload)).getAllSubcomponents('vevent')
    return events.map((it) => new ICAL.Event(it)).map(({ summary, startDate }) => `${startDate} ${summary}`)
  }
  const absent = async () => (await read('/assistant/v1/calendars/nothing.ics')).payload.replace(/"requestId":.*/, '')
  const isDead = async (url: string) => {
    const { statusCode, payload } = await read(url)
    assert.deepEqual([statusCode, payload.replace(/"requestId":.*/, '')], [404, await absent()])
  }

  test('shows their own open tasks that have a due day', async () => {
    const tasks = taskCalls(app, orgId)
    const own = { assigneeId: member.id, due: '2027-02-28' }
    await tasks.create(owner, { ...own, title: 'Sign; the, contract\\ – 日本' })
    const started = await tasks.create(owner, { ...own, title: 'Started', due: '2027-03-01' })
    await tasks.change(owner, started.id, { status: 'in_progress' })
    const done = await tasks.create(owner, { ...own, title: 'Done' })
    await tasks.change(owner, done.id, { status: 'done' })
    await tasks.create(owner, { ...own, title: 'Undated', due: null })
    await tasks.create(owner, { ...own, title: 'Of another member', assigneeId: owner.id })
    const url = await create(member)
    assert.deepEqual((await titles(url)).sort(), ['2027-02-28 Sign; the, contract\\ – 日本', '2027-03-01 Started'])
    const { headers } = await read(url)
    const same = await read(url, { 'if-none-match': headers.etag })
    assert.deepEqual([same.statusCode, same.payload, same.headers.etag], [304, '', headers.etag])
    await tasks.change(owner, started.id, { title: 'Nearly done' })
    assert.equal((await read(url, { 'if-none-match': headers.etag })).statusCode, 200)
  })

  test('has a secret address, which is shown once, stored nowhere, and ended by a new one', async () => {
    const [first, second] = [await create(member), await create(member)]
    await isDead(first)
    assert.ok((await read(second)).statusCode === 200)
    const token = second.slice(second.indexOf('atrcal_'), -'.ics'.length)
    assert.deepEqual(await rowsWith(app.platform, token), [])
    assert.equal((await calendar(member, 'DELETE')).status, 204)
    await isDead(second)
    assert.equal((await calendar(member, 'DELETE')).status, 404)
    const actions = (await auditOfTarget(app, orgId)).map(({ action }) => action)
    assert.ok(actions.includes('org.calendar.create') && actions.includes('org.calendar.delete'))
  })

  test('lets other requests run while a full one is written', async () => {
    const events = Array.from({ length: 5_000 }, (_, id) => ({
      id: String(id),
      title: '日'.repeat(500),
      day: '2027-02-28',
      revision: 1,
      updatedAt: new Date('2027-02-01T00:00:00Z'),
    }))
    let turns = 0
    const count = () => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    await calendarText('Research', events)
    clearImmediate(next)
    assert.notEqual(turns, 0)
  })

  test('ends when they leave, and rests while they are suspended', async () => {
    const leaver = await orgs.add(key, orgId, 'member')
    const url = await create(leaver)
    const suspended = sql`update users set status = 'SUSPENDED' where id = ${leaver.id}`
    await run(app.platform, suspended)
    await isDead(url)
    await run(app.platform, sql`update users set status = 'ACTIVE' where id = ${leaver.id}`)
    assert.equal((await read(url)).statusCode, 200)
    assert.equal((await orgs.call(leaver, 'DELETE', `/orgs/${orgId}/members/me`)).status, 204)
    await isDead(url)
    assert.equal((await calendar(leaver, 'POST')).status, 404)
  })
})
