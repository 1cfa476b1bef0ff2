// Which networks behind a server its devices reach, with real packets.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { derivePublicKey, newPrivateKey } from '../../agent/keys.ts'
import { type Agent, startAgent, until } from '../harness/node-agent.ts'
import { type NodePlatform, startNodePlatform } from '../harness/node-platform.ts'
import { behindServer, endpointHost, type Lab, missingForTunnels, type Place, startLab } from '../harness/tunnel-lab.ts'

const isOnce = process.env['ATRIUM_TEST_DATABASE'] !== 'postgres'
const skip = isOnce ? (missingForTunnels() ?? false) : 'done once, with PGlite'

const interfaceName = `net${process.pid}`
const [server4, address4, address6] = ['10.64.0.1', '10.64.0.2', 'fd42:1::2']
const behind6 = '2001:db8:7::2'
const metadata = ['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']
const privateHosts = ['10.77.0.2', '172.16.5.5', '192.168.9.9', '100.64.9.9', 'fd77::2']
const ownPrivate = '10.88.0.1'

describe('behind a server', { skip }, () => {
  let lab: Lab
  let platform: NodePlatform
  let agent: Agent

  before(async () => {
    platform = await startNodePlatform()
    lab = await startLab()
    await lab.must('server', 'ip address add 2001:db8:7::1/64 dev v-behind nodad')
    await lab.must('behind', `ip address add ${behind6}/64 dev v0 nodad`)
    for (const host of [...metadata, ...privateHosts]) {
      const isFour = host.includes('.')
      await lab.must('behind', `ip address add ${host}/${isFour ? 32 : 128} dev v0${isFour ? '' : ' nodad'}`)
      await lab.must('server', `ip route add ${host} via ${isFour ? behindServer : behind6}`)
    }
    await lab.must('server', `ip address add ${ownPrivate}/32 dev lo`)
    agent = await begin()
    await connectDevice()
  })
  after(async () => {
    await agent?.end('SIGKILL')
    await lab?.close()
    await platform?.stop()
  })

  const begin = async (...more: string[]): Promise<Agent> => {
    const { enrollmentToken } = platform.state
    const begun = startAgent(lab, { base: platform.base, enrollmentToken, interfaceName }, ...more)
    await begun.says('The interface is up')
    return begun
  }
  const restart = async (...more: string[]) => {
    await agent.end('SIGTERM')
    agent = await begin(...more)
  }
  const connectDevice = async () => {
    const [privateKey, presharedKey] = [newPrivateKey(), randomBytes(32).toString('base64')]
    const allowedIps = [`${address4}/32`, `${address6}/128`]
    platform.put({ publicKey: derivePublicKey(privateKey), presharedKey, allowedIps, notAfterSeconds: null })
    const file = join(lab.folder, `dev${process.pid}.conf`)
    const lines = ['[Interface]', `PrivateKey = ${privateKey}`, `Address = ${allowedIps.join(', ')}`, '[Peer]']
    const peer = [`PublicKey = ${platform.state.serverKey}`, `PresharedKey = ${presharedKey}`]
    const path = ['AllowedIPs = 0.0.0.0/0, ::/0', `Endpoint = ${endpointHost}:51820`, '']
    writeFileSync(file, [...lines, ...peer, ...path].join('\n'), { mode: 0o600 })
    await until(() => platform.state.status.appliedRevision === platform.state.revision)
    await lab.must('one', `wg-quick up ${file}`)
  }
  const pings = async (place: Place, host: string) =>
    (await lab.run(place, 'ping', '-n', '-c1', '-W1', host)).code === 0
  const reached = async (place: Place, hosts: string[]) => {
    const answers = await Promise.all(hosts.map(async (host) => ({ host, isReached: await pings(place, host) })))
    return answers.filter(({ isReached }) => isReached).map(({ host }) => host)
  }

  test('a device reaches the internet, and neither private networks nor the services of a cloud', async () => {
    const all = [...metadata, ...privateHosts]
    assert.deepEqual(await reached('server', all), all, 'the server itself reaches all of them')
    assert.deepEqual(await reached('one', [server4, behindServer, behind6]), [server4, behindServer, behind6])
    assert.deepEqual(await reached('one', [...all, ownPrivate]), [])
  })

  test('a device reaches a private network that the operator allows, and still none of a cloud’s services', async () => {
    const allowed = ['10.77.0.0/24', '100.64.0.0/10', 'fd77::/64', `${ownPrivate}/32`, '169.254.0.0/16']
    await restart(...allowed.flatMap((network) => ['--allow-network', network]))
    const hosts = [...metadata, ...privateHosts, ownPrivate]
    assert.deepEqual(await reached('one', hosts), ['10.77.0.2', '100.64.9.9', 'fd77::2', ownPrivate])
  })

  test('the tunnel address answers queries for names, also from a private resolver that the operator names', async () => {
    const resolvers = [behindServer, privateHosts[0] as string, metadata[1] as string]
    const resolver = lab.start('behind', process.execPath, '-e', dnsResolver, ...resolvers)
    await once(resolver.stdout as NodeJS.ReadableStream, 'data')
    const ask = async (transport: 'udp' | 'tcp') =>
      (await lab.run('one', process.execPath, '-e', dnsQuery, server4, transport)).text.trim()
    for (const named of [...resolvers.map((address) => [address]), resolvers]) {
      await restart(...named.flatMap((address) => ['--dns', address]))
      for (const _ of named)
        assert.deepEqual([await ask('udp'), await ask('tcp')], ['192.0.2.7', '192.0.2.7'], named.join())
      assert.deepEqual(await reached('one', resolvers), [behindServer], 'only queries pass')
    }
    assert.equal((platform.state.status as { servesDns?: boolean }).servesDns, true)
    await restart('--dns', 'none')
    assert.equal(await ask('udp'), 'no answer')
    await until(() => (platform.state.status as { servesDns?: boolean }).servesDns === false)
  })
})

/** Answers every query with 192.0.2.7. */
const dnsResolver = `
  const answer = (query) => {
    const record = Buffer.from('c00c000100010000003c0004c0000207', 'hex')
    const head = Buffer.from(query)
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(1, 6)
    return Buffer.concat([head, record])
  }
  // One socket an address, so that each answers from its own.
  for (const own of process.argv.slice(1)) {
    const udp = require('node:dgram').createSocket('udp4')
    udp.on('message', (query, { port, address }) => udp.send(answer(query), port, address))
    udp.bind(53, own)
  }
  const tcp = require('node:net').createServer((socket) =>
    socket.on('data', (data) => {
      const text = answer(data.subarray(2))
      socket.write(Buffer.concat([Buffer.from([text.length >> 8, text.length & 255]), text]))
    }),
  )
  tcp.listen(53, () => console.log('listens'))`

/** Prints the address in the answer to a query for the A record of example.com. */
const dnsQuery = `
  const [server, transport] = process.argv.slice(1)
  const query = Buffer.from('123401000001000000000000076578616d706c6503636f6d0000010001', 'hex')
  const end = (text) => { console.log(text); process.exit() }
  const show = (answer) => end([...answer.subarray(-4)].join('.'))
  setTimeout(() => end('no answer'), 1500)
  if (transport === 'udp') {
    const socket = require('node:dgram').createSocket('udp4')
    socket.on('error', () => end('no answer'))
    socket.on('message', show)
    socket.connect(53, server, () => socket.send(query))
  } else {
    const socket = require('node:net').connect(53, server, () => socket.write(Buffer.concat([Buffer.from([0, query.length]), query])))
    socket.on('data', show)
    socket.on('error', () => end('no answer'))
  }`
