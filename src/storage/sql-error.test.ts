import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { testDatabase } from '../../test/harness/database.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { refusals } from '../kernel/refusal.ts'
import { sql } from './query.ts'
import { sqlErrorRefusal, violates } from './sql-error.ts'

function answerTo(error: unknown): string {
  const refusal = sqlErrorRefusal(error)
  if (refusal === null) return 'none'
  const { retryAfterSeconds } = refusal.options
  const [status] = refusals[refusal.code]
  return [status, refusal.code, ...(retryAfterSeconds === undefined ? [] : [`after ${retryAfterSeconds} s`])].join(' ')
}

const byCode = {
  '22021': '400 VALIDATION_ERROR',
  '22P02': '400 VALIDATION_ERROR',
  '22003': '400 VALIDATION_ERROR',
  '54001': '400 VALIDATION_ERROR',
  '23505': '409 STATE_CONFLICT',
  '23503': '409 STATE_CONFLICT',
  '40001': '503 UNAVAILABLE after 1 s',
  '40P01': '503 UNAVAILABLE after 1 s',
  '26000': '503 UNAVAILABLE after 1 s',
  '42P05': '503 UNAVAILABLE after 1 s',
  '08006': '503 UNAVAILABLE after 2 s',
  '53300': '503 UNAVAILABLE after 2 s',
  '58030': '503 UNAVAILABLE after 2 s',
  '57P01': '503 UNAVAILABLE after 2 s',
  '57014': '503 UNAVAILABLE after 2 s',
  '25006': '503 UNAVAILABLE after 2 s',
  ECONNREFUSED: '503 UNAVAILABLE after 2 s',
  ECONNRESET: '503 UNAVAILABLE after 2 s',
  EPIPE: '503 UNAVAILABLE after 2 s',
  ETIMEDOUT: '503 UNAVAILABLE after 2 s',
  '42P01': 'none',
  '23502': 'none',
  '23514': 'none',
  ENOENT: 'none',
}

const byMessage = {
  'Connection terminated unexpectedly': '503 UNAVAILABLE after 2 s',
  'Connection terminated due to connection timeout': '503 UNAVAILABLE after 2 s',
  'Query read timeout': '503 UNAVAILABLE after 2 s',
  'timeout exceeded when trying to connect': '503 UNAVAILABLE after 2 s',
  'Cannot use a pool after calling end on the pool': '503 UNAVAILABLE after 2 s',
  'Too many wait for a database connection': '503 UNAVAILABLE after 2 s',
  'Cannot read properties of undefined': 'none',
}

describe('a database error becomes the answer that tells the client what to do', () => {
  for (const [code, answer] of Object.entries(byCode)) {
    test(`${code}: ${answer}`, () => assert.equal(answerTo(Object.assign(new Error('x'), { code })), answer))
  }
  for (const [message, answer] of Object.entries(byMessage)) {
    test(`"${message}": ${answer}`, () => assert.equal(answerTo(new Error(message)), answer))
  }
  test('a value that is not an error object is not a database error', () => {
    for (const thrown of [null, undefined, 'text', 7, {}]) assert.equal(answerTo(thrown), 'none')
  })
})

describe('real errors of the database', () => {
  const failure = async (statement: Parameters<typeof handleOf>[0]) => {
    const error: unknown = await handleOf(statement).then(
      () => assert.fail('it did not fail'),
      (thrown) => thrown,
    )
    return error
  }
  const handleOf = async (statement: ReturnType<typeof sql>) => (await testDatabase()).handle.execute(statement)

  test('values that no column accepts are the fault of the request', async () => {
    const values = [
      sql`select ${'a\0b'}::text`,
      sql`select ${'{"a":"\\u0000"}'}::jsonb`,
      sql`select ${'nothing'}::uuid`,
      sql`select ${'99999999999'}::int`,
      sql`select ${'999999-01-01'}::timestamptz`,
    ]
    for (const value of values) assert.equal(answerTo(await failure(value)), '400 VALIDATION_ERROR')
  })

  test('a violated constraint or unique index is recognized by its name', async () => {
    const tenant = (id: string) =>
      sql`insert into tenants (id, name, slug, contact_email, status, created_at, updated_at)
        values (${id}, 'n', 'sql-error-test', 'a@example.com', 'ACTIVE', now(), now())`
    await handleOf(tenant('0193b6a0-0000-7000-8000-00000000e001'))
    const sameSlug = await failure(tenant('0193b6a0-0000-7000-8000-00000000e002'))
    assert.equal(violates(sameSlug, 'tenants_slug'), true)
    assert.equal(violates(sameSlug, 'tenants_pkey'), false)
    assert.equal(answerTo(sameSlug), '409 STATE_CONFLICT')
    const sameId = await failure(tenant('0193b6a0-0000-7000-8000-00000000e001'))
    assert.equal(violates(sameId, 'tenants_pkey'), true)
    assert.equal(violates(null, 'tenants_pkey'), false)
  })

  test('a port where nobody listens means that the database is down', async () => {
    const port = await freePort()
    const error = await new Promise((resolve) => connect(port, '127.0.0.1').on('error', resolve))
    assert.equal(answerTo(error), '503 UNAVAILABLE after 2 s')
  })
})
