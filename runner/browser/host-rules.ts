import { isIP } from 'node:net'

/** What Chromium may ask: hosts of the meeting, and the address at which the meeting's own host was checked. */
export type AllowedHosts = { host: string; address: string; extraHosts: string[] }

/**
 * The value of Chromium's `--host-resolver-rules`: every other name, and every other address, leads nowhere, for pages,
 * frames, sockets and redirects alike. The meeting's own host leads to the address that was checked, so that a second
 * answer of its name server cannot lead into a private network.
 */
export function hostResolverRules({ host, address, extraHosts }: AllowedHosts): string {
  const own = isIP(host.replace(/^\[|\]$/g, ''))
    ? []
    : [`MAP ${host} ${address.includes(':') ? `[${address}]` : address}`]
  const allowed = [host, ...subdomains(host), address, ...extraHosts.flatMap((extra) => [extra, ...subdomains(extra)])]
  return [...own, 'MAP * ~NOTFOUND', ...allowed.map((each) => `EXCLUDE ${each}`)].join(', ')
}

const subdomains = (host: string): string[] => (isIP(host.replace(/^\[|\]$/g, '')) ? [] : [`*.${host}`])
