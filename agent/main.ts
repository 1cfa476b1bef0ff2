// The VPN node agent: one process a server. It needs Node, WireGuard's tools, nftables and iproute2, and no package.
import { createHash } from 'node:crypto'
import { agent } from './agent.ts'
import { systemBootClock } from './boot-clock.ts'
import { counters } from './counters.ts'
import { device } from './device.ts'
import { firewall } from './firewall.ts'
import { keeper } from './keeper.ts'
import { type Log, openLog, reasonOf } from './log.ts'
import { type Options, readOptions, usage, WrongUse } from './options.ts'
import { judgeFor } from './peer.ts'
import { PlatformRefused, platformAt } from './platform.ts'
import { type Run, systemRun } from './run.ts'
import { type Node, openState, type State } from './state.ts'
import { wireguard } from './wireguard.ts'

const agentVersion = '0.1.0'
const waitSeconds = 25
const reconcileMs = 600_000
/** 1 and 2 as everywhere. A restart changes nothing about 3 and 4: the unit does not try it. */
const exitCodes = { stopped: 0, failed: 1, 'wrong use': 2, superseded: 3, 'token refused': 4 } as const
const lastWords = {
  superseded: 'A newer agent works for this server, so this one ends. Tunnels stay.',
  'token refused': 'The platform does not know this node any more, so the agent ends. Tunnels stay; enroll it anew.',
}

const log = openLog((line) => process.stdout.write(line))

async function main(): Promise<keyof typeof exitCodes> {
  const options = readOptions(process.argv.slice(2), process.env)
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())

  const clock = systemBootClock()
  const state = await openState(options.stateFolder, { clock, wallMs: Date.now, log })
  const run = systemRun(options.netns)
  await checkMachine(run)
  const node = await enrolled({ state, options, log })
  const parts = await assemble({ options, state, node, run, clock })
  const ending = await parts.agent.run(stopping.signal)
  if (ending !== 'stopped') log.error(lastWords[ending])
  if (ending === 'stopped' && options.isTakenDown) {
    await parts.device.remove()
    await parts.firewall.remove()
  }
  return ending
}

type Ingredients = {
  options: Options
  state: State
  node: Node
  run: Run
  clock: ReturnType<typeof systemBootClock>
}

async function assemble({ options, state, node, run, clock }: Ingredients) {
  const { folder, privateKey, publicKey } = state
  const { interfaceName, netns } = options
  const { address4, address6, subnet4, subnet6, mtu, listenPort } = node.server
  const epoch = await state.nextEpoch(Date.now())
  const platform = platformAt(options.url, { token: () => node.token, epoch: () => epoch, waitSeconds })
  const counted = counters(await state.counters())
  const ours = device({
    ...{ run, folder, log, interfaceName, netns, publicKey, address4, address6, mtu },
    implementation: process.env['WG_QUICK_USERSPACE_IMPLEMENTATION'] ?? 'wireguard-go',
  })
  const rules = firewall({ run, folder, interfaceName, subnet4, subnet6 })
  const peers = keeper({
    held: await state.load(),
    state,
    wireguard: wireguard({ run, folder, interfaceName, privateKey, listenPort }),
    counters: counted,
    clock,
    judge: judgeFor({ publicKey, address4, address6, subnet4, subnet6 }),
    log,
    onUnsound: () => whole.repair(),
  })
  const whole = agent({
    ...{ state, device: ours, firewall: rules, keeper: peers, counters: counted, platform, log },
    timing: { reportMs: options.reportSeconds * 1000, reconcileMs },
    wallMs: Date.now,
  })
  return { agent: whole, device: ours, firewall: rules }
}

/** The node as it is known, or enrolled now. A token that was used before is not tried again. */
async function enrolled({ state, options, log }: { state: State; options: Options; log: Log }): Promise<Node> {
  const known = await state.node()
  const { token, endpointHost, endpointPort } = options
  const enrolledWith = token === undefined ? '' : createHash('sha256').update(token).digest('hex')
  if (known && (token === undefined || known.enrolledWith === enrolledWith)) return known
  if (token === undefined) throw new WrongUse('This node is not enrolled yet: --token is needed')
  const platform = platformAt(options.url, { token: () => '', epoch: () => 0, waitSeconds })
  try {
    const { nodeToken, server } = await platform.enroll(token, {
      publicKey: state.publicKey,
      agentVersion,
      ...(endpointHost === undefined ? {} : { endpointHost }),
      ...(endpointPort === undefined ? {} : { endpointPort }),
    })
    const node = { token: nodeToken, server, enrolledWith }
    await state.keepNode(node)
    log.info('Enrolled', { server: server.name, region: server.region, address: server.address4 })
    return node
  } catch (error) {
    if (!known || !(error instanceof PlatformRefused)) throw error
    log.warn('The enrollment token was refused; the node goes on as it was enrolled before')
    return known
  }
}

/** Says at the start what would otherwise be found out by devices that reach nothing. */
async function checkMachine(run: Run): Promise<void> {
  for (const program of ['wg', 'nft']) {
    await run(program, ['--version']).catch((error) => {
      throw new Error(`${program} is needed: ${reasonOf(error)}`)
    })
  }
  for (const setting of ['net/ipv4/ip_forward', 'net/ipv6/conf/all/forwarding']) {
    const value = await run('cat', [`/proc/sys/${setting}`]).catch(() => '')
    if (value.trim() !== '1')
      log.warn('Devices will reach this server and nothing behind it', { setting, value: value.trim() })
  }
}

async function exit(): Promise<void> {
  let code: number = exitCodes.failed
  try {
    code = exitCodes[await main()]
    log.info('Stopped', { code })
  } catch (error) {
    if (error instanceof WrongUse) {
      code = exitCodes['wrong use']
      process.stderr.write(`${error.message}\n\n${usage}\n`)
    } else if (error instanceof PlatformRefused && error.status === 401) {
      code = exitCodes['token refused']
      log.error('The platform refused the enrollment token: it works once, and for 15 minutes', { code })
    } else {
      log.error('The agent ends', { reason: reasonOf(error) })
    }
  }
  process.exitCode = code
}
await exit()
