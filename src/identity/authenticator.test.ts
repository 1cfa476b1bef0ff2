import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { KeyCaller } from '../http/access/callers.ts'
import { systemCaller } from '../kernel/caller.ts'
import { memoryFanOut } from '../storage/fan-out.ts'
import type { Handle } from '../storage/handle.ts'
import { mintPlatformScope } from '../storage/mint.ts'
import { adminKeyFormat } from './admin-keys/admin-key.rules.ts'
import { headerAuthenticator } from './authenticator.ts'
import { apiKeyFormat } from './keys/key.rules.ts'
import { keyCallerCache } from './keys/key-caller-cache.ts'
import { accessTokens } from './tokens/access-token.ts'

const now = new Date('2026-03-01T00:00:00Z')
const id = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'
const caller: KeyCaller = {
  id,
  name: 'app',
  products: ['vault-vpn'],
  tenantId: id,
  isTenantSuspended: false,
  requestsPerWindow: null,
  expiresAt: null,
}

/** An authenticator with a fake database that answers every query with the same rows, and the recorded queries. */
function authenticatorOver(rows: object[]) {
  const asked = { statements: 0, marks: 0 }
  const execute = async () => {
    asked.statements += 1
    return { rows, affected: 0 }
  }
  const handle = { execute, readPipelined: execute } as unknown as Handle
  const tokens = accessTokens({ seed: Buffer.alloc(32, 1), issuer: 'atrium', audience: 'atrium' })
  const mark = () => {
    asked.marks += 1
  }
  const keysLastUsed = { mark, flush: async () => undefined }
  const platform = mintPlatformScope(handle, systemCaller)
  const authenticator = headerAuthenticator({
    platform,
    clock: { now: () => now },
    tokens,
    keyCallers: keyCallerCache(platform, memoryFanOut()),
    keysLastUsed,
    adminKeysLastUsed: keysLastUsed,
    adminKey: 'atradmin_correct',
  })
  return { authenticator, asked, tokens }
}

test('a key is found in one statement and its use is recorded', async () => {
  const { authenticator, asked } = authenticatorOver([caller])
  assert.deepEqual(await authenticator.apiKey(apiKeyFormat.create(randomBytes).key), caller)
  assert.deepEqual(asked, { statements: 1, marks: 1 })
})

test('an unknown key gives no caller and records no use', async () => {
  const { authenticator, asked } = authenticatorOver([])
  assert.equal(await authenticator.apiKey(apiKeyFormat.create(randomBytes).key), null)
  assert.deepEqual(asked, { statements: 1, marks: 0 })
})

test('a text that cannot be a credential costs no query', async () => {
  const { authenticator, asked } = authenticatorOver([caller])
  const { key } = apiKeyFormat.create(randomBytes)
  const typo = key.slice(0, 10) + (key[10] === 'x' ? 'y' : 'x') + key.slice(11)
  for (const text of ['', '?', 'atr_', key.toUpperCase(), `${key}0`, typo, 'x'.repeat(4096)]) {
    assert.equal(await authenticator.apiKey(text), null, text.slice(0, 50))
    assert.equal(await authenticator.accessToken(text), null, text.slice(0, 50))
    assert.equal(await authenticator.adminKey(text), null, text.slice(0, 50))
  }
  assert.deepEqual(asked, { statements: 0, marks: 0 })
})

test('an expired token costs no query and differs from an invalid one', async () => {
  const { authenticator, asked, tokens } = authenticatorOver([])
  const grant = { userId: id, tenantId: id, sessionId: id, role: 'USER' } as const
  const { token } = tokens.sign({ ...grant, now: new Date(now.getTime() - 3_600_000) })
  assert.deepEqual(await authenticator.accessToken(token), { expiredUserId: id })
  assert.equal(asked.statements, 0)
  assert.equal(await authenticator.accessToken(tokens.sign({ ...grant, now }).token), null)
  assert.equal(asked.statements, 1)
})

test('the admin key from the environment gives an OWNER, without a query', async () => {
  const { authenticator, asked } = authenticatorOver([])
  assert.equal((await authenticator.adminKey('atradmin_correct'))?.role, 'OWNER')
  assert.deepEqual(asked, { statements: 0, marks: 0 })
})

test('a named admin key is found in one statement and its use is recorded; a mistyped one costs no query', async () => {
  const admin = { id, label: 'Ana', role: 'VIEWER' as const }
  const { authenticator, asked } = authenticatorOver([admin])
  const { key } = adminKeyFormat.create(randomBytes)
  assert.deepEqual(await authenticator.adminKey(key), admin)
  assert.deepEqual(asked, { statements: 1, marks: 1 })
  for (let at = 0; at < key.length; at++) {
    const typo = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
    assert.equal(await authenticator.adminKey(typo), null, typo)
  }
  assert.deepEqual(asked, { statements: 1, marks: 1 })
})
