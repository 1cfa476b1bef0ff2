import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { toolPackagesOrNull } from '../../scripts/tool-packages.ts'
import { clientCompiles, generators } from '../harness/generated-client.ts'

// Another test compares it with what the service gives.
const document = JSON.parse(readFileSync(new URL('../../openapi/api.json', import.meta.url), 'utf8'))

// The one whose packages `npm run check` needs as well; the trial `generated-clients` tries all of them. The first run installs them.
test('a TypeScript client that is generated from the document compiles, and so does code that uses it', {
  timeout: 300_000,
}, async (t) => {
  const packages = await toolPackagesOrNull('openapi', 'NOT TESTED: clients that are generated.')
  if (packages === null) return t.skip('its packages cannot be installed')
  const { ok, output } = await clientCompiles(document, generators.redocly)
  assert.ok(ok, output)
})
