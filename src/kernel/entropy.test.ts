import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { estimateEntropyBits, guessableBelowBits } from './entropy.ts'

/** As random as needed, and the same in every run. */
const bytesOf = (seed: string, count: number) => createHash('sha256').update(seed).digest().subarray(0, count)
const isGuessable = (key: string) => estimateEntropyBits(key) < guessableBelowBits

test('random keys of 128 bits and more pass in every usual notation', () => {
  const notations: Record<string, (bytes: Buffer) => string> = {
    hex: (bytes) => bytes.toString('hex'),
    'upper-case hex': (bytes) => bytes.toString('hex').toUpperCase(),
    base64: (bytes) => bytes.toString('base64'),
    base64url: (bytes) => bytes.toString('base64url'),
    base32: base32Text,
  }
  const runs = 3000
  for (const [name, write] of Object.entries(notations)) {
    let refused = 0
    for (let run = 0; run < runs; run++) if (isGuessable(write(bytesOf(`${run}`, 16)))) refused++
    // A pattern that came by chance.
    assert.ok(refused <= 3, `${name}: ${refused} of ${runs} refused`)
  }
  for (let run = 0; run < runs; run++) {
    const own = `atradmin_${bytesOf(`${run}`, 24).toString('base64url')}`
    assert.ok(!isGuessable(own), own)
  }
})

test('keys that are too short or follow a pattern are guessable', () => {
  const guessable = [
    ...['a'.repeat(256), 'Zq3'.repeat(20), 'abcdefghijklmnopqrstuvwxyz0123456789', '0123456789'.repeat(12)],
    ...['correct-horse-battery-staple', 'CorrectHorseBatteryStaple2026', 'this_is_my_secret_admin_key_for_atrium'],
    ...['MY-SUPER-SECRET-ADMIN-KEY-1234567', 'the-key-of-the-live-example-alone', 'short', ''],
    ...[
      bytesOf('a', 15).toString('hex'),
      bytesOf('b', 15).toString('base64url'),
      '5f2a7f0e-5f51-4a5e-8c8a-3c7d9a1b2c3d',
    ],
  ]
  for (const key of guessable) assert.ok(isGuessable(key), `${key}: ${estimateEntropyBits(key)} bits`)
})

function base32Text(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let bits = bytes.length * 8; bits > 0; bits -= 5) {
    text += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number(value & 31n)]
    value >>= 5n
  }
  return text
}
