import { isIPv4 } from 'node:net'
import { isPublicAddress4 } from './networks.ts'
import type { Run } from './run.ts'

/**
 * How devices are served at port 53 of the server's tunnel address. `forward`: the firewall hands their queries to these
 * resolvers. `local`: a resolver of the machine listens there. `none`: nobody does.
 */
export type DnsService = { kind: 'forward'; resolvers: string[] } | { kind: 'local' | 'none' }

/** What the operator asked for; `automatic` means the machine's own resolvers, if they are public. */
export type DnsChoice = DnsService | { kind: 'automatic' }

/** The C library asks no more of them either (resolv.conf(5), MAXNS). */
const resolversMax = 3

/** Undefined for what is none of the choices. IPv4 alone: every device has an address of it in the tunnel. */
export function parseDnsChoice(texts: string[]): DnsChoice | undefined {
  const [only] = texts
  if (only === undefined) return { kind: 'automatic' }
  if (texts.length === 1 && (only === 'local' || only === 'none')) return { kind: only }
  const isResolver = (text: string) => isIPv4(text) && !text.startsWith('127.') && !text.startsWith('0.')
  return texts.length <= resolversMax && texts.every(isResolver) ? { kind: 'forward', resolvers: texts } : undefined
}

/** A private resolver knows the names of the network behind the server: it is used only where the operator names it. */
export async function chooseDns(run: Run, choice: DnsChoice): Promise<DnsService> {
  if (choice.kind !== 'automatic') return choice
  // systemd-resolved writes its own address into /etc/resolv.conf, and those that it asks into the other.
  for (const file of ['/run/systemd/resolve/resolv.conf', '/etc/resolv.conf']) {
    const text = await run('cat', [file]).catch(() => '')
    const resolvers = nameservers(text).filter(isPublicAddress4).slice(0, resolversMax)
    if (resolvers.length > 0) return { kind: 'forward', resolvers }
  }
  return { kind: 'none' }
}

function nameservers(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [keyword, address] = line.trim().split(/\s+/)
    return keyword === 'nameserver' && address !== undefined ? [address] : []
  })
}
