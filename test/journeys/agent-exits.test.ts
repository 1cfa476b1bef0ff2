// How the agent of a VPN server ends: with nothing left behind that a supervisor's restart would trip over.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { usage } from '../../agent/options.ts'
import { type Agent, startAgent, until } from '../harness/node-agent.ts'
import { type NodePlatform, startNodePlatform } from '../harness/node-platform.ts'
import { type Lab, missingForTunnels, startLab } from '../harness/tunnel-lab.ts'

const isOnce = process.env['ATRIUM_TEST_DATABASE'] !== 'postgres'
const skip = isOnce ? (missingForTunnels() ?? false) : 'done once, with PGlite'

const interfaceName = `end${process.pid}`
const port = 51820

describe('the agent', { skip }, () => {
  let lab: Lab
  let platform: NodePlatform
  const agents: Agent[] = []

  beforeEach(async () => {
    lab = await startLab()
    platform = await startNodePlatform()
  })
  afterEach(async () => {
    await Promise.all(agents.splice(0).map((one) => one.end('SIGKILL')))
    await lab.close()
    await platform.stop()
  })

  const begin = (): Agent => {
    const { enrollmentToken } = platform.state
    const begun = startAgent(lab, { base: platform.base, enrollmentToken, interfaceName })
    agents.push(begun)
    return begun
  }
  /** The processes in the server's namespace; the agent itself is not in it. */
  const inServer = async (): Promise<number[]> =>
    (await lab.must(undefined, `ip netns pids ${lab.spaces.server}`)).split('\n').filter(Boolean).map(Number)
  const wireguards = async (): Promise<number[]> => {
    return (await inServer()).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('wireguard-go'))
  }
  const holdPort = async () => {
    const bind = `require('node:dgram').createSocket('udp4').bind(${port}, () => console.log('held'))`
    const holder = lab.start('server', process.execPath, '-e', bind)
    await once(holder.stdout as NodeJS.ReadableStream, 'data')
    return async () => {
      holder.kill('SIGKILL')
      await once(holder, 'exit')
    }
  }

  test('ends before it enrolls if its port is taken, and the token still works once it is free', async () => {
    const free = await holdPort()
    const agent = begin()
    assert.equal(await agent.ended, 1)
    assert.match(agent.output(), /UDP port 51820 is taken/)
    assert.deepEqual([platform.state.isUsed, await wireguards()], [false, []])
    await free()
    await begin().says('The interface is up')
  })

  test('ends, and takes WireGuard with it, if the port is taken in the last moment', async () => {
    // Stands for a program that starts between the look at the port and WireGuard's own.
    const marker = join(lab.folder, 'held')
    const bind = `require('node:dgram').createSocket('udp4').bind(${port}, () => require('node:fs').writeFileSync('${marker}', ''))`
    const script = join(lab.folder, 'wireguard-go')
    const lines = ['#!/bin/sh', `${process.execPath} -e "${bind}" &`, `while ! [ -e ${marker} ]; do sleep 0.02; done`]
    writeFileSync(script, [...lines, 'exec /usr/bin/wireguard-go "$@"', ''].join('\n'))
    chmodSync(script, 0o755)
    const agent = begin()
    assert.equal(await agent.ended, 1, agent.output())
    assert.match(agent.output(), /The agent failed.*Address already in use/)
    assert.ok(existsSync(marker))
    await until(async () => (await wireguards()).length === 0)
    rmSync(script)
    for (const pid of await inServer()) process.kill(pid, 'SIGKILL')
    await begin().says('The interface is up')
  })

  test('stops at SIGTERM while the platform does not answer the enrollment', async () => {
    const asked = Promise.withResolvers<void>()
    platform.state.instead.set('/enroll', () => {
      asked.resolve()
      return new Promise(() => undefined)
    })
    const agent = begin()
    await asked.promise
    const startedAt = performance.now()
    assert.equal(await agent.end('SIGTERM'), 0, agent.output())
    assert.ok(performance.now() - startedAt < 10_000)
    assert.equal(platform.state.isUsed, false)
  })

  test('stops at SIGTERM while it cannot bring the interface back, and leaves no WireGuard', async () => {
    const agent = begin()
    await agent.says('The interface is up')
    const script = join(lab.folder, 'wireguard-go')
    writeFileSync(script, '#!/bin/sh\nexec sleep 1000\n')
    chmodSync(script, 0o755)
    const [pid] = await wireguards()
    process.kill(pid as number, 'SIGKILL')
    await agent.says('starting a user-space program instead')
    assert.equal(await agent.end('SIGTERM'), 0, agent.output())
    // The agent does not wait for the end of the program that it kills.
    await until(async () => (await inServer()).length === 0)
  })
})

test('the agent shows its options when it is asked for help, and with any that is wrong', () => {
  const program = fileURLToPath(new URL('../../agent/main.ts', import.meta.url))
  for (const option of ['--help', '-h']) {
    const { status, stdout } = spawnSync(process.execPath, [program, '--url', 'x', option], { encoding: 'utf8' })
    assert.deepEqual([status, stdout], [0, `${usage}\n`])
  }
  const { status, stderr } = spawnSync(process.execPath, [program, '--nonsense'], { encoding: 'utf8' })
  assert.equal(status, 2)
  assert.ok(stderr.includes('--nonsense') && stderr.includes(usage), stderr)
})
