import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { docBlock } from '../harness/doc-blocks.ts'
import { freePort } from '../harness/free-port.ts'
import { startService, temporaryFolder } from '../harness/service.ts'

test('whoever pastes the README, then the live client and the receiver of events, sees an answer and an event', {
  skip: process.env['ATRIUM_TEST_DATABASE'] === 'postgres' && 'the documents are the same on either database',
}, async (t) => {
  const folder = await temporaryFolder()
  const service = await startService({ DATA_DIR: folder, WEBHOOK_ALLOW_PRIVATE: 'true' })
  t.after(() => service.stop('SIGKILL'))
  const port = String(await freePort())
  await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'))
  await writeFile(join(folder, 'live.mjs'), docBlock('docs/live.md', 'js', '## Try it'))
  await writeFile(join(folder, 'receiver.mjs'), docBlock('docs/webhooks-outbound.md', 'js', '### Try it'))

  const receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], { env: { RECEIVER_PORT: port } })
  t.after(() => receiver.kill('SIGKILL'))
  receiver.stdout.setEncoding('utf8')
  assert.match((await once(receiver.stdout, 'data'))[0], /^listening/)
  const heard = once(receiver.stdout, 'data')

  const script = [
    'set -euo pipefail',
    docBlock('README.md', 'sh'),
    `TOKEN=$TOKEN MEETING=$MEETING node ${folder}/live.mjs`,
    docBlock('docs/webhooks-outbound.md', 'sh', '### Try it'),
  ].join('\n')
  const ADMIN_KEY = readFileSync(join(folder, 'admin-key'), 'utf8').trim()
  const env = { PATH: process.env['PATH'], BASE: service.base, ADMIN_KEY, RECEIVER_PORT: port }
  const { stdout } = await promisify(execFile)('bash', ['-c', `export BASE\n${script}`], { env })

  assert.match(stdout, /"type":"message\.done".*"found":true.*I will send the figures by Thursday/)
  assert.match(stdout, /"deliveries":\[/)
  assert.match((await heard)[0], /^\S+ \{"type":"meeting\.created","timestamp":.*"meetingId":/)
})
