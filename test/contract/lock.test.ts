import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

type Entry = { version?: string; integrity?: string; resolved?: string; link?: boolean }

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  lockfileVersion: number
  packages: Record<string, Entry>
}
const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

test('every package of the lock has the hash of its content, so that nobody can send another', () => {
  assert.ok(packages.length > 200)
  const without = packages.filter(([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
  assert.deepEqual(
    without.map(([path]) => path),
    [],
    'see scripts/complete-lock.ts',
  )
})

test('the lock names no registry, so that each installation uses its own', () => {
  const named = packages.filter(([, { resolved }]) => resolved !== undefined)
  assert.deepEqual(
    named.map(([path]) => path),
    [],
    'npm install --omit-lockfile-registry-resolved',
  )
})
