import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { exampleValue } from '../../src/http/openapi/schemas.ts'
import { newId } from '../../src/kernel/ids.ts'
import { run, sql } from '../../src/storage/query.ts'
import { type ApiOperation, apiOperations } from '../harness/api-operations.ts'
import { type Reply, type TestApp, type TestKey, type TestUser, testApp, unique } from '../harness/app.ts'
import { meetingCalls } from '../harness/meetings.ts'
import { organizationCalls } from '../harness/organizations.ts'

/**
 * Who may call the routes of an organization: its members read, and those with the role member or a higher one change. Others
 * are named here, by method and the path after the organization.
 */
const orgRules: Record<string, OrgCaller[]> = {
  'PATCH ': ['owner', 'admin'],
  'DELETE ': ['owner'],
  'POST /members': [], // administrators of the tenant
  'PATCH /members/me': ['owner', 'admin', 'member', 'viewer'],
  'DELETE /members/me': ['owner', 'admin', 'member', 'viewer'],
  'PATCH /members/{userId}': ['owner', 'admin'],
  'DELETE /members/{userId}': ['owner', 'admin'],
  'POST /transfer': ['owner'],
  'GET /invitations': ['owner', 'admin'],
  'POST /invitations': ['owner', 'admin'],
  'POST /invitations/{invitationId}/resend': ['owner', 'admin'],
  'DELETE /invitations/{invitationId}': ['owner', 'admin'],
  'GET /export': ['owner'],
  // The owner made the task and wrote the comment.
  'DELETE /tasks/{taskId}': ['owner', 'admin'],
  'PATCH /tasks/{taskId}/comments/{commentId}': ['owner'],
  'DELETE /tasks/{taskId}/comments/{commentId}': ['owner', 'admin'],
  'POST /tasks/calendar': ['owner', 'admin', 'member', 'viewer'],
  'DELETE /tasks/calendar': ['owner', 'admin', 'member', 'viewer'],
  // Of an open collection, which the owner made.
  'POST /collections': ['owner', 'admin'],
  'PATCH /collections/{collectionId}': ['owner', 'admin'],
  'DELETE /collections/{collectionId}': ['owner', 'admin'],
  'PUT /collections/{collectionId}/members/{userId}': ['owner', 'admin'],
  'DELETE /collections/{collectionId}/members/{userId}': ['owner', 'admin'],
  // The owner added the document to it.
  'PATCH /documents/{documentId}': ['owner', 'admin'],
  'DELETE /documents/{documentId}': ['owner', 'admin'],
  'POST /documents/{documentId}/retry': ['owner', 'admin'],
  'POST /documents/{documentId}/versions': ['owner', 'admin'],
  'POST /documents/{documentId}/versions/{version}/restore': ['owner', 'admin'],
  'POST /ask': ['owner', 'admin', 'member', 'viewer'],
  // The owner has asked.
  'GET /asks/{askId}': ['owner'],
  'DELETE /asks/{askId}': ['owner'],
  'POST /asks/{askId}/feedback': ['owner'],
}
const members = ['owner', 'admin', 'member', 'viewer'] as const
type OrgCaller = (typeof members)[number]

/** The same for the routes of a meeting, which is shared with listed members. */
const meetingRules: Record<string, MeetingCaller[]> = { 'DELETE ': ['holder'] }
const readers = ['holder', 'writer', 'reader', 'listed viewer'] as const
type MeetingCaller = (typeof readers)[number]

const strangers = ['no member', 'other tenant', 'removed a moment ago'] as const

let app: TestApp
let key: TestKey
let orgs: ReturnType<typeof organizationCalls>
let meetings: ReturnType<typeof meetingCalls>
let users: Record<string, TestUser>
let operations: ApiOperation[]

before(async () => {
  app = await testApp()
  orgs = organizationCalls(app)
  meetings = meetingCalls(app)
  key = await app.apiKey(await app.tenant())
  users = { 'other tenant': await orgs.person(await app.apiKey(await app.tenant())) }
  const names = [...members, ...readers, 'no member', 'removed a moment ago', 'other member']
  for (const name of names) users[name] = await orgs.person(key)
  operations = apiOperations(app.app.openApi() as Parameters<typeof apiOperations>[0])
})

const user = (name: string): TestUser => {
  const found = users[name]
  assert.ok(found, name)
  return found
}

/** An organization with one of everything that the path can name. The callers are made members of it. */
async function world(path = ''): Promise<Record<string, string>> {
  const orgId: string = (await orgs.create(user('owner'))).id
  const add = (name: string, role: string) =>
    app.call({
      method: 'POST',
      url: `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`,
      headers: app.admin,
      body: { userId: user(name).id, role },
    })
  for (const name of ['admin', 'member', 'viewer'] as const) await add(name, name)
  for (const name of ['holder', 'writer', 'reader', 'removed a moment ago', 'other member']) await add(name, 'member')
  await add('listed viewer', 'viewer')
  const listed = { writer: 'write', reader: 'read', 'listed viewer': 'write', 'removed a moment ago': 'write' }
  const sharedWith = Object.entries(listed).map(([name, access]) => ({ userId: user(name).id, access }))
  const meeting = await meetings.create(user('holder'), { orgId, visibility: 'members', sharedWith })
  const by = (path: string, body: object) => orgs.call(user('owner'), 'POST', `/orgs/${orgId}${path}`, { body })
  const { task } = (await by('/tasks', { title: 'Sign' })).body
  const conflicts = [{ field: 'title', ours: 'Sign', theirs: 'Sign it', at: app.clock.now() }]
  await run(app.platform, sql`update tasks set conflicts = ${JSON.stringify(conflicts)}::jsonb where id = ${task.id}`)
  const { comment } = (await by(`/tasks/${task.id}/comments`, { text: 'Soon.' })).body
  const { invitation } = (await by('/invitations', { email: `${unique('guest')}@example.com`, role: 'viewer' })).body
  const made = {
    orgId,
    meetingId: meeting.id,
    taskId: task.id,
    field: 'title',
    commentId: comment.id,
    invitationId: invitation.id,
    userId: user('other member').id,
  }
  // To read a document takes as long as all before it.
  const known = /^$|document|collection|ask$|asks|search/.test(path) ? await knowledge(orgId) : {}
  await orgs.call(user('viewer'), 'POST', `/orgs/${orgId}/tasks/calendar`)
  const removed = user('removed a moment ago')
  await orgs.call(user('owner'), 'DELETE', `/orgs/${orgId}/members/${removed.id}`)
  return { ...made, ...known }
}

async function knowledge(orgId: string): Promise<Record<string, string>> {
  const by = (path: string, body: object) => orgs.call(user('owner'), 'POST', `/orgs/${orgId}${path}`, { body })
  const { collection } = (await by('/collections', { name: 'Contracts' })).body
  await orgs.call(
    user('owner'),
    'PUT',
    `/orgs/${orgId}/collections/${collection.id}/members/${user('other member').id}`,
    {
      body: { access: 'read' },
    },
  )
  const added = { title: 'Terms', text: unique('text'), collectionId: collection.id }
  const { document } = (await by('/documents', added)).body
  // It is read by now, and has a version that is not current.
  await app.settled()
  await by(`/documents/${document.id}/versions`, { text: unique('text') })
  await app.settled()
  const { answerId } = (await by('/ask', { question: 'Which terms hold?' })).body
  return { collectionId: collection.id, documentId: document.id, version: '1', askId: answerId }
}

/** Also the only owner, without anything that a removal does beside. */
async function removeAtOnce(orgId: string, userId: string): Promise<void> {
  for (const table of ['meeting_shares', 'organization_members'])
    await run(app.platform, sql`delete from ${sql.raw(table)} where org_id = ${orgId} and user_id = ${userId}`)
}

/** A request that would do something if it were allowed. */
function send(
  { method, path, bodies }: ApiOperation,
  ids: Record<string, string>,
  by: string | null,
  key: string | null = null,
) {
  // What takes a form, too, takes the same as JSON.
  const body = bodies.find(({ type }) => type === 'application/json') ?? bodies[0]
  const url = path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? newId(new Date()))
  const query = neededQuery(method, path)
  const headers: Record<string, string> = by === null ? {} : { authorization: `Bearer ${user(by).accessToken}` }
  if (key !== null) headers['idempotency-key'] = key
  if (body !== undefined && body.type !== 'application/json') headers['content-type'] = body.type
  return app.call({
    method,
    url: url + query,
    headers,
    ...(body === undefined ? {} : { body: bodyOf(path, body, ids) }),
  })
}

function neededQuery(method: string, path: string): string {
  if (path.endsWith('/search')) return '?q=terms'
  return method === 'DELETE' && path.endsWith('/{orgId}') ? '?confirm=Research' : ''
}

function bodyOf(path: string, { schema, example }: ApiOperation['bodies'][number], ids: Record<string, string>) {
  // Only the title: the other members of a change need the owner.
  if (path.endsWith('/{meetingId}')) return { title: 'Changed' }
  const made = example ?? exampleValue(schema as Parameters<typeof exampleValue>[0])
  if (typeof made !== 'object' || made === null) return made
  // Admins may give this role, too.
  const named = { userId: ids['userId'], role: 'viewer', collectionId: ids['collectionId'] }
  return { ...made, ...Object.fromEntries(Object.entries(named).filter(([name]) => name in made)) }
}

const sorts = [
  { param: 'orgId', base: '/assistant/v1/orgs/{orgId}', callers: members, rules: orgRules, outsiders: strangers },
  {
    param: 'meetingId',
    base: '/assistant/v1/meetings/{meetingId}',
    callers: readers,
    rules: meetingRules,
    outsiders: [...strangers, 'owner', 'admin', 'member'], // of the organization, and not listed
  },
] as const

for (const { param, base, callers, rules, outsiders } of sorts)
  describe(`every route below ${base}`, () => {
    const own = () => operations.filter(({ path }) => path.startsWith(base))
    const allowed = ({ method, path }: ApiOperation): readonly string[] => {
      const named: readonly string[] | undefined = rules[`${method} ${path.replace(base, '')}`]
      return named ?? (method === 'GET' ? callers : callers.filter((name) => !/viewer|reader/.test(name)))
    }

    test('needs a credential, and shows outsiders exactly what an unknown id shows', async () => {
      const ids = await world()
      assert.ok(own().length > 8)
      const deviations: unknown[] = []
      for (const operation of own()) {
        const what = `${operation.method} ${operation.path}`
        const { status } = await send(operation, ids, null)
        if (status !== 401) deviations.push([what, 'without a credential', status])
        const unknown = { ...ids, [param]: newId(new Date()) }
        for (const name of outsiders) {
          const [hidden, missing] = [await send(operation, ids, name), await send(operation, unknown, name)]
          if (hidden.status !== 404 || !isDeepStrictEqual(sentBytes(hidden), sentBytes(missing)))
            deviations.push([what, name, hidden.status])
        }
      }
      assert.deepEqual(deviations, [])
    })

    test('repeats no answer to somebody who was removed meanwhile', async () => {
      const deviations: unknown[] = []
      for (const operation of own().filter(({ isIdempotent }) => isIdempotent)) {
        // Members are added by administrators of the tenant, who are no members.
        const caller = allowed(operation).find((name) => name !== 'holder')
        if (caller === undefined) continue
        const ids = await world(operation.path)
        const once = unique('k')
        const first = await send(operation, ids, caller, once)
        await removeAtOnce(ids['orgId'] as string, user(caller).id)
        const again = await send(operation, ids, caller, once)
        const missing = await send(operation, { ...ids, [param]: newId(new Date()) }, caller, once)
        const isDone = ![401, 403, 404].includes(first.status)
        if (!isDone || again.status !== 404 || !isDeepStrictEqual(sentBytes(again), sentBytes(missing)))
          deviations.push([operation.method, operation.path, caller, first.status, again.status])
      }
      assert.deepEqual(deviations, [])
    })

    test('refuses those with too low a right, and nobody else', async () => {
      const ids = await world()
      const deviations: unknown[] = []
      for (const operation of own())
        for (const name of callers) {
          const isAllowed = allowed(operation).includes(name)
          // What is allowed may change anything, so it gets a world of its own. Those with a higher right may do the same.
          const isSafe = operation.method === 'GET' || !isAllowed
          if (!isSafe && name !== allowed(operation).at(-1)) continue
          const { status, body } = await send(operation, isSafe ? ids : await world(operation.path), name)
          const isRefused = isPersonal(operation) ? status === 404 : status === 403 && body.code === 'INSUFFICIENT_ROLE'
          const isAsExpected = isAllowed ? ![401, 403, 404].includes(status) && status < 500 : isRefused
          if (!isAsExpected) deviations.push([operation.method, operation.path, name, status, body.code])
        }
      assert.deepEqual(deviations, [])
    })
  })

/** No role opens somebody else's question: it is the 404 of an unknown one. */
const isPersonal = ({ path }: ApiOperation) => path.includes('/asks/{askId}')

/** The bytes of an answer, without what every request has of its own. */
function sentBytes({ status, body }: Reply): unknown {
  const { requestId: _, instance: __, ...rest } = body
  return { status, ...rest }
}
