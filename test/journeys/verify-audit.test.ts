import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { startService, temporaryFolder } from '../harness/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const adminKey = `atradmin_${randomBytes(24).toString('base64url')}`

function verify(folder: string, ...rest: string[]): Promise<{ code: number; output: string }> {
  return new Promise((answer) => {
    const environment = { PATH: process.env['PATH'], DATA_DIR: folder }
    const program = ['scripts/node24.js', 'scripts/verify-audit.ts', ...rest]
    execFile(process.execPath, program, { cwd: root, env: environment }, (error, stdout, stderr) =>
      answer({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })
}

test('an operator verifies the audit log of a stopped service, and is told where it was changed', {
  timeout: 180_000,
}, async () => {
  const folder = await temporaryFolder()
  const service = await startService({ DATA_DIR: folder, ADMIN_KEY: adminKey })
  const create = await fetch(`${service.base}/admin/tenants`, {
    method: 'POST',
    headers: { 'x-admin-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Acme', slug: 'acme', contactEmail: 'ops@acme.example' }),
  })
  assert.equal(create.status, 201)
  const running = await verify(folder)
  assert.deepEqual(
    [running.code, /POST \/v1\/platform\/admin\/audit\/verify/.test(running.output)],
    [2, true],
    running.output,
  )
  await service.stop('SIGTERM')

  const good = await verify(folder)
  assert.equal(good.code, 0, good.output)
  assert.match(good.output, /as it was written: \d+ sealed entries \(0 redacted\), 0 not sealed yet/)
  const head = /Head: (\S+)/.exec(good.output)?.[1] ?? ''
  assert.equal((await verify(folder, head)).code, 0)

  const pglite = await PGlite.create(join(folder, 'database'))
  await pglite.query(`update audit_log set actor_label = 'nobody' where action = 'tenant.create' and seq is not null`)
  await pglite.close()
  const bad = await verify(folder)
  assert.equal(bad.code, 1, bad.output)
  assert.match(bad.output, /NOT as it was written: ENTRY_CHANGED at place \d+ \(entry [0-9a-f-]{36}\)/)
  const nowhere = await verify(await temporaryFolder())
  assert.deepEqual([nowhere.code, /no master key/.test(nowhere.output)], [2, true], nowhere.output)
})
