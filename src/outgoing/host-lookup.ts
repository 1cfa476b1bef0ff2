import type { LookupFunction } from 'node:net'
import { once } from '../kernel/once.ts'
import { type AllowedHosts, isPublicAddress } from './target-address.ts'

export type Address = { address: string; family: number }
/** Returns all addresses of a host name. Rejects if there is none. */
export type Resolve = (hostname: string) => Promise<Address[]>

/** The host name has an address that is not allowed. */
export class AddressNotAllowed extends Error {}
/** The host name has no address. */
export class NameNotFound extends Error {}

const timeoutMs = 5000

/**
 * Asks the name servers directly. `getaddrinfo` would block one of the few threads that files and hashes share for as
 * long as a tenant's name server takes, and would read the host's own hosts file.
 */
const nameServers = once(() => {
  const { Resolver } = process.getBuiltinModule('node:dns/promises')
  return new Resolver({ timeout: timeoutMs, tries: 2 })
})

async function resolveByDns(hostname: string): Promise<Address[]> {
  const resolver = nameServers()
  const [found4, found6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (found4.status === 'rejected' && found6.status === 'rejected') throw found4.reason
  return [...fulfilledAddresses(found4, 4), ...fulfilledAddresses(found6, 6)]
}

function fulfilledAddresses(found: PromiseSettledResult<string[]>, family: number): Address[] {
  return found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
}

/** Resolves as other programs on this machine do, including `localhost`. */
function resolveBySystem(hostname: string): Promise<Address[]> {
  return process.getBuiltinModule('node:dns/promises').lookup(hostname, { all: true })
}

export function resolverFor(allowedHosts: AllowedHosts): Resolve {
  return allowedHosts === 'any' ? resolveBySystem : resolveByDns
}

/**
 * A lookup for `connect`. It resolves the name once, so the connection goes to the address that was checked. If one
 * address is not public, all are refused.
 */
export function guardedLookup(resolve: Resolve, allowedHosts: AllowedHosts): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(resolve, allowedHosts, hostname).then(
      (found) => {
        const [first] = found
        if (first === undefined) return callback(new NameNotFound('The host name has no address.'), '')
        if (options.all) return callback(null, found)
        return callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

async function resolveAllowed(resolve: Resolve, allowedHosts: AllowedHosts, hostname: string): Promise<Address[]> {
  const found = await resolve(hostname)
  const isAllowed = allowedHosts === 'any' || found.every(({ address }) => isPublicAddress(address))
  if (!isAllowed) throw new AddressNotAllowed('The host name has an address that is not public.')
  return found
}
