import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

// What a newcomer can still survey.
const linesOfFileMax = 350
const linesOfFolderMax = 8000

const sizes = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))

test(`no source has more than ${linesOfFileMax} lines`, () => {
  assert.ok(sizes.length > 0)
  assert.deepEqual(
    sizes.filter(({ lines }) => lines > linesOfFileMax),
    [],
  )
})

test(`the sources of no folder have more than ${linesOfFolderMax} lines`, () => {
  const folders = Map.groupBy(sizes, ({ file }) => file.split(/[\\/]/)[1])
  const large = [...folders].map(([folder, of]) => ({ folder, lines: of.reduce((sum, { lines }) => sum + lines, 0) }))
  assert.deepEqual(
    large.filter(({ lines }) => lines > linesOfFolderMax),
    [],
  )
})
