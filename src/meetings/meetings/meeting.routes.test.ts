import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'

let app: TestApp
let calls: ReturnType<typeof meetingCalls>
let user: TestUser

before(async () => {
  app = await testApp()
  calls = meetingCalls(app)
  user = await calls.someone()
})

const daysLater = (days: number) => new Date(app.clock.now().getTime() + days * 24 * 3600 * 1000).toISOString()

describe('creating a meeting', () => {
  test('returns it with its default values', async () => {
    const reply = await calls.call(user, 'POST', '', { body: { title: '  Planning ' } })
    assert.equal(reply.status, 201)
    const { id, ...rest } = reply.body
    assert.equal(reply.headers.location, `/assistant/v1/meetings/${id}`)
    assert.equal(reply.headers['etag'], `"${id}-1"`)
    const now = app.clock.now().toISOString()
    assert.deepEqual(rest, {
      title: 'Planning',
      status: 'scheduled',
      ttl_days: 90,
      settings: { personality: 'neutral', summaryMode: 'short' },
      participants: [],
      ownerId: user.id,
      orgId: null,
      visibility: 'private',
      sharedWith: [],
      access: 'owner',
      entryCount: 0,
      wordCount: 0,
      createdAt: now,
      updatedAt: now,
      scheduledAt: null,
      scheduledEnd: null,
      joinUrl: null,
      calendarEvent: null,
      cause: null,
      startedAt: null,
      endedAt: null,
      expiresAt: daysLater(90),
      revision: 1,
      transcript: [],
      transcriptTruncated: false,
    })
    assert.deepEqual((await calls.get(user, id)).body, reply.body)
  })

  test('with a transcript makes it active, with the entries in their order', async () => {
    const transcript = [said('Good morning everybody.'), said('Hello.', { speaker: 'Ben', timestamp: '00:00:02.500' })]
    const meeting = await calls.create(user, { transcript, settings: { personality: 'challenger' } })
    assert.equal(meeting.status, 'active')
    assert.equal(meeting.startedAt, app.clock.now().toISOString())
    assert.deepEqual(meeting.settings, { personality: 'challenger', summaryMode: 'short' })
    assert.deepEqual([meeting.entryCount, meeting.wordCount], [2, 4])
    assert.deepEqual(meeting.transcript, [
      {
        seq: 1,
        speaker: 'Ada',
        text: 'Good morning everybody.',
        timestamp: '00:00:01',
        offsetMs: 1000,
        segmentId: null,
      },
      { seq: 2, speaker: 'Ben', text: 'Hello.', timestamp: '00:00:02', offsetMs: 2500, segmentId: null },
    ])
    assert.deepEqual((await calls.get(user, meeting.id)).body, meeting)
  })
})

describe('the body of a new meeting', () => {
  test('is stored within its limits, and otherwise refused with the path of the fault', async () => {
    const scheduledAt = '2027-01-02T03:04:05.000Z'
    const meeting = await calls.create(user, {
      title: 'x'.repeat(200),
      ttl_days: 3650,
      scheduledAt,
      participants: ['Ada', { name: 'Ben', email: 'ben@example.com' }],
      settings: { summaryMode: 'detailed' },
    })
    assert.deepEqual(
      [meeting.scheduledAt, meeting.participants, meeting.settings],
      [
        scheduledAt,
        [
          { name: 'Ada', email: null },
          { name: 'Ben', email: 'ben@example.com' },
        ],
        { personality: 'neutral', summaryMode: 'detailed' },
      ],
    )
    const cases: [body: Record<string, unknown>, path: string][] = [
      [{ title: '' }, '/body/title'],
      [{ title: ' ' }, '/body/title'],
      [{ title: 'a\nb' }, '/body/title'],
      [{ title: 'x'.repeat(201) }, '/body/title'],
      [{ ttl_days: 0 }, '/body/ttl_days'],
      [{ ttl_days: 3651 }, '/body/ttl_days'],
      [{ ttl_days: 1.5 }, '/body/ttl_days'],
      [{ settings: { personality: 'rude' } }, '/body/settings/personality'],
      [{ settings: { summaryMode: 'long' } }, '/body/settings/summaryMode'],
      [{ scheduledAt: 'tomorrow' }, '/body/scheduledAt'],
      [{ scheduledAt: '9999-12-31T23:59:59-01:00' }, '/body/scheduledAt'],
      [{ participants: [''] }, '/body/participants/0'],
      [{ participants: [{ email: 'a@b.c' }] }, '/body/participants/0/name'],
      [{ orgId: meeting.id }, '/body/orgId'],
      [{ transcript: Array(501).fill(said('x')) }, '/body/transcript'],
      [{ status: 'completed' }, '/body/status'],
    ]
    for (const [body, path] of cases) {
      const reply = await calls.call(user, 'POST', '', { body: { title: 'Planning', ...body } })
      assert.deepEqual([reply.status, reply.body.code, reply.body.errors?.[0].path], [400, 'VALIDATION_ERROR', path])
    }
  })

  test('retention: null means for ever, and for a planned meeting it starts at its date', async () => {
    const forever = await calls.create(user, { ttl_days: null })
    assert.deepEqual([forever.ttl_days, forever.expiresAt], [null, null])
    const planned = await calls.create(user, { ttl_days: 1, scheduledAt: daysLater(30) })
    assert.equal(planned.expiresAt, daysLater(31))
  })

  test('a repeat under its key creates no second meeting, and after the deletion it returns no contents', async () => {
    const headers = { 'idempotency-key': 'the-one' }
    const body = { title: 'Kept once', transcript: [said('Nobody hears this again.')] }
    const first = await calls.call(user, 'POST', '', { body, headers })
    const again = await calls.call(user, 'POST', '', { body, headers })
    assert.deepEqual([again.status, again.body], [201, first.body])
    assert.equal((await calls.remove(user, first.body.id)).status, 204)
    const late = await calls.call(user, 'POST', '', { body, headers })
    assert.deepEqual([late.status, late.body.code, late.headers['idempotent-replayed']], [404, 'NOT_FOUND', 'true'])
  })

  test('a repeat returns the meeting only to its owner, and not to a former one', async () => {
    const orgs = organizationCalls(app)
    const key = await app.apiKey(await app.tenant())
    const chief = await orgs.person(key)
    const { id: orgId } = await orgs.create(chief)
    const [maker, heir] = [await orgs.add(key, orgId, 'member'), await orgs.add(key, orgId, 'member')]
    const [handed, kept] = [{ orgId }, { orgId, visibility: 'members' }].map((sharing) => {
      const rest = { body: { title: 'Planning', ...sharing }, headers: { 'idempotency-key': unique('k') } }
      return () => calls.call(maker, 'POST', '', rest)
    }) as [() => Promise<Reply>, () => Promise<Reply>]
    const ids = [(await handed()).body.id, (await kept()).body.id]
    assert.deepEqual([(await handed()).body.id, (await kept()).body.id], ids)
    const removal = `/orgs/${orgId}/members/${maker.id}?meetingsTo=${heir.id}`
    assert.equal((await orgs.call(chief, 'DELETE', removal)).status, 204)
    assert.equal((await handed()).status, 404)
    assert.deepEqual([(await kept()).status, (await kept()).body.id], [201, ids[1]])
    const again = { body: { userId: maker.id, role: 'member' }, headers: app.admin }
    const members = `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`
    assert.equal((await app.call({ method: 'POST', url: members, ...again })).status, 201)
    assert.equal((await calls.get(maker, ids[0])).body.access, 'read')
    assert.equal((await handed()).status, 404, 'a reader')
  })

  test("the tenant's limit holds, also for concurrent requests", async () => {
    const one = await calls.someone({ maxMeetings: 3 })
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => calls.call(one, 'POST', '', { body: { title: 'Planning' } })),
    )
    const made = replies.filter(({ status }) => status === 201)
    assert.equal(made.length, 3)
    for (const { status, body } of replies.filter((reply) => !made.includes(reply)))
      assert.deepEqual([status, body.code], [403, 'QUOTA_EXCEEDED'])
    await calls.remove(one, made[0]?.body.id)
    await calls.create(one)
  })
})

describe('listing meetings', () => {
  test("returns one's own meetings, newest first, without transcripts, filtered by status, title and date", async () => {
    const one = await calls.someone()
    const other = await app.user({ id: '', key: one.headers['x-api-key'] ?? '', tenantId: one.tenantId })
    await calls.create(other, { title: 'Not yours' })
    const titles = ['Alpha 50% off', 'beta Übung', 'Gamma']
    const made = []
    for (const title of titles) {
      made.push(await calls.create(one, { title, transcript: [said('Hi.')] }))
      app.clock.advance({ seconds: 60 })
    }
    await calls.call(one, 'POST', `/${made[1].id}/end`)
    const list = async (query: string) => (await calls.call(one, 'GET', query)).body
    const all = await list('')
    assert.deepEqual(all.pagination, { page: 1, limit: 20, total: 3, totalPages: 1 })
    const { transcript: _, transcriptTruncated: __, ...newest } = made[2]
    assert.deepEqual(all.meetings[0], newest)
    const found = async (query: string) => (await list(query)).meetings.map(({ title }: { title: string }) => title)
    assert.deepEqual(await found(''), titles.toReversed())
    assert.deepEqual(await found('?status=completed'), ['beta Übung'])
    assert.deepEqual(await found('?q=ALPHA'), ['Alpha 50% off'])
    assert.deepEqual(await found(`?q=${encodeURIComponent('50%')}`), ['Alpha 50% off'])
    assert.deepEqual(await found(`?q=${encodeURIComponent('ÜBUNG')}`), ['beta Übung'])
    assert.deepEqual(await found('?q=%25'), ['Alpha 50% off'])
    assert.deepEqual(await found(`?from=${made[1].createdAt}`), ['Gamma', 'beta Übung'])
    assert.deepEqual(await found(`?from=${made[1].createdAt}&to=${made[2].createdAt}`), ['beta Übung'])
    assert.deepEqual(await found('?limit=2&page=2'), ['Alpha 50% off'])
    assert.equal((await calls.call(one, 'GET', '?from=yesterday')).status, 400)
  })
})

describe('changing a meeting', () => {
  test('absent members stay, retention starts again, and an empty body changes nothing', async () => {
    const { id } = await calls.create(user)
    app.clock.advance({ seconds: 60 })
    const now = app.clock.now().toISOString()
    const body = { title: ' New title ', ttl_days: 10, participants: ['Ada'] }
    const reply = await calls.call(user, 'PATCH', `/${id}`, { body })
    assert.equal(reply.status, 200)
    const { title, ttl_days, participants, updatedAt, expiresAt, revision, status } = reply.body
    assert.deepEqual(
      [title, ttl_days, participants, updatedAt, expiresAt, revision, status],
      ['New title', 10, [{ name: 'Ada', email: null }], now, daysLater(10), 2, 'scheduled'],
    )
    assert.equal(reply.headers['etag'], `"${id}-2"`)
    assert.equal((await calls.call(user, 'PATCH', `/${id}`, { body: {} })).body.revision, 2)
    const kept = await calls.call(user, 'PATCH', `/${id}`, { body: { ttl_days: null } })
    assert.deepEqual([kept.body.ttl_days, kept.body.expiresAt, kept.body.title], [null, null, 'New title'])
    const cleared = await calls.call(user, 'PATCH', `/${id}`, { body: { participants: null } })
    assert.deepEqual([cleared.status, cleared.body.participants], [200, []])
  })

  test('a change based on an older revision is refused', async () => {
    const { id } = await calls.create(user)
    const change = (title: string, tag: string) =>
      calls.call(user, 'PATCH', `/${id}`, { body: { title }, headers: { 'if-match': tag } })
    assert.equal((await change('First', `"${id}-1"`)).status, 200)
    const late = await change('Second', `"${id}-1"`)
    assert.deepEqual([late.status, late.body.code, late.headers['etag']], [412, 'PRECONDITION_FAILED', `"${id}-2"`])
    assert.equal((await calls.get(user, id)).body.title, 'First')
  })

  test('an older revision is also refused for settings, start, end, cancel and delete', async () => {
    const { id } = await calls.create(user)
    const read = `"${id}-1"`
    const send = (method: 'PUT' | 'POST' | 'DELETE', path: string, tag: string) => {
      const body = method === 'PUT' ? { body: { personality: 'coach' } } : {}
      return calls.call(user, method, `/${id}${path}`, { ...body, headers: { 'if-match': tag } })
    }
    assert.equal((await calls.call(user, 'PATCH', `/${id}`, { body: { title: 'By somebody else' } })).status, 200)
    const changes = [
      ['PUT', '/settings'],
      ['POST', '/start'],
      ['POST', '/end'],
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const
    for (const [method, path] of changes) {
      const late = await send(method, path, read)
      assert.deepEqual([late.status, late.body.code, late.headers['etag']], [412, 'PRECONDITION_FAILED', `"${id}-2"`])
    }
    assert.deepEqual((await calls.get(user, id)).body.status, 'scheduled')

    const set = await send('PUT', '/settings', `"${id}-2"`)
    assert.deepEqual([set.status, set.headers['etag']], [200, `"${id}-3"`])
    assert.equal((await send('POST', '/start', String(set.headers['etag']))).status, 200)
    assert.equal((await send('DELETE', '', `"${id}-4"`)).status, 204)
  })

  test('settings can be changed one by one while it runs', async () => {
    const { id } = await calls.create(user, { transcript: [said('Hi.')] })
    const set = (body: unknown) => calls.call(user, 'PUT', `/${id}/settings`, { body })
    const first = await set({ personality: 'analyst' })
    assert.deepEqual([first.status, first.body], [200, { settings: { personality: 'analyst', summaryMode: 'short' } }])
    assert.deepEqual((await set({ summaryMode: 'detailed' })).body.settings.personality, 'analyst')
    assert.deepEqual((await set({})).body.settings, { personality: 'analyst', summaryMode: 'detailed' })
    assert.equal((await set({ personality: 'rude' })).status, 400)
    const { settings, status, revision } = (await calls.get(user, id)).body
    assert.deepEqual([settings, status, revision], [{ personality: 'analyst', summaryMode: 'detailed' }, 'active', 4])
  })

  test('it is started, ended and cancelled once, and events that its status does not allow are refused', async () => {
    const { id } = await calls.create(user)
    const move = (what: string) => calls.call(user, 'POST', `/${id}/${what}`)
    const early = await move('end')
    assert.deepEqual([early.status, early.body.code], [409, 'STATE_CONFLICT'])
    assert.match(early.body.detail, /is scheduled\. The action "end" needs a meeting that is active or completed/)
    const started = await move('start')
    assert.deepEqual([started.status, started.body.status], [200, 'active'])
    app.clock.advance({ seconds: 60 })
    const ended = await move('end')
    assert.deepEqual([ended.body.status, ended.body.endedAt], ['completed', app.clock.now().toISOString()])
    app.clock.advance({ seconds: 60 })
    assert.deepEqual((await move('end')).body, ended.body)
    for (const what of ['start', 'cancel']) assert.equal((await move(what)).status, 409)
  })
})

test('the personalities are listed with what they change', async () => {
  const reply = await app.call({
    url: '/assistant/v1/personalities',
    headers: { authorization: `Bearer ${user.accessToken}` },
  })
  const { personalities } = reply.body
  assert.deepEqual(
    personalities.map(({ name }: { name: string }) => name),
    ['neutral', 'supportive', 'challenger', 'analyst', 'coach'],
  )
  assert.deepEqual(
    personalities.filter(({ isDefault }: { isDefault: boolean }) => isDefault),
    [personalities[0]],
  )
  assert.deepEqual(personalities[0], {
    name: 'neutral',
    isDefault: true,
    tone: 'Plain minutes: answers only what was asked.',
    section: null,
  })
})

test('a token is enough, and an API key sent with it must list the assistant', async () => {
  const { id } = await calls.create(user)
  const key = await app.apiKey({ id: user.tenantId }, { products: ['vault-vpn'] })
  const reply = await calls.call(user, 'GET', `/${id}`, { headers: { 'x-api-key': key.key } })
  assert.deepEqual([reply.status, reply.body.code], [403, 'PRODUCT_NOT_ALLOWED'])
})
