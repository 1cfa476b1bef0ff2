import { createHash } from 'node:crypto'
import { interfaceKey } from './device.ts'
import type { Log } from './log.ts'
import { type Options, UsageError } from './options.ts'
import { type Platform, PlatformRefused } from './platform.ts'
import { requireFreePort } from './port.ts'
import type { Run } from './run.ts'
import type { Node, State } from './state.ts'

type Deps = {
  state: State
  options: Options
  platform: Platform
  run: Run
  agentVersion: string
  log: Log
}

/** The stored node, or a new enrollment. A token that was already used is not tried again. */
export async function loadOrEnroll(deps: Deps): Promise<Node> {
  const { state, options, log } = deps
  const known = await state.node()
  const { token } = options
  const enrolledWith = token === undefined ? '' : createHash('sha256').update(token).digest('hex')
  if (known && (token === undefined || known.enrolledWith === enrolledWith)) return known
  if (token === undefined) throw new UsageError('This node is not enrolled yet: pass --token')
  try {
    const node = { ...(await enroll(deps, token)), enrolledWith }
    await state.saveNode(node)
    const { name, region, address4 } = node.server
    log.info('Enrolled', { server: name, region, address: address4 })
    return node
  } catch (error) {
    if (!known || !(error instanceof PlatformRefused)) throw error
    log.warn('The enrollment token was refused; continuing with the earlier enrollment')
    return known
  }
}

/** Looks first whether the port is free: the token works only once. */
async function enroll(
  { state, options, platform, run, agentVersion }: Deps,
  token: string,
): Promise<Omit<Node, 'enrolledWith'>> {
  const { endpointHost, endpointPort, interfaceName } = options
  const { listenPort } = await platform.enrollment(token)
  // Our own interface may be up already, when a running server enrolls again.
  const isOurs = (await interfaceKey(run, interfaceName)) === state.publicKey
  if (!isOurs) await requireFreePort(run, endpointPort ?? listenPort)
  const { nodeToken, server } = await platform.enroll(token, {
    publicKey: state.publicKey,
    agentVersion,
    ...(endpointHost === undefined ? {} : { endpointHost }),
    ...(endpointPort === undefined ? {} : { endpointPort }),
  })
  return { token: nodeToken, server }
}
