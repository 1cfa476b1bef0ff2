import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { toolPackagesOrNull } from '../../scripts/tool-packages.ts'
import { clientCompiles, generators } from '../harness/generated-client.ts'

// Another test compares it with what the service gives.
const document = JSON.parse(readFileSync(new URL('../../openapi/api.json', import.meta.url), 'utf8'))

describe('a TypeScript client generated from the document compiles, and so does code that uses it', () => {
  // The first run installs the packages.
  for (const [name, generator] of Object.entries(generators))
    test(`with ${name}`, { timeout: 300_000 }, async (t) => {
      const packages = await toolPackagesOrNull(generator.packages, `NOT TESTED: clients of ${name}.`)
      if (packages === null) return t.skip('its packages cannot be installed')
      const { ok, output } = await clientCompiles(document, generator)
      assert.ok(ok, output)
    })
})
