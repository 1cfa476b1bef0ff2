import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { platformClient } from './platform.ts'

const server = {
  id: '1',
  name: 'fra-1',
  region: 'eu',
  dns: [],
  listenPort: 51820,
  mtu: 1420,
  address4: '10.64.0.1/16',
  address6: 'fd42:1::1/64',
  subnet4: '10.64.0.0/16',
  subnet6: 'fd42:1::/64',
}

describe('an answer that is not the platform’s', () => {
  let answer: (response: ServerResponse) => void
  const impostor = createServer((_request, response) => answer(response))
  const platform = () =>
    platformClient(`http://127.0.0.1:${(impostor.address() as AddressInfo).port}`, {
      token: () => 'atrnode_x',
      epoch: () => 1,
      waitSeconds: 1,
    })
  const enroll = () => platform().enroll('token', { publicKey: 'k', agentVersion: '1' })
  before(() => new Promise<void>((done) => impostor.listen(0, '127.0.0.1', done)))
  after(() => impostor.close())

  test('enrolls no server whose networks are more than networks, or whose token is none', async () => {
    const bad = [
      { nodeToken: 'atrnode_x', server: { ...server, subnet4: '10.64.0.0/16/ accept' } },
      { nodeToken: 'atrnode_x\r\nx-admin-key: 1', server },
      { nodeToken: '', server },
      { nodeToken: 'atrnode_x' },
      null,
    ]
    for (const sent of bad) {
      answer = (response) => response.end(JSON.stringify(sent))
      await assert.rejects(enroll(), { message: /lacks required fields/ }, JSON.stringify(sent))
    }
    answer = (response) => response.end(JSON.stringify({ nodeToken: 'atrnode_x', server }))
    assert.deepEqual((await enroll()).server, server)
  })

  test('is read no further than any answer of the platform goes', async () => {
    let sentBytes = 0
    const chunk = Buffer.alloc(1024 * 1024, ' ')
    answer = (response) => {
      const more = () => {
        while (!response.destroyed && sentBytes < 200 * chunk.length && response.write(chunk)) sentBytes += chunk.length
      }
      response.on('drain', more)
      more()
    }
    await assert.rejects(platform().peers(0, new AbortController().signal), { message: /answered with more than/ })
    assert.ok(sentBytes < 100 * chunk.length, `${sentBytes} bytes were taken`)
  })

  test('is neither a delta nor a snapshot where it is no object', async () => {
    for (const sent of ['7', '"delta"', '[]', 'true']) {
      answer = (response) => response.end(sent)
      await assert.rejects(platform().peers(0, new AbortController().signal), { message: /neither a delta nor/ }, sent)
    }
  })
})
