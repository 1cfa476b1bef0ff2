import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '../harness/client.ts'
import { makeCustomer } from '../harness/customer.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import { startService, temporaryFolder } from '../harness/service.ts'
import { standUp } from '../meetings/written.ts'
import type { Row } from './row.ts'

const meetingsPerRound = 3
/** A job of a killed process runs again after 30 to 40 s, for each of its attempts. */
const waitMsMax = 300_000

export async function proposalsEmbedded(rounds: number): Promise<Row[]> {
  return proposing(rounds, { DATA_DIR: await temporaryFolder() })
}

export async function proposalsOnPostgres(rounds: number): Promise<Row[]> {
  const server = await startPostgresServer()
  try {
    return await proposing(rounds, { DATA_DIR: await temporaryFolder(), DATABASE_URL: server.url })
  } finally {
    await server.stop()
  }
}

/** Meetings end, and the process is killed while it proposes their tasks: each meeting gets the same tasks, once. */
async function proposing(rounds: number, environment: Record<string, string>): Promise<Row[]> {
  const admin = { 'x-admin-key': `atradmin_${randomBytes(24).toString('base64url')}` }
  const settings = {
    ...environment,
    ADMIN_KEY: admin['x-admin-key'],
    RATE_LIMIT_MAX: '1000000000',
    LOG_LEVEL: 'silent',
  }
  let service = await startService(settings)
  const { headers } = await makeCustomer({ base: service.base, admin })
  const call = async (method: string, path: string, body?: unknown) => {
    const url = `${service.base}${path}`
    return ask({ url, method, headers: caller, ...(body === undefined ? {} : { body }) })
  }
  const made = async (path: string, body: unknown) => {
    const answer = await call('POST', path, body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }
  let caller: Record<string, string> = headers
  const person = { email: 'ada@example.com', password: randomBytes(12).toString('hex'), name: 'Ada' }
  const { accessToken } = await made('/vault/v1/auth/register', person)
  caller = { authorization: `Bearer ${accessToken}` }
  const orgId: string = (await made('/assistant/v1/orgs', { name: 'Research' })).org.id

  const newMeeting = async (): Promise<string> =>
    (await made('/assistant/v1/meetings', { title: 'Stand-up', orgId, transcript: standUp })).id
  const titles = async (meetingId: string): Promise<string[]> => {
    const { body } = await call('GET', `/assistant/v1/orgs/${orgId}/tasks?limit=100&meetingId=${meetingId}`)
    return body.tasks.map(({ title }: { title: string }) => title).sort()
  }
  const end = (meetingId: string) => call('POST', `/assistant/v1/meetings/${meetingId}/end`)

  const undisturbed = await newMeeting()
  const asked = await call('POST', `/assistant/v1/meetings/${undisturbed}/tasks`)
  assert.equal(asked.status, 200)
  const expected = JSON.stringify(await titles(undisturbed))
  assert.notEqual(expected, '[]')

  const ended: string[] = []
  let whole = 0
  for (let round = 0; round < rounds; round++) {
    const meetings = await Promise.all(Array.from({ length: meetingsPerRound }, newMeeting))
    const replies = await Promise.all(meetings.map(end))
    for (const [i, { status }] of replies.entries()) if (status === 200) ended.push(meetings[i] as string)
    await delay(Math.random() * 250)
    await service.stop('SIGKILL')
    service = await startService(settings)
    for (const meeting of meetings) if ((await titles(meeting)).length > 0) whole++
  }
  assert.ok(ended.length > 0)
  const deadline = Date.now() + waitMsMax
  let missing = ended
  while (missing.length > 0 && Date.now() < deadline) {
    await delay(1000)
    const counts = await Promise.all(missing.map(titles))
    missing = missing.filter((_, i) => counts[i]?.length === 0)
  }
  const wrong: string[] = []
  for (const meeting of ended) if (JSON.stringify(await titles(meeting)) !== expected) wrong.push(meeting)
  await service.stop('SIGKILL')
  return [
    {
      kills: rounds,
      meetings: ended.length,
      'proposed before or at the start': whole,
      'tasks a meeting': JSON.parse(expected).length,
      missing: missing.length,
      wrong: wrong.length,
      broken: wrong.length > 0 ? 'proposals' : '',
    },
  ]
}
