// Real packets through real WireGuard: the agent as an operator starts it, wg-quick as a device has it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { derivePublicKey, newPrivateKey } from '../../agent/keys.ts'
import { type Agent, startAgent, startPings, until } from '../harness/node-agent.ts'
import { startNodePlatform } from '../harness/node-platform.ts'
import { behindServer, endpointHost, type Lab, missingForTunnels, type Place, startLab } from '../harness/tunnel-lab.ts'

const isOnce = process.env['ATRIUM_TEST_DATABASE'] !== 'postgres'
const lack = missingForTunnels()
const skip = !isOnce ? 'done once, with PGlite' : (lack ?? false)
if (isOnce && lack !== undefined) console.error(`\n!!! ${lack}: NO PACKET GOES THROUGH A TUNNEL IN THIS RUN !!!\n`)

const interfaceName = `srv${process.pid}`
const server4 = '10.64.0.1'
const server6 = 'fd42:1::1'

type Device = { publicKey: string; address4: string; address6: string; config: string }

/** All that the journey wants of a platform. */
async function startPlatform() {
  const platform = await startNodePlatform()
  const { state } = platform
  let offset = 1
  return {
    base: platform.base,
    enrollmentToken: state.enrollmentToken,
    stop: platform.stop,
    start: platform.start,
    registered: async (): Promise<Device> => {
      offset += 1
      const [privateKey, presharedKey] = [newPrivateKey(), randomBytes(32).toString('base64')]
      const [address4, address6] = [`10.64.0.${offset}`, `fd42:1::${offset}`]
      const config = `[Interface]
PrivateKey = ${privateKey}
Address = ${address4}/32, ${address6}/128
DNS = ${server4}
MTU = 1420

[Peer]
PublicKey = ${state.serverKey}
PresharedKey = ${presharedKey}
AllowedIPs = 0.0.0.0/0, ::/0
Endpoint = ${endpointHost}:51820
PersistentKeepalive = 25
`
      return { publicKey: derivePublicKey(privateKey), address4, address6, config }
    },
    connect: async (device: Device, notAfterSeconds: number | null = null) => {
      const presharedKey = /PresharedKey = (\S+)/.exec(device.config)?.[1] as string
      const allowedIps = [`${device.address4}/32`, `${device.address6}/128`]
      platform.put({ publicKey: device.publicKey, presharedKey, allowedIps, notAfterSeconds })
    },
    revoke: async (device: Device) => platform.remove(device.publicKey),
    poison: async (): Promise<string> => {
      const bad = newPrivateKey().replace(/.=$/, 'd=')
      platform.putAsItIs(bad, { publicKey: bad, presharedKey: 'x', allowedIps: ['0.0.0.0/0'], notAfterSeconds: null })
      return bad
    },
    heal: async (publicKey: string) => platform.remove(publicKey),
    rejected: async () => state.status.rejected.map(({ publicKey }) => publicKey),
    /** Until the node has acknowledged all that was changed. */
    applied: () =>
      until(
        () => state.status.appliedRevision === state.revision,
        () => `at ${state.status.appliedRevision}`,
      ),
    /** What the node has reported, in bytes; `rx` is what the device sent. */
    traffic: async (device: Device) => platform.traffic(device.publicKey),
  }
}

describe('a tunnel', { skip }, () => {
  let lab: Lab
  let platform: Awaited<ReturnType<typeof startPlatform>>
  let agent: Agent
  const agents: Agent[] = []
  let first: Device
  let second: Device

  before(async () => {
    platform = await startPlatform()
    lab = await startLab()
    agent = begin()
    await agent.says('The interface is up')
    first = await platform.registered()
    second = await platform.registered()
  })
  after(async () => {
    await Promise.all(agents.map((one) => one.end('SIGKILL')))
    await lab?.close()
    await platform?.stop()
  })

  const begin = (...more: string[]): Agent => {
    const begun = startAgent(lab, { ...platform, interfaceName }, ...more)
    agents.push(begun)
    return begun
  }
  const pings = async (place: Place, address: string) =>
    (await lab.run(place, 'ping', '-n', '-c1', '-W1', address)).code === 0
  const up = (place: Place, device: Device) => wgQuick('up', place, device)
  const down = (place: Place, device: Device) => wgQuick('down', place, device)
  const wgQuick = async (direction: 'up' | 'down', place: Place, device: Device) => {
    const file = join(lab.folder, `${place}${process.pid}.conf`)
    writeFileSync(file, device.config, { mode: 0o600 })
    await lab.must(place, `wg-quick ${direction} ${file}`)
  }
  const serverProgram = async (): Promise<number> => {
    const pids = (await lab.must(undefined, `ip netns pids ${lab.spaces.server}`)).split('\n').filter(Boolean)
    const found = pids.filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('wireguard-go'))
    assert.equal(found.length, 1)
    return Number(found[0])
  }

  test('carries no packet before the device is connected, and IPv4, IPv6 and DNS as configured after', async () => {
    await up('one', first)
    assert.equal(await pings('one', server4), false)
    await down('one', first)
    await platform.connect(first)
    await platform.connect(second)
    await platform.applied()
    await Promise.all([up('one', first), up('two', second)])
    assert.ok(await pings('one', server4))
    assert.ok(await pings('one', server6))
    assert.ok(await pings('two', server4))
    assert.equal(lab.dnsOf('one').trim(), `nameserver ${server4}`)
  })

  test('reaches what lies behind the server, under the address of the server', async () => {
    assert.ok(await pings('one', behindServer))
    assert.equal((await lab.run('behind', 'ping', '-n', '-c1', '-W1', first.address4)).code, 2, 'no way back is known')
  })

  test('leads to no other device of the server, and the rule for it is put back when it is lost', async () => {
    assert.equal(await pings('one', second.address4), false)
    assert.equal(await pings('one', second.address6), false)
    // Held, so that it does not put the table back before the ping.
    agent.hold()
    await lab.must('server', `nft delete table inet atrium_${interfaceName}`)
    assert.ok(await pings('one', second.address4), 'it was this rule and nothing else')
    agent.goOn()
    await agent.says('The firewall table was missing and is installed again')
    await until(async () => !(await pings('one', second.address4)))
  })

  test('drops packets with a source that is not the device’s own', async () => {
    const stranger = '10.64.0.99'
    await lab.must('server', 'nft add table inet probe')
    await lab.must('server', 'nft add chain inet probe in { type filter hook input priority -10 ; }')
    for (const source of [first.address4, stranger]) {
      await lab.must('server', `nft add rule inet probe in iifname ${interfaceName} ip saddr ${source} counter`)
    }
    await lab.must('one', `ip address add ${stranger}/32 dev one${process.pid}`)
    for (const source of [first.address4, stranger]) {
      await lab.run('one', 'ping', '-n', '-c2', '-i0.1', '-W1', '-I', source, server4)
    }
    const counted = await lab.must('server', 'nft list table inet probe')
    const packets = [...counted.matchAll(/counter packets (\d+)/g)].map(([, count]) => Number(count))
    assert.deepEqual(packets, [2, 0])
  })

  test('is told to the platform with its transfer within 5 %', async () => {
    const before = await platform.traffic(first)
    const [count, bodyBytes] = [750, 1372]
    const { text } = await lab.run('one', 'ping', '-n', '-q', '-f', `-c${count}`, `-s${bodyBytes}`, server4)
    assert.match(text, / 0% packet loss/)
    const wanted = count * (bodyBytes + 28)
    let told = { rx: 0, tx: 0 }
    const isTold = async () => {
      const { rx, tx } = await platform.traffic(first)
      told = { rx: rx - before.rx, tx: tx - before.tx }
      return told.rx > wanted * 0.95 && told.tx > wanted * 0.95
    }
    await until(isTold, () => JSON.stringify(told))
    assert.ok(told.rx < wanted * 1.05 && told.tx < wanted * 1.05, JSON.stringify(told))
  })

  test('loses no packet while the agent is restarted', async () => {
    const stream = startPings(lab, 'one', server4)
    assert.equal(await agent.end('SIGTERM'), 0, agent.output())
    agent = begin()
    await agent.says('The interface is up')
    await platform.connect(await platform.registered())
    await platform.applied()
    const { lost } = await stream.end()
    assert.equal(lost, 0)
  })

  test('ends the older of two agents, and loses no packet by it', async () => {
    const stream = startPings(lab, 'one', server4)
    const newer = begin()
    assert.equal(await agent.ended, 3, agent.output())
    await agent.says('A newer agent has taken over this server')
    agent = newer
    await agent.says('The interface is up')
    const { lost } = await stream.end()
    assert.equal(lost, 0)
  })

  test('is back in less than 2 s when the program of the server is killed', async () => {
    const stream = startPings(lab, 'one', server4)
    const killed = await serverProgram()
    process.kill(killed, 'SIGKILL')
    await agent.says('The interface is repaired')
    await delay(1500)
    const { gapMs } = await stream.end()
    assert.notEqual(await serverProgram(), killed)
    assert.ok(gapMs < 2000, `${gapMs} ms`)
  })

  test('of others comes up although one device’s record is bad, and the bad one is told to the platform', async () => {
    const bad = await platform.poison()
    await down('two', second)
    await platform.revoke(second)
    second = await platform.registered()
    await platform.connect(second)
    await platform.applied()
    await up('two', second)
    assert.ok(await pings('two', server4))
    assert.deepEqual(await platform.rejected(), [bad])
    await platform.heal(bad)
    await platform.applied()
    assert.deepEqual(await platform.rejected(), [])
  })

  test('carries no packet 2 s after the device was revoked', async () => {
    const stream = startPings(lab, 'two', server4)
    await delay(300)
    const revokedAtMs = Date.now()
    await platform.revoke(second)
    await platform.applied()
    await delay(500)
    const { lastReplyAtMs, received } = await stream.end()
    assert.ok(received > 0)
    assert.ok(lastReplyAtMs - revokedAtMs < 2000, `${lastReplyAtMs - revokedAtMs} ms`)
    assert.equal(await pings('two', server4), false)
    assert.ok(await pings('one', server4), 'the others go on')
  })

  test('outlives the platform, and ends when its license does, with the platform away', async () => {
    await down('two', second)
    const ending = await platform.registered()
    await platform.connect(ending, 4)
    await platform.applied()
    await up('two', ending)
    assert.ok(await pings('two', server4))
    await platform.stop()
    await until(async () => !(await pings('two', server4)))
    assert.ok(await pings('one', server4))
    await platform.start()
    await platform.revoke(first)
    await platform.applied()
    assert.equal(await pings('one', server4), false, 'and the agent has caught up')
  })

  test('outlives its agent, unless that is told to take everything down', async () => {
    const isThere = async () => (await lab.run('server', 'wg', 'show', interfaceName, 'public-key')).code === 0
    const tables = async () => (await lab.must('server', 'nft list tables')).includes(interfaceName)
    assert.equal(await agent.end('SIGTERM'), 0, agent.output())
    assert.deepEqual([await isThere(), await tables()], [true, true])
    const program = await serverProgram()
    agent = begin('--down')
    await agent.says('The interface is up')
    assert.equal(await serverProgram(), program)
    assert.equal(await agent.end('SIGTERM'), 0, agent.output())
    assert.deepEqual([await isThere(), await tables()], [false, false])
  })

  test('shows no key and no token in the log of the agent', () => {
    const lines = agents.map((one) => one.output()).join('')
    assert.ok(lines.includes('Enrolled'))
    const keys = lines.match(/[A-Za-z0-9+/]{43}=|atr(?:node|enroll)_/g)
    assert.equal(keys, null)
  })
})
