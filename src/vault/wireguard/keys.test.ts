import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { derivePublicKey, generateKeyPair, generatePresharedKey, publicKeyProblem } from './keys.ts'

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

// 8520f009..9b4e6a, Alice's public key in RFC 7748 section 6.1.
const alicePublicKey = 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo='

// The points of low order and their other encodings (https://cr.yp.to/ecdh.html#validate), without the ignored top bit.
const lowOrderPoints = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]

/** Whether `wg` can be asked; says loudly when it cannot, so that an untested agreement is never taken for a tested one. */
function hasWireguardTools(t: TestContext): boolean {
  if (spawnSync('wg', ['--version']).status === 0) return true
  process.stderr.write(`\n*** SKIPPED, wireguard-tools is not installed: ${t.name} ***\n\n`)
  t.skip('wireguard-tools is not installed: our keys were not compared with those of wg')
  return false
}

/** What `wg pubkey` makes of a private key, or null when it refuses the key's spelling. */
function wgPublicKey(privateKey: string): string | null {
  const { status, stdout } = spawnSync('wg', ['pubkey'], { input: `${privateKey}\n`, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

test('a new pair is two different keys of 44 characters that belong together', async () => {
  const { privateKey, publicKey } = generateKeyPair()
  assert.match(privateKey, /^[A-Za-z0-9+/]{43}=$/)
  assert.match(publicKey, /^[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(privateKey, publicKey)
  assert.equal(derivePublicKey(privateKey), publicKey)
})

test('no two pairs and no two preshared keys are the same', async () => {
  const pairs = Array.from({ length: 50 }, generateKeyPair)
  const presharedKeys = Array.from({ length: 50 }, generatePresharedKey)
  assert.equal(new Set([...pairs.flatMap((pair) => [pair.privateKey, pair.publicKey]), ...presharedKeys]).size, 150)
})

test('a preshared key is 32 bytes in canonical base64', () => {
  const key = generatePresharedKey()
  assert.equal(Buffer.from(key, 'base64').length, 32)
  assert.equal(Buffer.from(key, 'base64').toString('base64'), key)
})

test('a public key follows from its private key as in RFC 7748 section 6.1', () => {
  const privateKey = Buffer.from('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a', 'hex')
  assert.equal(derivePublicKey(privateKey.toString('base64')), alicePublicKey)
})

test('a private key that is not 32 bytes has no public key', () => {
  assert.throws(() => derivePublicKey(Buffer.alloc(31).toString('base64')))
  assert.throws(() => derivePublicKey(''))
})

test('our pairs and those of wg give the same public keys', async (t) => {
  if (!hasWireguardTools(t)) return
  for (let round = 0; round < 20; round += 1) {
    const ours = generateKeyPair()
    assert.equal(wgPublicKey(ours.privateKey), ours.publicKey)
    const theirs = spawnSync('wg', ['genkey'], { encoding: 'utf8' }).stdout.trim()
    assert.equal(derivePublicKey(theirs), wgPublicKey(theirs))
  }
})

test('a public key is taken in the spellings that wg takes and in no other', async (t) => {
  if (!hasWireguardTools(t)) return
  const { publicKey } = generateKeyPair()
  const spellings = [...base64Alphabet].map((character) => `${publicKey.slice(0, 42)}${character}=`)
  for (const spelling of [...spellings, publicKey.slice(0, 43), `${publicKey}=`, ` ${publicKey.slice(0, 43)}`]) {
    assert.equal(publicKeyProblem(spelling) === null, wgPublicKey(spelling) !== null, spelling)
  }
})

test('every public key that is made here is accepted', async () => {
  const pairs = Array.from({ length: 50 }, generateKeyPair)
  assert.deepEqual(new Set(pairs.map((pair) => publicKeyProblem(pair.publicKey))), new Set([null]))
})

test('any 32 bytes are accepted but for the points of low order', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const withoutTopBit = Buffer.from(bytes)
      withoutTopBit.writeUInt8(withoutTopBit.readUInt8(31) & 0x7f, 31)
      const isLowOrder = lowOrderPoints.includes(withoutTopBit.toString('hex'))
      assert.equal(publicKeyProblem(Buffer.from(bytes).toString('base64')) === null, !isLowOrder)
    }),
  )
})

for (const point of lowOrderPoints) {
  test(`the point of low order ${point.slice(0, 4)}..${point.slice(-4)} is refused, also with its top bit set`, () => {
    const bytes = Buffer.from(point, 'hex')
    assert.match(publicKeyProblem(bytes.toString('base64')) ?? '', /low order/)
    bytes.writeUInt8(bytes.readUInt8(31) | 0x80, 31)
    assert.match(publicKeyProblem(bytes.toString('base64')) ?? '', /low order/)
  })
}

const misspelled: [what: string, text: string, reason: RegExp][] = [
  ['an empty text', '', /44 characters/],
  ['a key without its padding', alicePublicKey.slice(0, 43), /44 characters/],
  ['a key and a newline', `${alicePublicKey}\n`, /44 characters/],
  ['a key in hexadecimal', Buffer.from(alicePublicKey, 'base64').toString('hex'), /44 characters/],
  ['a megabyte', 'A'.repeat(1_048_576), /44 characters/],
  ['31 bytes', Buffer.alloc(31, 7).toString('base64'), /canonical base64/],
  ['33 bytes', Buffer.alloc(33, 7).toString('base64'), /canonical base64/],
  ['stray bits in the last character', `${alicePublicKey.slice(0, 42)}p=`, /canonical base64/],
  ['the URL alphabet', alicePublicKey.replace('/', '_'), /canonical base64/],
  ['a blank inside', `${alicePublicKey.slice(0, 20)} ${alicePublicKey.slice(21)}`, /canonical base64/],
  ['44 characters of another script', 'ключ'.repeat(11), /canonical base64/],
]

for (const [what, text, reason] of misspelled) {
  test(`${what} is refused as a public key, with the reason`, () => {
    assert.match(publicKeyProblem(text) ?? '', reason)
  })
}
