import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { generateKeyPair } from '../wireguard/keys.ts'
import { canonical, faultsOf } from './server.checks.ts'
import { changesOf, isConfigChanged, type Server, type ServerTerms } from './server.rules.ts'
import { findBuiltInServer, insertServer, lockServerRecords, updateServer } from './server.store.ts'

/** The server that the environment (`VPN_*`) describes, with which devices and configs work before any node runs. */
export type BuiltInServer = ServerTerms

export type BuiltInDeps = { platform: PlatformScope; clock: Clock; audit: Audit; builtInServer: BuiltInServer }

/**
 * Makes the record at the first start; any number of nodes may start at once. Later starts bring address, endpoint, key,
 * DNS and MTU up to date. Name, region, subnets and capacity are an administrator's from then on, and a deleted record
 * stays deleted. Throws where the environment describes no possible server.
 */
export async function prepareBuiltInServer({ platform, clock, audit, builtInServer }: BuiltInDeps): Promise<void> {
  const stated = canonical(builtInServer)
  const faults = faultsOf(stated)
  if (faults.length > 0)
    throw new Error(`The built-in VPN server is not possible: ${faults.map(described).join('; ')}.`)
  // Without a key of a real server the configs still have to be well-formed: a public key whose private half nobody has.
  const publicKey = stated.publicKey ?? (await generateKeyPair()).publicKey
  const now = clock.now()
  await transaction(platform, async (tx) => {
    await lockServerRecords(tx)
    const known = await findBuiltInServer(tx)
    if (known === null) {
      const id = newId(now)
      await insertServer(tx, { ...stated, publicKey, id, isBuiltIn: true, createdAt: now })
      await audit(tx, {
        action: 'server.create',
        target: { type: 'server', id },
        changes: { name: stated.name, region: stated.region },
      })
    } else if (!known.isDeleted) {
      await bringUpToDate(tx, known, stated)
    }
  })

  async function bringUpToDate(
    tx: PlatformScope,
    known: Server,
    { publicIp, endpointHost, endpointPort, dns, mtu }: ServerTerms,
  ) {
    const configured = { publicIp, endpointHost, endpointPort, dns, mtu, publicKey: keyOf(known, stated.publicKey) }
    const after = { ...known, ...configured }
    const changes = changesOf(known, after)
    if (Object.keys(changes).length === 0) return
    await updateServer(tx, known.id, { ...after, isConfigChanged: isConfigChanged(known, after), now })
    await audit(tx, { action: 'server.update', target: { type: 'server', id: known.id }, changes })
  }
}

/** A node that has enrolled made its own key, and only that one is true. */
function keyOf(known: Server, configured: string | null): string | null {
  return known.hasAgent ? known.publicKey : (configured ?? known.publicKey)
}

function described({ path, message }: { path: string; message: string }): string {
  return `${path.replace('/body/', '')} ${message}`
}
