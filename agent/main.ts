// The VPN node agent: one process on each VPN server. It needs Node, the WireGuard tools, nftables and iproute2, and no npm package.
import { agent } from './agent.ts'
import { systemBootClock } from './boot-clock.ts'
import { counters } from './counters.ts'
import { device } from './device.ts'
import { loadOrEnroll } from './enrollment.ts'
import { firewall } from './firewall.ts'
import { errorMessage, openLog } from './log.ts'
import { isHelpWanted, type Options, readOptions, UsageError, usage } from './options.ts'
import { peerValidator } from './peer.ts'
import { peerManager } from './peer-manager.ts'
import { PlatformRefused, platformClient } from './platform.ts'
import { chooseDns } from './resolvers.ts'
import { type Run, systemRun } from './run.ts'
import { type Node, openState, type State } from './state.ts'
import { type Stopping, stopOnSignal } from './stopping.ts'
import { wireguard } from './wireguard.ts'

const agentVersion = '0.1.0'
const waitSeconds = 25
const reconcileMs = 600_000
/** A restart does not help with 3 and 4, so the systemd unit does not try it. */
const exitCodes = { stopped: 0, failed: 1, 'wrong use': 2, superseded: 3, 'token refused': 4 } as const
const finalMessages = {
  superseded: 'A newer agent has taken over this server, so this one stops. Tunnels stay up.',
  'token refused':
    'The platform no longer accepts this node, so the agent stops. Tunnels stay up. Enroll the node again.',
}

const log = openLog((line) => process.stdout.write(line))

async function main(args: string[], stopping: Stopping): Promise<keyof typeof exitCodes> {
  if (isHelpWanted(args)) {
    process.stdout.write(`${usage}\n`)
    return 'stopped'
  }
  const options = readOptions(args, process.env)
  const clock = systemBootClock()
  const state = await openState(options.stateFolder, { clock, wallMs: Date.now, log })
  const run = systemRun(options.netns)
  await checkMachine(run)
  const connection = { waitSeconds, signal: stopping.hurry }
  const platform = platformClient(options.url, { ...connection, token: () => '', epoch: () => 0 })
  const node = await loadOrEnroll({ state, options, platform, run, agentVersion, log })
  const parts = await assemble({ options, state, node, run, clock, connection })
  process.on('exit', parts.device.discard)
  const ending = await parts.agent.run(stopping.signal)
  if (ending !== 'stopped') log.error(finalMessages[ending])
  if (ending === 'stopped' && options.removesInterface) {
    await parts.device.remove()
    await parts.firewall.remove()
  }
  log.info('Stopped', { code: exitCodes[ending] })
  return ending
}

type AgentParts = {
  options: Options
  state: State
  node: Node
  run: Run
  clock: ReturnType<typeof systemBootClock>
  connection: { waitSeconds: number; signal: AbortSignal }
}

async function assemble({ options, state, node, run, clock, connection }: AgentParts) {
  const { folder, privateKey, publicKey } = state
  const { interfaceName, netns } = options
  const { address4, address6, subnet4, subnet6, mtu, listenPort } = node.server
  const epoch = await state.nextEpoch(Date.now())
  const dns = await chooseDns(run, options.dns)
  log.info('Devices ask for names', { at: address4, dns })
  const platform = platformClient(options.url, {
    ...connection,
    token: () => node.token,
    epoch: () => epoch,
    servesDns: dns.kind !== 'none',
  })
  const counted = counters(await state.counters())
  const networkDevice = device({
    run,
    folder,
    log,
    interfaceName,
    netns,
    publicKey,
    address4,
    address6,
    mtu,
    listenPort,
    implementation: process.env['WG_QUICK_USERSPACE_IMPLEMENTATION'] ?? 'wireguard-go',
  })
  const addresses = { address4, address6, subnet4, subnet6 }
  const rules = firewall({ run, folder, interfaceName, ...addresses, allowed: options.allowedNetworks, dns })
  const peers = peerManager({
    held: await state.load(),
    state,
    wireguard: wireguard({ run, folder, interfaceName, privateKey, listenPort }),
    counters: counted,
    clock,
    validate: peerValidator({ publicKey, ...addresses }),
    log,
    onInterfaceFault: () => nodeAgent.repair(),
  })
  const nodeAgent = agent({
    state,
    device: networkDevice,
    firewall: rules,
    peerManager: peers,
    counters: counted,
    platform,
    log,
    timing: { reportMs: options.reportSeconds * 1000, reconcileMs },
    wallMs: Date.now,
  })
  return { agent: nodeAgent, device: networkDevice, firewall: rules }
}

/** Checks at the start for problems that would otherwise show only as devices without a connection. */
async function checkMachine(run: Run): Promise<void> {
  for (const program of ['wg', 'nft']) {
    await run(program, ['--version']).catch((error) => {
      throw new Error(`${program} is needed: ${errorMessage(error)}`)
    })
  }
  for (const setting of ['net/ipv4/ip_forward', 'net/ipv6/conf/all/forwarding']) {
    const value = await run('cat', [`/proc/sys/${setting}`]).catch(() => '')
    if (value.trim() !== '1')
      log.warn('Forwarding is off: devices will reach this server but nothing behind it', {
        setting,
        value: value.trim(),
      })
  }
}

/** Ends the process in every case: a timer or a connection that is left must not keep a failed agent from its restart. */
async function exit(): Promise<never> {
  const stopping = stopOnSignal(log)
  let code: number = exitCodes.failed
  try {
    code = exitCodes[await main(process.argv.slice(2), stopping)]
  } catch (error) {
    if (stopping.signal.aborted) {
      code = exitCodes.stopped
      log.warn('Stopped before it was ready', { reason: errorMessage(error), code })
    } else if (error instanceof UsageError) {
      code = exitCodes['wrong use']
      process.stderr.write(`${error.message}\n\n${usage}\n`)
    } else if (error instanceof PlatformRefused && error.status === 401) {
      code = exitCodes['token refused']
      log.error('The platform refused the enrollment token: it works only once and for 15 minutes', { code })
    } else {
      log.error('The agent failed', { reason: errorMessage(error), code })
    }
  }
  process.exit(code)
}
await exit()
