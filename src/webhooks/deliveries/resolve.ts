import type { LookupFunction } from 'node:net'
import { once } from '../../kernel/once.ts'
import { isPublicAddress, type Reach } from '../endpoints/addresses.ts'

export type Address = { address: string; family: number }
/** Every address of a name. Rejects where there is none. */
export type Resolve = (hostname: string) => Promise<Address[]>

/** What a connection fails with whose address is not to be reached. */
export class AddressRefused extends Error {}
/** What it fails with where the name leads nowhere. */
export class NameUnknown extends Error {}

const timeoutMs = 5000

/**
 * Asks the name servers itself, where `getaddrinfo` would hold one of the few threads that files and hashes share for
 * as long as a tenant's name server pleases, and would read the host's own list of names.
 */
const nameServers = once(() => {
  const { Resolver } = process.getBuiltinModule('node:dns/promises')
  return new Resolver({ timeout: timeoutMs, tries: 2 })
})

async function byNameServers(hostname: string): Promise<Address[]> {
  const resolver = nameServers()
  const [found4, found6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (found4.status === 'rejected' && found6.status === 'rejected') throw found4.reason
  return [...addressesOf(found4, 4), ...addressesOf(found6, 6)]
}

function addressesOf(found: PromiseSettledResult<string[]>, family: number): Address[] {
  return found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
}

/** As other programs of this computer do, with `localhost` and its like. */
function bySystem(hostname: string): Promise<Address[]> {
  return process.getBuiltinModule('node:dns/promises').lookup(hostname, { all: true })
}

export function resolveFor(reach: Reach): Resolve {
  return reach === 'any' ? bySystem : byNameServers
}

/**
 * For `connect`: resolves the name once, and the connection goes to what was checked here and nowhere else. One address
 * that is not public refuses them all.
 */
export function guardedLookup(resolve: Resolve, reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    checked(resolve, reach, hostname).then(
      (found) => {
        const [first] = found
        if (first === undefined) return callback(new NameUnknown('The name has no address.'), '')
        if (options.all) return callback(null, found)
        return callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

async function checked(resolve: Resolve, reach: Reach, hostname: string): Promise<Address[]> {
  const found = await resolve(hostname)
  const isAllowed = reach === 'any' || found.every(({ address }) => isPublicAddress(address))
  if (!isAllowed) throw new AddressRefused('The name has an address that is not of the public internet.')
  return found
}
