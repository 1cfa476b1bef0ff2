import { isIPv6 } from 'node:net'

const minuteMs = 60_000
/** Addresses that are counted at once. More come from an attack: then each is counted for less than a minute. */
const addressesMax = 50_000

/** Counts mails of addresses in the running minute. IPv6 is counted by network, because one machine has many addresses. */
export function minuteCounter(max: number, now: () => number) {
  let minute = 0
  const counts = new Map<string, number>()
  /** False: there were as many before. */
  return (address: string): boolean => {
    const current = Math.floor(now() / minuteMs)
    if (current !== minute || counts.size > addressesMax) counts.clear()
    minute = current
    const key = isIPv6(address) ? address.split(':').slice(0, 4).join(':') : address
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= max
  }
}
