import assert from 'node:assert/strict'
import { createHmac, createPrivateKey, createPublicKey, sign as signBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { accessTokens } from './access-token.ts'

const now = new Date('2026-03-01T12:00:00Z')
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const options = { seed: Buffer.alloc(32, 7), issuer: 'https://atrium.example', audience: 'atrium' }
const tokens = accessTokens(options)
const grant = {
  userId: '01920000-0000-7000-8000-000000000001',
  tenantId: '01920000-0000-7000-8000-000000000002',
  sessionId: '01920000-0000-7000-8000-000000000003',
  role: 'USER',
  now,
} as const
const { token } = tokens.sign(grant)
const [headerText = '', claimsText = '', signatureText = ''] = token.split('.')
const claims: Record<string, unknown> = JSON.parse(Buffer.from(claimsText, 'base64url').toString())
const goodHeader = { alg: 'EdDSA', typ: 'JWT' }

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const privateKey = (seed: Buffer) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  })

/** A token with any header and claims, correctly signed with our key or the key of another seed. */
function forged(header: unknown, body: unknown, seed = options.seed): string {
  const input = `${base64url(header)}.${base64url(body)}`
  return `${input}.${signBytes(null, Buffer.from(input), privateKey(seed)).toString('base64url')}`
}

function reasonOf(text: string, when = now): string {
  const verdict = tokens.verify(text, when)
  return verdict.ok ? 'ok' : verdict.reason
}

test('a token contains the user, tenant, session and times, and nothing else', () => {
  assert.equal(tokens.sign(grant).expiresIn, 3600)
  assert.deepEqual(JSON.parse(Buffer.from(headerText, 'base64url').toString()), goodHeader)
  const { jti, ...rest } = claims
  assert.match(String(jti), /^[0-9a-f-]{36}$/)
  assert.deepEqual(rest, {
    iss: 'https://atrium.example',
    aud: 'atrium',
    sub: grant.userId,
    tid: grant.tenantId,
    sid: grant.sessionId,
    role: 'USER',
    iat: now.getTime() / 1000,
    exp: now.getTime() / 1000 + 3600,
  })
  assert.notEqual(tokens.sign(grant).token, token)
})

test('a token is accepted by every node with the same seed, issuer and audience, and by no other', () => {
  assert.deepEqual(accessTokens(options).verify(token, now), { ok: true, claims })
  for (const other of [{ seed: Buffer.alloc(32, 8) }, { issuer: 'https://other.example' }, { audience: 'other' }]) {
    assert.deepEqual(accessTokens({ ...options, ...other }).verify(token, now), { ok: false, reason: 'invalid' })
  }
})

test('a token is valid for an hour of the injected clock, also if it was verified before', () => {
  const cases = [
    [-61, 'invalid'],
    [-60, 'ok'],
    [0, 'ok'],
    [3599.999, 'ok'],
    [3600, 'expired'],
    [1e7, 'expired'],
    [0, 'ok'],
  ] as const
  for (const [seconds, expected] of cases) assert.equal(reasonOf(token, at(seconds)), expected, String(seconds))
})

test('a token with another header is invalid even if its signature is right', () => {
  const headers = [
    { alg: 'EdDSA' },
    { alg: 'EdDSA', typ: 'at+jwt' },
    { alg: 'none', typ: 'JWT' },
    { alg: 'HS256', typ: 'JWT' },
    { alg: 'Ed25519', typ: 'JWT' },
    { ...goodHeader, kid: '../../dev/null' },
    { ...goodHeader, kid: "' or 1=1" },
    { ...goodHeader, jku: 'https://evil.example/keys' },
    { ...goodHeader, jwk: createPublicKey(privateKey(options.seed)).export({ format: 'jwk' }) },
    { ...goodHeader, crit: ['exp'] },
    { ...goodHeader, b64: false, crit: ['b64'] },
  ]
  for (const header of headers) assert.equal(reasonOf(forged(header, claims)), 'invalid', JSON.stringify(header))
  assert.equal(reasonOf(forged(goodHeader, claims)), 'ok')
})

test('a token without our signature is invalid, whatever algorithm it names', () => {
  const publicKey = createPublicKey(privateKey(options.seed))
  for (const key of [
    publicKey.export({ format: 'pem', type: 'spki' }),
    publicKey.export({ format: 'der', type: 'spki' }),
    publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
  ]) {
    const input = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${claimsText}`
    assert.equal(reasonOf(`${input}.${createHmac('sha256', key).update(input).digest('base64url')}`), 'invalid')
  }
  for (const alg of ['none', 'None', 'NONE', '']) {
    assert.equal(reasonOf(`${base64url({ alg, typ: 'JWT' })}.${claimsText}.`), 'invalid')
    assert.equal(reasonOf(`${base64url({ alg, typ: 'JWT' })}.${claimsText}.${signatureText}`), 'invalid')
  }
  assert.equal(reasonOf(`${headerText}.${claimsText}.`), 'invalid')
  assert.equal(reasonOf(forged(goodHeader, claims, Buffer.alloc(32, 8))), 'invalid')
})

test('a token with missing or malformed claims is invalid even if its signature is right', () => {
  for (const name of ['iss', 'aud', 'sub', 'tid', 'sid', 'role', 'iat', 'exp', 'jti']) {
    const { [name]: _, ...rest } = claims
    assert.equal(reasonOf(forged(goodHeader, rest)), 'invalid', `without ${name}`)
    for (const odd of [null, '', 'x', {}, [], [claims[name]], true, 1.5]) {
      assert.notEqual(reasonOf(forged(goodHeader, { ...claims, [name]: odd })), 'ok', `${name} ${JSON.stringify(odd)}`)
    }
  }
  for (const role of ['OWNER', 'admin', 'USER '])
    assert.equal(reasonOf(forged(goodHeader, { ...claims, role })), 'invalid')
  for (const body of [null, [], 'text', 7, {}]) assert.equal(reasonOf(forged(goodHeader, body)), 'invalid')
})

test('an expired token that is also wrong in another way is invalid, not expired', () => {
  assert.equal(reasonOf(forged(goodHeader, { ...claims, aud: 'other' }), at(7200)), 'invalid')
  assert.equal(reasonOf(forged(goodHeader, claims, Buffer.alloc(32, 8)), at(7200)), 'invalid')
})

test('a token longer than 4 KB is rejected unread', () => {
  assert.equal(reasonOf(forged(goodHeader, { ...claims, pad: 'x'.repeat(100) })), 'ok')
  assert.equal(reasonOf(forged(goodHeader, { ...claims, pad: 'x'.repeat(4000) })), 'invalid')
})

test('a token changed in any one character is invalid', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let place = 0; place < token.length; place += 1) {
    const character = alphabet.charAt((alphabet.indexOf(token.charAt(place)) + 1) % alphabet.length)
    assert.equal(reasonOf(token.slice(0, place) + character + token.slice(place + 1)), 'invalid', `place ${place}`)
  }
  // The last character carries only two bits. Its other spellings must not give a second valid text of the token.
  for (const character of alphabet) {
    const text = token.slice(0, -1) + character
    assert.equal(reasonOf(text), text === token ? 'ok' : 'invalid')
  }
})

test('a token that was cut, extended, mixed or invented is invalid', () => {
  const other = tokens.sign({ ...grant, role: 'ADMIN' }).token.split('.')
  const mixed = [`${headerText}.${other[1]}.${signatureText}`, `${headerText}.${claimsText}.${other[2]}`]
  const padded = [
    `${token}=`,
    `${token} `,
    `${token}\n`,
    ` ${token}`,
    `${token}.`,
    `${token}.${signatureText}`,
    token.replace('.', '..'),
  ]
  for (const text of [...mixed, ...padded, '', '.', '..', headerText, `${headerText}.`])
    assert.equal(reasonOf(text), 'invalid', text)

  const edits = fc.record({
    from: fc.nat({ max: token.length }),
    length: fc.nat({ max: 20 }),
    insert: fc.string({ unit: anyCharacter, maxLength: 5 }),
  })
  fc.assert(
    fc.property(edits, ({ from, length, insert }) => {
      const text = token.slice(0, from) + insert + token.slice(from + length)
      assert.equal(reasonOf(text), text === token ? 'ok' : 'invalid')
    }),
    { numRuns: 500 },
  )
  fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => reasonOf(text) === 'invalid'))
})

test('a seed of another length stops the start', () => {
  for (const length of [0, 31, 33])
    assert.throws(() => accessTokens({ ...options, seed: Buffer.alloc(length) }), /32 bytes/)
})
