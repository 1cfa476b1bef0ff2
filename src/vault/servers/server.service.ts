import { randomBytes } from 'node:crypto'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { invalidField, type Refusal, refuseFields } from '../../kernel/refusal.ts'
import type { FanOut } from '../../storage/fan-out.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { conflict } from '../faults.ts'
import { newNodeToken } from '../node-token.rules.ts'
import { notifierChannels } from '../peers/server-notifier.ts'
import type { SubnetPair } from '../wireguard/address.rules.ts'
import { freeSubnet4, freeSubnet6 } from '../wireguard/free-subnet.rules.ts'
import { type OtherServer, overlapFaults, serverFaults, withCanonicalSubnets } from './server.checks.ts'
import { changedFields, isConfigChanged, type Server, type ServerSettings } from './server.rules.ts'
import type { NewServer, ServerChange } from './server.schema.ts'
import {
  clearNodeTokens,
  getServer,
  insertServer,
  listOtherServers,
  lockServerRecords,
  removeServer,
  setEnrollmentToken,
  updateServer,
} from './server.store.ts'

/** WireGuard's usual port, and the MTU that wg-quick uses on a path of 1500 bytes. */
const defaults = { endpointPort: 51_820, mtu: 1420 }

const enrollmentMs = 15 * 60 * 1000

export type ServerDeps = {
  clock: Clock
  audit: Audit
  fanOut: FanOut
  secrets: Pick<Secrets, 'derive'>
  /** Ends the open sessions of a server that is disabled. */
  endSessionsOn(tx: PlatformScope, serverId: string, now: Date): Promise<void>
}

export function serverService({ clock, audit, secrets, endSessionsOn, fanOut }: ServerDeps) {
  // The same on all nodes and after a restore, and not to be guessed: two installations whose networks are joined differ.
  const ulaGlobalId = secrets.derive('vpn/ula')
  /** Refuses with VALIDATION_ERROR, and with STATE_CONFLICT where the name is taken. */
  async function create(platform: PlatformScope, asked: NewServer): Promise<Server> {
    const now = clock.now()
    const id = newId(now)
    return transaction(platform, async (tx) => {
      // One writer at a time from here on, so that two servers are never assigned one range.
      await lockServerRecords(tx)
      const others = await listOtherServers(tx, null)
      const terms = withCanonicalSubnets({
        ...defaults,
        endpointHost: asked.publicIp,
        dns: null,
        ...asked,
        ...assignSubnets(asked, others),
        publicKey: asked.publicKey ?? null,
      })
      refuseFields(serverFaults(terms))
      refuseTakenNameOrSubnet(terms, others)
      await insertServer(tx, { ...terms, id, isBuiltIn: false, createdAt: now })
      await audit(tx, {
        action: 'server.create',
        target: { type: 'server', id },
        changes: { name: terms.name, region: terms.region },
      })
      return getServer(tx, id)
    })
  }

  /** Those that were asked for; for the others free ones. */
  function assignSubnets(asked: NewServer, others: SubnetPair[]): SubnetPair {
    const { capacity } = asked
    const [taken4, taken6] = [others.map((other) => other.subnet4), others.map((other) => other.subnet6)]
    const subnet4 = asked.subnet4 ?? freeSubnet4(taken4, capacity)
    if (subnet4 === null)
      throw unassigned('subnet4', `none of the ranges that are assigned has room for ${capacity} devices`)
    const subnet6 = asked.subnet6 ?? freeSubnet6(taken6, ulaGlobalId)
    if (subnet6 === null) throw unassigned('subnet6', 'all ranges that are assigned are taken')
    return { subnet4, subnet6 }
  }

  /** Refuses with NOT_FOUND, VALIDATION_ERROR and STATE_CONFLICT. */
  async function update(platform: PlatformScope, id: string, asked: ServerChange): Promise<Server> {
    const updated = await transaction(platform, (tx) => change(tx, id, asked))
    // In a second transaction, because ending sessions locks devices before a server. If it fails, housekeeping ends them.
    if (asked.status === 'DISABLED') await transaction(platform, (tx) => endSessionsOn(tx, id, clock.now()))
    return updated
  }

  async function change(tx: PlatformScope, id: string, asked: ServerChange): Promise<Server> {
    await lockServerRecords(tx)
    const before = await getServer(tx, id)
    const after = withCanonicalSubnets({ ...before, ...asked })
    const changes = changedFields(before, after)
    if (Object.keys(changes).length === 0) return before
    refuseFields(serverFaults(after))
    refuseEnvironmentFields(before, after)
    refuseTakenNameOrSubnet(after, await listOtherServers(tx, id))
    const isDone = await updateServer(tx, id, {
      ...after,
      isConfigChanged: isConfigChanged(before, after),
      now: clock.now(),
    })
    if (!isDone) throw conflict('The subnets cannot change once the server has had a device.')
    await audit(tx, { action: 'server.update', target: { type: 'server', id }, changes })
    return getServer(tx, id)
  }

  /** Refuses with NOT_FOUND, and with STATE_CONFLICT where the server has devices. */
  async function remove(platform: PlatformScope, id: string): Promise<void> {
    await transaction(platform, async (tx) => {
      const { name } = await getServer(tx, id)
      if (!(await removeServer(tx, id, clock.now())))
        throw conflict('The server still has devices. Revoke or move them first.')
      await audit(tx, { action: 'server.delete', target: { type: 'server', id }, changes: { name } })
    })
  }

  /** A token with which one node can enroll within 15 minutes. Only its hash is stored. */
  async function createEnrollmentToken(
    platform: PlatformScope,
    id: string,
  ): Promise<{ enrollmentToken: string; expiresAt: Date }> {
    const { token: enrollmentToken, hash } = newNodeToken('enrollment', randomBytes)
    const expiresAt = new Date(clock.now().getTime() + enrollmentMs)
    await transaction(platform, async (tx) => {
      await getServer(tx, id)
      await setEnrollmentToken(tx, id, { hash, expiresAt })
      await audit(tx, { action: 'server.enrollment-token', target: { type: 'server', id }, changes: { expiresAt } })
    })
    return { enrollmentToken, expiresAt }
  }

  /** Refuses the server's node from its next call on, and ends an unused enrollment token. Refuses with NOT_FOUND. */
  async function revokeNodeToken(platform: PlatformScope, id: string): Promise<void> {
    await transaction(platform, async (tx) => {
      await getServer(tx, id)
      if (!(await clearNodeTokens(tx, id))) return
      await audit(tx, { action: 'server.node-token.revoke', target: { type: 'server', id } })
      tx.handle.afterCommit(() => fanOut.publish(notifierChannels.peers, id))
    })
  }

  return { create, update, remove, createEnrollmentToken, revokeNodeToken }
}

export type Servers = ReturnType<typeof serverService>

/** The caller has locked the records. */
function refuseTakenNameOrSubnet(terms: ServerSettings, others: OtherServer[]): void {
  if (others.some(({ name }) => name === terms.name)) throw conflict(`Another server is named ${terms.name}.`)
  refuseFields(overlapFaults(terms, others))
}

function unassigned(field: keyof SubnetPair, why: string): Refusal {
  return invalidField(`/body/${field}`, { code: 'required', message: `is required: ${why}` })
}

/** What the environment sets is changed only there; the next start would undo a change made here. */
function refuseEnvironmentFields(before: Server, after: Server): void {
  if (!before.isBuiltIn) return
  const isOverridden = isConfigChanged(before, after) || before.publicIp !== after.publicIp
  if (isOverridden)
    throw conflict('Address, endpoint, key, DNS and MTU of the built-in server are set by VPN_* in the environment.')
}
