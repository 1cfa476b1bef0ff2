import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { providers } from './emulator.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

test('npm run emulators prints the two settings that point a service at them', { timeout: 60_000 }, async (t) => {
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill())
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (lines.length === 2) break
  }
  const [endpoints = '', apps = ''] = lines
  assert.match(endpoints, /^PROVIDER_ENDPOINTS=google=http:\/\/127\.0\.0\.1:\d+,microsoft=/)
  for (const pair of endpoints.slice('PROVIDER_ENDPOINTS='.length).split(',')) {
    const [name = '', origin = ''] = pair.split('=')
    const answer = await fetch(`${origin}/control/${name}/grants`)
    assert.deepEqual(await answer.json(), { grants: [] })
  }
  const file = apps.slice('OAUTH_APPS='.length)
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8'))), [...providers])
  child.kill('SIGTERM')
  await once(child, 'exit')
  assert.equal(existsSync(file), false)
})
