// The example of docs/live.md, as a reader runs it: with the Node of his machine, and in a browser.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testBrowser } from '../harness/browser.ts'
import { docBlock } from '../harness/doc-blocks.ts'
import { machineProgram } from '../harness/doc-shell.ts'
import { followedMeeting } from '../harness/live-meeting.ts'
import { type Service, startService, temporaryFolder } from '../harness/service.ts'

const skip = process.env['ATRIUM_TEST_DATABASE'] === 'postgres' && 'the example is the same on either database'
const said = 'I will send the figures by Thursday.'
const answered = /"type":"message\.done".*"found":true.*I will send the figures by Thursday/

describe('the example of the live page', { skip }, () => {
  let service: Service
  let variables: { TOKEN: string; MEETING: string }
  let file: string

  before(async () => {
    const folder = await temporaryFolder()
    const ADMIN_KEY = `atradmin_${randomBytes(24).toString('base64url')}`
    service = await startService({ DATA_DIR: folder, ADMIN_KEY })
    const meeting = await followedMeeting({ base: service.base, admin: { 'x-admin-key': ADMIN_KEY } })
    await meeting.append(service.base, 1, said)
    variables = { TOKEN: meeting.token, MEETING: meeting.id }
    file = join(folder, 'live.mjs')
    await writeFile(file, docBlock('docs/live.md', 'js', '## Try it'))
    // In the folder of Atrium, its packages are at hand.
    await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'))
  })

  after(() => service?.stop('SIGKILL'))

  const run = async (node: string, options: string[]): Promise<string> => {
    const env = { BASE: service.base, ...variables }
    return (await promisify(execFile)(node, [...options, file], { env, timeout: 60_000 })).stdout
  }

  test('runs under a Node with a WebSocket of its own and under one without, such as Node 20', async () => {
    assert.match(await run(process.execPath, []), answered)
    assert.match(await run(process.execPath, ['--no-experimental-websocket']), answered)
  })

  test('runs under the Node of the machine', async (t) => {
    const node = machineProgram('node')
    if (node === null) return t.skip('npm alone brought Node')
    assert.match(await run(node, []), answered)
  })

  test('runs in the console of a browser that shows the reference', { timeout: 120_000 }, async (t) => {
    const browser = await testBrowser(t, 'the live example in a browser')
    if (browser === null) return
    const page = await browser.newPage()
    await page.goto(`${service.base}/docs`)
    page.on('dialog', (dialog) => dialog.accept(variables[dialog.message() as keyof typeof variables]))
    const predicate = (message: { text(): string }) => message.text().includes('message.done')
    // On a busy machine the reference alone takes half a minute to be shown.
    const done = page.waitForEvent('console', { predicate, timeout: 100_000 })
    // As in a console, where `await` stands outside of functions.
    await page.evaluate(`(async () => {${docBlock('docs/live.md', 'js', '## Try it')}})()`)
    assert.match((await done).text(), answered)
  })
})
