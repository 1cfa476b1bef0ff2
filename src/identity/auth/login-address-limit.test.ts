import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestKey, testApp, unique } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'

const failuresMax = 10
const newNode = () =>
  testApp({ rateLimits: { requestsMax: 1_000_000, authFailuresMax: failuresMax, windowSeconds: 900 } })
const word = 'plum-Kayak-73-otter'
const newEmail = () => `${unique('u')}@example.com`

type Node = Awaited<ReturnType<typeof newNode>>

async function world() {
  const node = await newNode()
  return { node, key: await node.apiKey(await node.tenant()) }
}

async function login(node: Node, { key }: TestKey, email: string, password = 'wrong-horse') {
  const url = '/vault/v1/auth/login'
  return node.call({ method: 'POST', url, headers: { 'x-api-key': key }, body: { email, password } })
}

/** Tries one wrong password on several accounts; returns how many attempts were checked. */
async function checkedOf(node: Node, key: TestKey, emails: string[]): Promise<number> {
  let checked = 0
  for (const email of emails) {
    const { body } = await login(node, key, email)
    if (body.code === 'INVALID_CREDENTIALS') checked += 1
    else assert.equal(body.code, 'LOGIN_THROTTLED')
  }
  return checked
}

const emailsOf = (count: number) => Array.from({ length: count }, newEmail)

test('one password tried on many accounts from one address is checked only up to the limit, for known and unknown accounts', async () => {
  const { node, key } = await world()
  const known = await Promise.all(Array.from({ length: 15 }, async () => (await node.user(key)).email))
  assert.equal(await checkedOf(node, key, known), failuresMax)

  const strangers = await world()
  assert.equal(await checkedOf(strangers.node, strangers.key, emailsOf(15)), failuresMax)
})

test('a throttled address is refused even with the right password until the window has passed', async () => {
  const { node, key } = await world()
  const user = await node.user(key)
  await checkedOf(node, key, emailsOf(failuresMax))
  const { status, body, headers } = await login(node, key, user.email, word)
  assert.deepEqual([status, body.code], [429, 'LOGIN_THROTTLED'])
  const waitSeconds = Number(headers['retry-after'])
  assert.ok(waitSeconds > 0 && waitSeconds <= 1800)
  node.clock.advance({ seconds: waitSeconds })
  assert.equal((await login(node, key, user.email, word)).status, 200)
})

test('each account that logs in from an address raises its limit by one failure', async () => {
  const { node, key } = await world()
  const people = await Promise.all(Array.from({ length: 5 }, () => node.user(key)))
  for (const { email } of [...people, ...people]) assert.equal((await login(node, key, email, word)).status, 200)
  assert.equal(await checkedOf(node, key, emailsOf(30)), failuresMax + people.length)
})

test('an attacker’s own account raises the limit by one guess, however often it logs in', async () => {
  const { node, key } = await world()
  const own = await node.user(key)
  let checked = 0
  for (let round = 0; round < 8; round += 1) {
    await login(node, key, own.email, word)
    checked += await checkedOf(node, key, emailsOf(4))
  }
  assert.equal(checked, failuresMax + 1)
})

test('failures in one tenant do not throttle another, and the audit log has their address', async () => {
  const { node, key } = await world()
  const other = await node.apiKey(await node.tenant())
  const { email } = await node.user(other)
  await checkedOf(node, key, emailsOf(failuresMax + 5))
  assert.equal((await login(node, other, email, word)).status, 200)
  const entries = await auditOfTenant(node.platform, key.tenantId)
  const throttled = entries.filter(({ action }) => action === 'user.logins_throttled')
  assert.deepEqual(
    throttled.map(({ outcome, targetType, targetId, ip }) => [outcome, targetType, targetId, ip]),
    [['DENIED', 'address', null, '127.0.0.1']],
    'the address stands where an erasure blanks it',
  )
})
