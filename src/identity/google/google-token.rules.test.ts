import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseKeyId, verifyClaims } from './google-token.rules.ts'

const now = new Date('2026-03-01T00:00:00Z')
const seconds = now.getTime() / 1000
const clientIds = ['app', 'other-app']
const good = {
  iss: 'https://accounts.google.com',
  aud: 'app',
  sub: '110248495921238986420',
  email: 'Ana@gmail.example',
  email_verified: true,
  name: ' Ana López ',
  iat: seconds - 5,
  exp: seconds + 3595,
  nonce: 'n1',
}
const judge = (claims: object, nonce: string | null = null) =>
  verifyClaims({ ...good, ...claims }, { clientIds, nonce, now })

test('a valid token gives the identity', () => {
  const expected = { ok: true, subject: good.sub, email: good.email, name: 'Ana López' }
  assert.deepEqual(judge({}), expected)
  assert.deepEqual(judge({ iss: 'accounts.google.com', aud: 'other-app' }, 'n1'), expected)
  assert.deepEqual(judge({ iat: seconds + 60 }), expected, 'clocks may differ by a minute')
  assert.deepEqual(judge({ iat: seconds - 3600, exp: seconds + 0.5 }), expected)
})

test('a name that cannot be stored is dropped', () => {
  for (const name of [undefined, null, 7, '', '  ', 'a\0b', '\ud800', 'a'.repeat(201)]) {
    assert.deepEqual(judge({ name }), { ok: true, subject: good.sub, email: good.email, name: null }, String(name))
  }
})

test('an invalid token is refused with its reason', () => {
  const wrong: [object, RegExp][] = [
    [{ iss: undefined }, /issued by Google/],
    [{ iss: 'https://accounts.google.com.evil.example' }, /issued by Google/],
    [{ iss: 'http://accounts.google.com' }, /issued by Google/],
    [{ iss: 'https://accounts.google.com/' }, /issued by Google/],
    [{ iss: ['https://accounts.google.com'] }, /issued by Google/],
    [{ aud: undefined }, /another application/],
    [{ aud: 'ap' }, /another application/],
    [{ aud: ['app'] }, /another application/],
    [{ exp: undefined }, /expired/],
    [{ exp: seconds }, /expired/],
    [{ exp: String(seconds + 100) }, /expired/],
    [{ iat: undefined }, /too long ago/],
    [{ iat: seconds - 3601 }, /too long ago/],
    [{ iat: seconds + 61 }, /too long ago/],
    [{ iat: Number.NaN }, /too long ago/],
    [{ email_verified: false }, /not verified/],
    [{ email_verified: 'true' }, /not verified/],
    [{ email_verified: undefined }, /not verified/],
    [{ email: undefined }, /not verified/],
    [{ sub: undefined }, /expected form/],
    [{ sub: '' }, /expected form/],
    [{ sub: 'a\0' }, /expected form/],
    [{ sub: 'a'.repeat(256) }, /expected form/],
  ]
  for (const [claims, reason] of wrong) {
    const result = judge(claims)
    assert.ok(!result.ok && reason.test(result.fault), JSON.stringify([claims, result]))
  }
})

test('the nonce must match if one was sent', () => {
  for (const nonce of ['n2', 'n', 'N1']) assert.equal(judge({}, nonce).ok, false)
  assert.equal(judge({ nonce: undefined }, 'n1').ok, false)
  assert.equal(judge({ nonce: undefined }).ok, true)
})

test('only a header for RS256 with a key id is accepted', () => {
  const withHeader = (header: unknown) => `${Buffer.from(JSON.stringify(header)).toString('base64url')}.e30.x`
  assert.equal(parseKeyId(withHeader({ alg: 'RS256', kid: 'k1' })), 'k1')
  for (const header of [
    {},
    null,
    [],
    'RS256',
    { alg: 'RS256' },
    { alg: 'none', kid: 'k1' },
    { alg: 'HS256', kid: 'k1' },
    { alg: 'rs256', kid: 'k1' },
    { alg: 'RS256', kid: '' },
    { alg: 'RS256', kid: 7 },
    { alg: 'RS256', kid: 'k'.repeat(257) },
    { alg: 'RS256', kid: 'k1', crit: ['b64'] },
  ]) {
    assert.equal(parseKeyId(withHeader(header)), null, JSON.stringify(header))
  }
  for (const text of ['', '.', 'a.b.c', '{}', '\0']) assert.equal(parseKeyId(text), null, text)
})
