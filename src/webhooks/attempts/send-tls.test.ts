import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { selfSignedCertificate } from '../../../test/harness/certificate.ts'
import { type Receiver, receiver } from '../../../test/harness/receiver.ts'
import { temporaryFolder } from '../../../test/harness/service.ts'

const program = fileURLToPath(import.meta.resolve('../../../test/harness/posting.ts'))
const dayMs = 24 * 3600 * 1000
const commonName = 'hooks.example.com'

type Asked = { urls: string[]; environment?: Record<string, string> }

/** How deliveries end in a process that was started with these variables: Node reads them at its start alone. */
async function outcomesOf({ urls, environment = {} }: Asked): Promise<string[]> {
  const env = { PATH: process.env['PATH'], ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(urls)], { env })
  return JSON.parse(stdout)
}

describe('sending over TLS', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const certificate = (fromDays: number, toDays: number) => {
    const at = (days: number) => new Date(Date.now() + days * dayMs)
    return selfSignedCertificate({ privateKey, commonName, from: at(fromDays), to: at(toDays) })
  }
  const heard: string[] = []
  const servers: Server[] = []
  let authority = ''
  let urls: { good: string; otherName: string; expired: string; self: string }

  const listen = async (cert: string): Promise<number> => {
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' })
    const server = createServer({ key, cert }, (request, response) => {
      heard.push(request.headers.host ?? '')
      response.writeHead(204).end()
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }

  before(async () => {
    const [good, expired] = [certificate(-1, 1), certificate(-2, -1)]
    const [port, expiredPort] = [await listen(good), await listen(expired)]
    authority = join(await temporaryFolder(), 'authority.pem')
    await writeFile(authority, good + expired)
    urls = {
      good: `https://${commonName}:${port}/`,
      otherName: `https://other.example.com:${port}/`,
      expired: `https://${commonName}:${expiredPort}/`,
      self: `https://127.0.0.1:${port}/`,
    }
  })
  after(() => {
    for (const server of servers) server.close()
  })

  test('a receiver whose certificate nobody vouches for hears nothing, and its tenant is told why', async () => {
    assert.deepEqual(await outcomesOf({ urls: [urls.good, urls.self] }), ['CERTIFICATE', 'CERTIFICATE'])
    assert.deepEqual(heard, [])
  })

  test('one that the operator vouches for hears it, but not under another name nor when its time is over', async () => {
    const environment = { NODE_EXTRA_CA_CERTS: authority }
    const outcomes = await outcomesOf({ urls: [urls.good, urls.otherName, urls.expired], environment })
    assert.deepEqual(outcomes, ['DELIVERED', 'CERTIFICATE', 'CERTIFICATE'])
    assert.equal(heard.splice(0).length, 1)
  })

  test('a proxy in the environment is not used: it would connect to what nobody checked', async () => {
    const proxy: Receiver = await receiver()
    const there = await receiver()
    const through = `http://127.0.0.1:${proxy.port}`
    const environment = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: through, HTTPS_PROXY: through, ALL_PROXY: through }
    const all = { ...environment, NODE_EXTRA_CA_CERTS: authority, https_proxy: through, http_proxy: through }
    const outcomes = await outcomesOf({ urls: [urls.good, there.url], environment: all })
    assert.deepEqual(outcomes, ['DELIVERED', 'DELIVERED'])
    assert.equal(proxy.connections(), 0)
    await Promise.all([proxy.close(), there.close()])
  })
})
