import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConsoleWords } from '../harness/console-words.ts'

/** Names, keys of the keyboard, and code: they are the same in every language. */
const untranslated = [
  'Atrium',
  'Ctrl K',
  'Cmd K',
  'Control+K Meta+K',
  'consume',
  'docs/vpn-operators.md',
  'ATRIUM_ENROLLMENT_TOKEN=… npm run agent -- --url … --interface atrium --state /var/lib/atrium-agent',
  'await atrium.…(…)',
]

/** What a tenant of sample data is made of. */
const dataFile = 'console/src/areas/home/sample-tenant.ts'

test('the words of the console are in its catalogs, and no catalog has words that nobody uses', () => {
  const { strays, catalogs } = readConsoleWords()
  const found = strays.filter(({ at, text }) => text !== '' && !at.startsWith(dataFile) && !untranslated.includes(text))
  assert.deepEqual(found, [], 'put these into the words.ts of their folder')
  const gone = untranslated.filter((each) => !strays.some(({ text }) => text === each))
  assert.deepEqual(gone, [], 'no longer there: take them out of the list')
  assert.ok(catalogs.length > 10)
  for (const { file, names, used } of catalogs) {
    const unused = names.filter((name) => !used.has(name))
    assert.deepEqual(unused, [], `${file} has words that its folder does not use`)
  }
})
