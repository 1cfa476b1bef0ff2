import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { clientCompiles, generators } from '../harness/generated-client.ts'

// Another test compares it with what the service gives.
const document = JSON.parse(readFileSync(new URL('../../openapi/api.json', import.meta.url), 'utf8'))

/** Whether the generator's packages are there; in CI it must be so. */
async function isInstalled(name: string, packages: () => Promise<string>, t: TestContext): Promise<boolean> {
  try {
    await packages()
    return true
  } catch (error) {
    if (process.env['CI']) throw error
    process.stderr.write(`NOT TESTED: clients of ${name}. Its packages cannot be installed: ${String(error)}\n`)
    t.skip('its packages cannot be installed')
    return false
  }
}

describe('a TypeScript client generated from the document compiles, and so does code that uses it', () => {
  // The first run installs the packages.
  for (const [name, generator] of Object.entries(generators))
    test(`with ${name}`, { timeout: 300_000 }, async (t) => {
      if (!(await isInstalled(name, generator.packages, t))) return
      const { ok, output } = await clientCompiles(document, generator)
      assert.ok(ok, output)
    })
})
