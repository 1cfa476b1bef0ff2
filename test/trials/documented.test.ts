import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

test('docs/trials.md describes every trial, and nothing else', () => {
  const program = readFileSync(new URL('run.ts', import.meta.url), 'utf8')
  const page = readFileSync(new URL('../../docs/trials.md', import.meta.url), 'utf8')
  const known = [...program.matchAll(/^ {2}'?([a-z-]+)'?: \{ rounds:/gm)].map(([, name]) => name)
  const described = [...page.matchAll(/^- (`.+?`):/gm)].flatMap(([, names = '']) =>
    names.split(/[`, ]+/).filter(Boolean),
  )
  assert.ok(known.length > 30, `${known.length} were found in the program`)
  assert.deepEqual(described.toSorted(), known.toSorted())
})
