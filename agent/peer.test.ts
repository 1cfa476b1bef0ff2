import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { createSealer, derivePublicKey, isKey, newPrivateKey } from './keys.ts'
import { peerValidator, snapshotHash } from './peer.ts'

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const site = {
  publicKey: keyOf(9),
  address4: '10.64.0.1/16',
  address6: 'fd42:1::1/64',
  subnet4: '10.64.0.0/16',
  subnet6: 'fd42:1::/64',
}
const good = {
  publicKey: keyOf(1),
  presharedKey: keyOf(2),
  allowedIps: ['10.64.0.2/32', 'fd42:1::2/128'],
  notAfterSeconds: null,
}

describe('a peer as the platform sent it', () => {
  const validate = peerValidator(site)

  test('is taken when all of it is in order, its addresses spelled in one way', () => {
    const verdict = validate({ ...good, allowedIps: ['fd42:0001:0:0::0002/128', '10.64.0.2/32'], notAfterSeconds: 5 })
    assert.deepEqual(verdict, {
      isGood: true,
      peer: { publicKey: good.publicKey, presharedKey: good.presharedKey, allowedIps: good.allowedIps },
      endsInSeconds: 5,
    })
  })

  const cases: [what: string, sent: unknown, reason: string][] = [
    ['nothing', null, 'INVALID_PUBLIC_KEY'],
    ['a text', 'peer', 'INVALID_PUBLIC_KEY'],
    [
      'a key that wg refuses and Node reads',
      { ...good, publicKey: keyOf(1).replace(/.=$/, 'F=') },
      'INVALID_PUBLIC_KEY',
    ],
    ['a key without a text of its own', { ...good, publicKey: { toString: 1, valueOf: 1 } }, 'INVALID_PUBLIC_KEY'],
    ['a short key', { ...good, publicKey: 'AAAA' }, 'INVALID_PUBLIC_KEY'],
    ['a key with a line of its own', { ...good, publicKey: `${keyOf(1)}\nPostUp = x` }, 'INVALID_PUBLIC_KEY'],
    ['the server itself', { ...good, publicKey: site.publicKey }, 'KEY_OF_SERVER'],
    ['no preshared key', { ...good, presharedKey: null }, 'INVALID_PRESHARED_KEY'],
    ['no address', { ...good, allowedIps: [] }, 'INVALID_ADDRESS'],
    ['an address that is none', { ...good, allowedIps: ['10.64.0.300/32'] }, 'INVALID_ADDRESS'],
    ['addresses that are no list', { ...good, allowedIps: '10.64.0.2/32' }, 'INVALID_ADDRESS'],
    ['a whole subnet', { ...good, allowedIps: ['10.64.0.0/24'] }, 'INVALID_ADDRESS'],
    ['everything', { ...good, allowedIps: ['0.0.0.0/0'] }, 'INVALID_ADDRESS'],
    ['half an IPv6 net', { ...good, allowedIps: ['fd42:1::2/32'] }, 'INVALID_ADDRESS'],
    ['an address with a line of its own', { ...good, allowedIps: ['10.64.0.2/32\n[Peer]'] }, 'INVALID_ADDRESS'],
    ['an address elsewhere', { ...good, allowedIps: ['10.65.0.2/32'] }, 'ADDRESS_OUTSIDE_SUBNET'],
    ['one good and one elsewhere', { ...good, allowedIps: ['10.64.0.2/32', '::1/128'] }, 'ADDRESS_OUTSIDE_SUBNET'],
    ['IPv4 dressed as IPv6', { ...good, allowedIps: ['::ffff:10.64.0.2/128'] }, 'ADDRESS_OUTSIDE_SUBNET'],
    ['the address of the server', { ...good, allowedIps: ['10.64.0.1/32'] }, 'ADDRESS_OF_SERVER'],
    ['it in other words', { ...good, allowedIps: ['fd42:1:0::1/128'] }, 'ADDRESS_OF_SERVER'],
    ['an end that is a date', { ...good, notAfterSeconds: '2030-01-01' }, 'INVALID_END'],
    ['an end that is missing', { ...good, notAfterSeconds: undefined }, 'INVALID_END'],
  ]
  for (const [what, sent, reason] of cases) {
    test(`is refused as ${reason} when it is ${what}`, () => {
      const verdict = validate(sent)
      assert.equal(verdict.isGood ? 'good' : verdict.reason, reason)
    })
  }
})

test('the hash of a snapshot is over its lines in the order of the keys, whatever the order they came in', () => {
  const other = { ...good, publicKey: keyOf(0) }
  const line = (peer: typeof good) => `${peer.publicKey} ${peer.presharedKey} ${peer.allowedIps.join(',')}\n`
  const wanted = createHash('sha256')
    .update(line(other) + line(good))
    .digest('hex')
  assert.equal(snapshotHash([good, other]), wanted)
  assert.equal(snapshotHash([other, good]), wanted)
  assert.notEqual(snapshotHash([other]), wanted)
  const textless = { toString: 1, valueOf: 1 }
  const bad = [null, 'x', { allowedIps: 1 }, { publicKey: textless, allowedIps: [textless] }]
  assert.ok(snapshotHash(bad), 'and bad ones do not stop it')
})

describe('a key', () => {
  test('has the public half that RFC 7748 (section 6.1) gives it', () => {
    const key = Buffer.from('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a', 'hex').toString(
      'base64',
    )
    const publicHex = '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a'
    assert.equal(Buffer.from(derivePublicKey(key), 'base64').toString('hex'), publicHex)
  })

  test('that is made is one', () => {
    const made = newPrivateKey()
    assert.ok(isKey(made) && isKey(derivePublicKey(made)))
    assert.notEqual(made, newPrivateKey())
  })

  test('opens only what was sealed for the same purpose, and nothing that was changed', () => {
    const [key, other] = [newPrivateKey(), newPrivateKey()]
    const sealed = createSealer(key, 'peers').seal('text')
    assert.equal(createSealer(key, 'peers').open(sealed), 'text')
    assert.throws(() => createSealer(key, 'node').open(sealed))
    assert.throws(() => createSealer(other, 'peers').open(sealed))
    assert.throws(() => createSealer(key, 'peers').open(sealed.replace(/^..../, 'AAAA')))
  })
})
