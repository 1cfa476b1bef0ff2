import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../..', import.meta.url)

test('no hook for each test stands outside a describe, where it would run for every test of every file', () => {
  const files = globSync(
    ['src/**/*.test.ts', 'agent/**/*.test.ts', 'sdk/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    {
      cwd: root,
    },
  )
  assert.ok(files.length > 100)
  const found = files.filter((file) => /^(?:beforeEach|afterEach)\(/m.test(readFileSync(new URL(file, root), 'utf8')))
  assert.deepEqual(found, [])
})
