import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startEmulators } from '../../test/emulators/emulators.ts'
import { testApp } from '../../test/harness/app.ts'
import { docBlock } from '../../test/harness/doc-blocks.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { emulatorSettings } from '../../test/harness/integrations.ts'
import { temporaryFolder } from '../../test/harness/service.ts'

test('the documented tour runs against the emulators', async () => {
  const emulators = await startEmulators()
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const app = await testApp({ integrations: { ...emulatorSettings(emulators), publicUrl } })
  const user = await app.user(await app.apiKey(await app.tenant()))
  await app.app.server.listen({ host: '127.0.0.1', port })
  const working = setInterval(() => void app.settled(), 100)
  try {
    const script = join(await temporaryFolder(), 'tour.mjs')
    await writeFile(script, docBlock('docs/integrations.md', 'js', '## A tour'))
    const env = { BASE: publicUrl, TOKEN: user.accessToken }
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env })
    assert.match(stdout, /^slack active .+\npost_summary done\ndisconnected\n$/)
  } finally {
    clearInterval(working)
    await app.app.server.close()
    await emulators.close()
  }
})
