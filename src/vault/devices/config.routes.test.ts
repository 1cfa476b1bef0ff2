import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { rowsWith } from '../../../test/harness/tables.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'

import { qrPng, qrSvg } from '../wireguard/qr.ts'

const run = promisify(execFile)

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>
let user: TestUser

before(async () => {
  app = await testApp()
  vpn = vpnCalls(app)
  user = await vpn.someone()
})

describe('the config of a device', () => {
  test('is a file to import, the same text as at the registration, kept by no cache', async () => {
    const { id, config } = await app.device(user, { deviceName: 'Ada’s laptop at work' })
    const { status, headers, body } = await vpn.get(user, `/devices/${id}/config`)
    assert.deepEqual([status, body], [200, config])
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.equal(headers['content-disposition'], 'attachment; filename="Adas-laptop-at.conf"')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-config-complete'], 'true')
  })

  test('is a QR code of the same text, by format or by Accept', async () => {
    const { id, config } = await app.device(user)
    const svg = Buffer.from(await qrSvg(config))
    const png = await qrPng(config)
    const asks: [query: string, accept: string, type: string, bytes: Buffer][] = [
      ['?format=qr', '*/*', 'image/svg+xml', svg],
      ['?format=svg', '*/*', 'image/svg+xml', svg],
      ['?format=png', '*/*', 'image/png', png],
      ['', 'image/svg+xml', 'image/svg+xml', svg],
      ['', 'image/png', 'image/png', png],
      ['', 'text/plain;q=0.5, image/png', 'image/png', png],
      ['', 'text/plain', 'text/plain; charset=utf-8', Buffer.from(config)],
      ['?format=conf', 'image/png', 'text/plain; charset=utf-8', Buffer.from(config)],
    ]
    for (const [query, accept, type, bytes] of asks) {
      const reply = await vpn.get(user, `/devices/${id}/config${query}`, { accept })
      assert.deepEqual(
        [reply.status, reply.headers['content-type'], reply.headers['cache-control']],
        [200, type, 'no-store'],
        accept,
      )
      assert.ok(reply.bytes.equals(bytes), `${query} ${accept}`)
    }
    assert.deepEqual(codeOf(await vpn.get(user, `/devices/${id}/config`, { accept: 'application/pdf' })), [
      406,
      'NOT_ACCEPTABLE',
    ])
    assert.deepEqual(codeOf(await vpn.get(user, `/devices/${id}/config?format=gif`)), [400, 'VALIDATION_ERROR'])
  })

  test('is accepted by wg-quick and wg, whatever the device is called', async (t) => {
    if (!(await isInstalled())) return t.skip('wg-quick is not installed')
    const folder = await mkdtemp(join(tmpdir(), 'atrium-wg-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    for (const deviceName of ['laptop', '[Interface] PostUp = touch /tmp/owned', '#', '東京', '; rm -rf']) {
      const { id } = await app.device(user, { deviceName })
      const { body, headers } = await vpn.get(user, `/devices/${id}/config`)
      const [, fileName = ''] = /filename="(.+)"/.exec(headers['content-disposition'] ?? '') ?? []
      const file = join(folder, fileName)
      await writeFile(file, body)
      const { stdout } = await run('wg-quick', ['strip', file])
      assert.doesNotMatch(stdout, /^[^#]*(PostUp|rm -rf)/m)
      assert.deepEqual(stdout.match(/^\[.*\]$/gm), ['[Interface]', '[Peer]'])
    }
  })
})

describe('the keys of a device', () => {
  test('are in no column, no audit entry and no other answer as they are', async () => {
    const { id, config } = await app.device(user)
    const rotated = (await vpn.rotate(user, id)).body.config
    await vpn.connect(user, id)
    const keys = [config, rotated].flatMap((text) =>
      [...text.matchAll(/^(?:PrivateKey|PresharedKey) = (.+)$/gm)].map((match) => match[1] as string),
    )
    assert.equal(keys.length, 4)
    const forms = keys.flatMap((key) => [key, Buffer.from(key, 'base64').toString('hex')])
    assert.deepEqual(await rowsWith(app.platform, ...forms), [])
    const answers = await Promise.all(
      ['/devices', `/devices/${id}`, '/vpn/sessions', '/vpn/servers'].map((path) => vpn.get(user, path)),
    )
    const shown = answers.map(({ bytes }) => bytes.toString())
    for (const form of forms) assert.ok(!shown.some((text) => text.includes(form)), form)
  })
})

function isInstalled(): Promise<boolean> {
  return run('wg-quick', ['help']).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}
