import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../kernel/refusal.ts'
import { Id, Nullable, PageQuery, SingleLine, Slug, StrictObject, StringEnum } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import { parseQuery, schemaCheck } from './validation.ts'

const schema = StrictObject({
  deviceName: Type.String({ minLength: 1, maxLength: 64 }),
  name: Type.Optional(Slug),
  userId: Type.Optional(Id),
  code: Type.Optional(Type.String({ pattern: '^[0-9]+$' })),
  plan: Type.Optional(StringEnum(['TRIAL', 'PRO'])),
  limits: Type.Optional(Nullable(StrictObject({ maxUsers: Type.Integer({ minimum: 0 }) }))),
})

async function refusalOf(value: unknown, check = schemaCheck(schema, 'body')): Promise<Refusal> {
  try {
    await check(value)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error
  }
  return assert.fail('was not refused')
}

test('a fault is named by its JSON pointer, with a message that helps', async () => {
  const cases: [unknown, string, string, RegExp][] = [
    [{}, '/body/deviceName', 'required', /is required/],
    [{ deviceName: 5 }, '/body/deviceName', 'type', /must be string/],
    [{ deviceName: '' }, '/body/deviceName', 'minLength', /^must not be empty$/],
    [{ deviceName: 'a', plan: 'GOLD' }, '/body/plan', 'enum', /one of "TRIAL", "PRO"/],
    [{ deviceName: 'a', deviceNmae: 'b' }, '/body/deviceNmae', 'unknown', /did you mean "deviceName"/],
    [{ deviceName: 'a', device_name: 'b' }, '/body/device_name', 'unknown', /did you mean "deviceName"/],
    [{ deviceName: 'a', nmae: 'b' }, '/body/nmae', 'unknown', /did you mean "name"/],
    [{ deviceName: 'a', user: 'b' }, '/body/user', 'unknown', /did you mean "userId"/],
    [{ deviceName: 'a', deviceType: 'b' }, '/body/deviceType', 'unknown', /^is not a known field$/],
    [
      { deviceName: 'a', name: 'Bad Name' },
      '/body/name',
      'pattern',
      /^must be written like "photo-lab". Lower-case letters/,
    ],
    [{ deviceName: 'a', code: 'B' }, '/body/code', 'pattern', /must match pattern/],
    [{ deviceName: 'a', userId: 'B' }, '/body/userId', 'format', /^must be a valid uuid, such as "0193b6a0-/],
    [{ deviceName: 'a', status: 'x' }, '/body/status', 'unknown', /^is not a known field$/],
    [
      { deviceName: 'a', limits: { maxUser: 1, maxUsers: 1 } },
      '/body/limits/maxUser',
      'unknown',
      /did you mean "maxUsers"/,
    ],
    [[], '/body', 'type', /must be object/],
    [null, '/body', 'type', /must be object/],
  ]
  for (const [value, path, code, message] of cases) {
    const refusal = await refusalOf(value)
    assert.equal(refusal.code, 'VALIDATION_ERROR')
    const fault = refusal.options.errors?.find((candidate) => candidate.path === path)
    assert.equal(fault?.code, code, `${JSON.stringify(value)}: ${JSON.stringify(refusal.options.errors)}`)
    assert.match(fault?.message ?? '', message)
  }
})

test('a place has one fault', async () => {
  const { detail, errors } = (
    await refusalOf(
      { name: '' },
      schemaCheck(StrictObject({ name: SingleLine({ lettersMax: 9, example: 'Ada' }) }), 'body'),
    )
  ).options
  assert.deepEqual(errors, [{ path: '/body/name', code: 'minLength', message: 'must not be empty' }])
  assert.equal(detail, '/body/name must not be empty.')
})

test('of very many wrong fields the first twenty are explained, also beyond the first eight', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`name/${index}`, index]))
  const { errors = [] } = (await refusalOf({ deviceName: 'a', ...unknown })).options
  assert.equal(errors.length, 20)
  assert.ok(errors.every(({ code }) => code === 'unknown'))
  assert.equal(errors[0]?.path, '/body/name~10')
  const twelve = Object.fromEntries(Object.entries(unknown).slice(0, 12))
  assert.equal((await refusalOf({ deviceName: 'a', ...twelve })).options.errors?.length, 12)
  // What comes behind the crowd is not reported as missing.
  const last = (await refusalOf({ ...unknown, deviceName: 'a' })).options.errors ?? []
  assert.ok(last.every(({ code }) => code === 'unknown'))
})

test('an unknown name is compared with the known ones only where it is explained', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`${'n'.repeat(60)}${index}`, 0]))
  let compared = 0
  const properties = new Proxy({ deviceName: Type.Optional(Type.String()) } as Record<string, object>, {
    ownKeys: (target) => {
      compared++
      return Reflect.ownKeys(target)
    },
  })
  const counting = { type: 'object', properties, additionalProperties: false } as unknown as typeof schema
  await refusalOf(unknown, schemaCheck(counting, 'body'))
  assert.ok(compared < 200, `the names of the schema were listed ${compared} times`)
})

test('page and limit outside their range have a code of their own', async () => {
  const query = StrictObject(PageQuery)
  const check = schemaCheck(query, 'query')
  for (const bad of [
    { page: '0' },
    { limit: '101' },
    { limit: 'ten' },
    { page: '1.5' },
    { page: '-1' },
    { limit: ['1', '2'] },
    { page: '99999999999999999999' },
    { page: '' },
  ]) {
    assert.equal((await refusalOf(parseQuery(query, bad), check)).code, 'INVALID_PAGINATION', JSON.stringify(bad))
  }
  assert.deepEqual(await check(parseQuery(query, {})), { page: 1, limit: 20 })
  assert.deepEqual(await check(parseQuery(query, { page: '3', limit: '100' })), { page: 3, limit: 100 })
})

test('the detail is one sentence, whatever the message of the first fault ends with', async () => {
  const details = [{}, { deviceName: 'a', nmae: 'b' }, { deviceName: 'a', name: 'Bad Name' }].map(
    async (value) => (await refusalOf(value)).options.detail,
  )
  assert.deepEqual(await Promise.all(details), [
    '/body/deviceName is required.',
    '/body/nmae is not a known field; did you mean "name"?',
    '/body/name must be written like "photo-lab". Lower-case letters and digits, with single hyphens between them.',
  ])
})

test('an unknown query parameter is answered with the known ones', async () => {
  const check = schemaCheck(StrictObject({ ...PageQuery, status: Type.Optional(StringEnum(['OPEN'])) }), 'query')
  const messageFor = async (name: string) => (await refusalOf({ [name]: '1' }, check)).options.errors?.[0]?.message
  assert.equal(await messageFor('state'), 'is not a known parameter. Known are page, limit, status')
  assert.equal(
    await messageFor('Limit'),
    'is not a known parameter; did you mean "limit"? Known are page, limit, status',
  )
})
