// The SDK against the real service: through a network that fails, and as the examples of docs/sdk.md use it.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Atrium } from '../../sdk/src/index.ts'
import { type TestApp, type TestKey, testApp, unique } from '../harness/app.ts'
import { startBadProxy } from '../harness/bad-proxy.ts'
import { docBlocks } from '../harness/doc-blocks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Of a product without a connection, whose uses are taken by validating. */
const counted = { product: 'assistant-ai', plan: 'STARTER', maxUses: 100 }
let app: TestApp
let base: string
let apiKey: TestKey

before(async () => {
  app = await testApp()
  base = await app.app.server.listen({ port: 0, host: '127.0.0.1' })
  apiKey = await app.apiKey(await app.tenant())
})
after(() => app.app.server.close())

describe('through a network that cuts, repeats and refuses', () => {
  test('100 consumes take exactly 100 uses', async (t) => {
    const proxy = await startBadProxy(base)
    t.after(() => proxy.close())
    const license = await app.license({ id: apiKey.tenantId }, { ...counted, maxUses: 1000 })
    const atrium = new Atrium({ baseUrl: proxy.base, apiKey: apiKey.key, retries: 40, timeoutMs: 60_000 })
    await Promise.all(Array.from({ length: 100 }, () => atrium.licenses.consume({ licenseKey: license.key })))
    const direct = new Atrium({ baseUrl: base, apiKey: apiKey.key })
    assert.equal((await direct.licenses.validate({ licenseKey: license.key })).usesRemaining, 900)
    for (const [fate, count] of Object.entries(proxy.counts)) assert.ok(count > 2, `${fate}: ${count}`)
  })

  test('50 calls with an expired token make one refresh', async () => {
    const user = await app.user(apiKey)
    let refreshes = 0
    const counting: typeof fetch = (url, init) => {
      if (String(url).endsWith('/refresh')) refreshes += 1
      return fetch(url, init)
    }
    let kept: { accessToken: string; refreshToken: string } | null = user
    const set = (tokens: typeof kept) => {
      kept = tokens
    }
    const atrium = new Atrium({ baseUrl: base, apiKey: apiKey.key, tokens: { get: () => kept, set }, fetch: counting })
    app.clock.advance({ seconds: 7200 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => atrium.auth.getMe()))
    assert.ok(answers.every((answer) => answer.user.id === user.id))
    assert.equal(refreshes, 1)
  })
})

describe('the examples of docs/sdk.md', () => {
  const examples = globSync('sdk/examples/*.ts', { cwd: root })
  const blocks = docBlocks('docs/sdk.md').filter(({ language }) => language === 'ts')
  const outputs: Record<string, RegExp> = {
    validate: /^\d+ uses left$/m,
    consume: /^one use taken, \d+ left$/m,
    connect: /^PrivateKey = [A-Za-z0-9+/]{43}=\n(PENDING|ACTIVE)$/m,
    admin: /^atr_\w+.* PRO$/m,
    lists: /^1 1$/m,
    call: /^\d+$/m,
  }

  test('are the files that are run here', () => {
    const files = examples.map((file) => readFileSync(`${root}/${file}`, 'utf8'))
    assert.deepEqual(blocks.map(({ text }) => text).sort(), files.sort())
    assert.equal(examples.length, Object.keys(outputs).length)
  })

  for (const [name, output] of Object.entries(outputs))
    test(`${name} does what it says`, async () => {
      const license = await app.license({ id: apiKey.tenantId }, name === 'connect' ? {} : counted)
      const env = {
        BASE: base,
        API_KEY: apiKey.key,
        ADMIN_KEY: app.admin['x-admin-key'],
        LICENSE_KEY: license.key,
        EMAIL: `${unique('sdk')}@example.com`,
        SLUG: unique('sdk'),
      }
      const args = ['--conditions=atrium-source', `sdk/examples/${name}.ts`]
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env, timeout: 30_000 })
      assert.match(stdout, output)
    })
})

test('the service serves the SDK as a module and as a package, with its own version', async (t) => {
  const module = await app.call({ url: '/sdk/atrium.js' })
  if (module.status === 404) return t.skip(module.body.detail)
  assert.match(module.headers['content-type'] ?? '', /^text\/javascript/)
  assert.match(module.body, /export ?\{[^}]*\bAtrium\b/)
  const archive = await app.call({ url: '/sdk/atrium.tgz' })
  assert.deepEqual([...archive.bytes.subarray(0, 2)], [0x1f, 0x8b])
})
