import assert from 'node:assert/strict'
import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { loadOrCreateKey } from './key-file.ts'
import { createSecrets } from './secrets.ts'

const form = { allowed: 'a key', read: (text: string) => (text.startsWith('key-') ? text : undefined) }
const secrets = createSecrets(Buffer.alloc(32, 1))

test('a sealed value opens only for its row, with its key, and unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), fc.nat(), (plain, row, other, place) => {
      const sealed = secrets.seal(plain, row)
      assert.equal(secrets.open(sealed, row), plain)
      if (other !== row) assert.throws(() => secrets.open(sealed, other))
      assert.throws(() => createSecrets(Buffer.alloc(32, 2)).open(sealed, row))
      const tampered = Buffer.from(sealed)
      tampered[place % sealed.length] = (tampered[place % sealed.length] as number) ^ 1
      assert.throws(() => secrets.open(tampered, row))
      assert.throws(() => secrets.open(sealed.subarray(0, place % sealed.length), row))
    }),
  )
})

test('the same text is sealed differently each time', () => {
  assert.notDeepEqual(secrets.seal('a', 'b'), secrets.seal('a', 'b'))
})

test('a key file is created once, for its owner alone, also by two processes at once', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'atrium-test-')), 'data')
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      loadOrCreateKey(folder, 'admin-key', { ...form, make: () => `key-${index}` }),
    ),
  )
  assert.equal(new Set(made.map(({ value }) => value)).size, 1)
  assert.equal(made.filter(({ isNew }) => isNew).length, 1)
  assert.equal(statSync(join(folder, 'admin-key')).mode & 0o777, 0o600)
  for (const spoilt of ['', 'ke', 'another']) {
    writeFileSync(join(folder, 'admin-key'), spoilt)
    await assert.rejects(loadOrCreateKey(folder, 'admin-key', { ...form, make: () => 'key-2' }), /must be a key/)
  }
})
