import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { generateKeyPair } from '../wireguard/keys.ts'
import { serverFaults, withCanonicalSubnets } from './server.checks.ts'
import { changedFields, isConfigChanged, type Server, type ServerSettings } from './server.rules.ts'
import { findBuiltInServer, insertServer, lockServerRecords, updateServer } from './server.store.ts'

/** The server described by `VPN_*` in the environment. With it devices and configurations work before any node runs. */
export type BuiltInServer = ServerSettings

export type BuiltInDeps = { platform: PlatformScope; clock: Clock; audit: Audit; builtInServer: BuiltInServer }

/**
 * Creates the record at the first start; any number of nodes may start at once. Later starts update address, endpoint,
 * key, DNS and MTU. Administrators change name, region, subnets and capacity, and a deleted record stays deleted. Throws
 * where the environment describes an impossible server.
 */
export async function prepareBuiltInServer({ platform, clock, audit, builtInServer }: BuiltInDeps): Promise<void> {
  const stated = withCanonicalSubnets(builtInServer)
  const faults = serverFaults(stated)
  if (faults.length > 0)
    throw new Error(`The settings VPN_* describe an impossible server: ${faults.map(faultText).join('; ')}.`)
  // Configurations must be well-formed also without a real server: then this is a public key whose private key nobody has.
  const publicKey = stated.publicKey ?? generateKeyPair().publicKey
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
      await updateFromEnvironment(tx, known, stated)
    }
  })

  async function updateFromEnvironment(
    tx: PlatformScope,
    known: Server,
    { publicIp, endpointHost, endpointPort, dns, mtu }: ServerSettings,
  ) {
    const configured = {
      publicIp,
      endpointHost,
      endpointPort,
      dns,
      mtu,
      publicKey: currentPublicKey(known, stated.publicKey),
    }
    const after = { ...known, ...configured }
    const changes = changedFields(known, after)
    if (Object.keys(changes).length === 0) return
    await updateServer(tx, known.id, { ...after, isConfigChanged: isConfigChanged(known, after), now })
    await audit(tx, { action: 'server.update', target: { type: 'server', id: known.id }, changes })
  }
}

/** An enrolled node made its own key, which wins over the environment. */
function currentPublicKey(known: Server, configured: string | null): string | null {
  return known.hasAgent ? known.publicKey : (configured ?? known.publicKey)
}

function faultText({ path, message }: { path: string; message: string }): string {
  return `${path.replace('/body/', '')} ${message}`
}
