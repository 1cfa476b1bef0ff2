import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readImports, violations } from '../../scripts/directions.ts'

const value = (from: string, to: string) => ({ from, to, typeOnly: false })
const type = (from: string, to: string) => ({ from, to, typeOnly: true })

const allowed = [
  value('src/kernel/ids.ts', 'node:crypto'),
  type('src/kernel/schemas.ts', 'typebox'),
  value('src/http/validation.ts', 'typebox/compile'),
  value('src/storage/mint.ts', 'src/kernel/caller.ts'),
  value('src/storage/database.ts', 'pg'),
  value('src/storage/redis.ts', 'redis'),
  value('src/jobs/runner.ts', 'src/storage/mint.ts'),
  value('src/meetings/summaries/summary.service.ts', 'src/summarizer/summarize.ts'),
  value('src/backup/session.ts', 'pg'),
  value('src/http/access/access.ts', 'src/storage/mint.ts'),
  value('src/http/server.ts', 'fastify'),
  value('src/vault/devices/device.service.ts', 'src/vault/devices/device.store.ts'),
  value('src/vault/devices/device.store.ts', 'src/storage/query.ts'),
  value('src/vault/devices/device.rules.ts', 'src/vault/wireguard/address.rules.ts'),
  type('src/vault/devices/device.rules.ts', 'src/vault/devices/device.schema.ts'),
  type('src/vault/devices/device.service.ts', 'src/licensing/index.ts'),
  value('src/vault/devices/device.store.test.ts', 'test/harness/database.ts'),
  type('src/inbound/index.ts', 'src/identity/index.ts'),
  type('src/meetings/index.ts', 'src/inbound/index.ts'),
  value('src/app.ts', 'src/vault/index.ts'),
  value('test/harness/app.ts', 'src/storage/mint.ts'),
  value('agent/main.ts', 'agent/agent.ts'),
  value('agent/main.ts', 'node:child_process'),
  value('sdk/src/client.ts', 'sdk/src/errors.ts'),
  value('console/src/shell/main.ts', '@atrium/sdk/admin'),
  value('test/journeys/sdk.test.ts', 'sdk/src/index.ts'),
  value('test/journeys/tunnels.test.ts', 'agent/keys.ts'),
  value('scripts/openapi.ts', 'src/app.ts'),
]

const forbidden = [
  value('src/kernel/ids.ts', 'node:fs'),
  type('src/kernel/ids.ts', 'src/storage/scope.ts'),
  value('src/storage/database.ts', 'src/http/problem.ts'),
  type('src/http/access/access.ts', 'src/identity/index.ts'),
  value('src/summarizer/compose/short-summary.ts', 'src/storage/query.ts'),
  type('src/text/markup.ts', 'src/http/route.ts'),
  type('src/jobs/runner.ts', 'src/http/route.ts'),
  type('src/ai/model-client.ts', 'src/meetings/index.ts'),
  type('src/inbound/index.ts', 'src/meetings/index.ts'),
  value('src/vault/index.ts', 'src/app.ts'),
  type('src/vault/index.ts', 'src/main.ts'),
  value('src/vault/devices/device.service.ts', 'src/licensing/index.ts'),
  type('src/vault/devices/device.service.ts', 'src/licensing/licenses/license.service.ts'),
  value('src/app.ts', 'src/vault/devices/device.service.ts'),
  value('src/vault/index.ts', 'test/harness/app.ts'),
  value('src/vault/devices/device.rules.ts', 'src/vault/devices/device.schema.ts'),
  value('src/vault/devices/device.rules.ts', 'src/licensing/licenses/license.rules.ts'),
  value('src/vault/devices/device.rules.ts', 'node:net'),
  value('src/vault/devices/device.service.ts', 'src/storage/query.ts'),
  value('src/vault/devices/device.service.ts', 'src/storage/sql.ts'),
  value('src/kernel/schemas.ts', 'typebox'),
  value('agent/keys.ts', 'src/kernel/ids.ts'),
  type('agent/keys.ts', 'src/vault/index.ts'),
  value('agent/platform.ts', 'fastify'),
  type('sdk/src/client.ts', 'src/kernel/refusal.ts'),
  value('sdk/src/client.ts', 'node:crypto'),
  value('src/main.ts', 'sdk/src/index.ts'),
  type('console/src/shell/main.ts', 'sdk/src/admin.ts'),
  value('console/src/shell/main.ts', 'src/kernel/ids.ts'),
  value('src/main.ts', 'console/src/shell/main.ts'),
  value('src/vault/index.ts', 'agent/keys.ts'),
  value('src/vault/devices/device.routes.ts', 'fastify'),
  value('src/vault/devices/device.store.ts', 'pg'),
  value('src/http/server.ts', '@electric-sql/pglite'),
  value('src/http/limits/rate-limit.ts', 'redis'),
  value('src/vault/devices/device.service.ts', 'src/storage/mint.ts'),
]

test('imports along the directions are accepted', () => {
  assert.deepEqual(violations(allowed, []), [])
})

for (const it of forbidden) {
  test(`${it.from} may not import ${it.typeOnly ? 'a type of ' : ''}${it.to}`, () => {
    assert.match(violations([...allowed, it], []).join('\n'), new RegExp(`^${it.from} -> ${it.to}: `, 'm'))
  })
}

test('files that import each other in a circle are named, also when only types go round', () => {
  const circle = [value('src/vault/a.ts', 'src/vault/b.ts'), type('src/vault/b.ts', 'src/vault/a.ts')]
  assert.deepEqual(violations(circle, []), [
    'src/vault/a.ts -> src/vault/b.ts -> src/vault/a.ts: imports run in a circle',
  ])
})

test('sibling folders that import each other are named, and known pairs that no longer do', () => {
  const devices = value('src/vault/devices/a.ts', 'src/vault/nodes/b.ts')
  const nodes = type('src/vault/nodes/c.ts', 'src/vault/devices/d.ts')
  const pair = 'vault/devices, vault/nodes'
  assert.deepEqual(violations([devices, nodes], []), [`${pair}: siblings import each other`])
  assert.deepEqual(violations([devices, nodes], [pair]), [])
  assert.match(violations([devices], [pair]).join(), /remove the pair/)
})

test('every way to import is seen, and only what vanishes at run time counts as a type', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'atrium-directions-'))
  t.after(() => rmSync(root, { recursive: true }))
  writeFileSync(
    join(root, 'tsconfig.json'),
    '{ "files": ["a.ts"], "compilerOptions": { "module": "nodenext", "noLib": true } }',
  )
  writeFileSync(
    join(root, 'a.ts'),
    `import './effect.ts'
     import { type T } from './inline.ts'
     import type { U } from './type.ts'
     export * from '../star.ts'
     export type { V } from './exported.ts'
     type W = import('./queried.ts').W
     const lazy = () => import(\`pg\`)
     // import './comment.ts'`,
  )
  const seen = readImports(root, ['tsconfig.json']).map(({ to, typeOnly }) => `${to}${typeOnly ? ' (type)' : ''}`)
  assert.deepEqual(seen.sort(), [
    '../star.ts',
    'effect.ts',
    'exported.ts (type)',
    'inline.ts',
    'pg',
    'queried.ts (type)',
    'type.ts (type)',
  ])
})
