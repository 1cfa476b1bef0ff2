import type { Folder } from './files.ts'
import { metadataNetworks, type Networks, privateNetworks } from './networks.ts'
import type { DnsService } from './resolvers.ts'
import type { Run } from './run.ts'

export type Firewall = {
  /** Replaces the table in one atomic step. */
  install(): Promise<void>
  /** A restart of the system's firewall may have removed our table. */
  isInstalled(): Promise<boolean>
  remove(): Promise<void>
}

type Names = {
  interfaceName: string
  /** With prefix length. */
  address4: string
  address6: string
  subnet4: string
  subnet6: string
  /** Private networks that devices may reach all the same. */
  allowed: Networks
  dns: DnsService
}

export function firewall({ run, folder, ...names }: Names & { run: Run; folder: Folder }): Firewall {
  const table = tableName(names.interfaceName)
  const load = (text: string) => folder.withTemporaryFile(text, (path) => run('nft', ['-f', path]))
  // Declare the table before deleting it: deleting a missing table is an error.
  const without = `table inet ${table} {}\ndelete table inet ${table}\n`
  return {
    install: async () => {
      await load(`${without}${ruleset(names)}`)
    },
    isInstalled: () =>
      run('nft', ['list', 'chain', 'inet', table, 'forward']).then(
        (text) => text.includes('drop'),
        () => false,
      ),
    remove: async () => {
      await load(without)
    },
  }
}

/** Interface names may contain characters that table names may not. */
const tableName = (interfaceName: string) => `atrium_${interfaceName.replace(/[^A-Za-z0-9_]/g, '_')}`

/** `accept` ends only the chain in which it stands: whatever else the machine forbids stays forbidden. */
function ruleset({ interfaceName, address4, address6, subnet4, subnet6, allowed, dns }: Names): string {
  const device = `"${interfaceName}"`
  const resolvers = dns.kind === 'forward' ? dns.resolvers : []
  const forwarded = resolvers.length === 0 ? '' : dnsAccept(address4)
  return `table inet ${tableName(interfaceName)} {
${sets('metadata', metadataNetworks)}${sets('allowed', allowed)}${sets('private', privateNetworks)}
  chain input {
    type filter hook input priority filter; policy accept;
    iifname != ${device} accept
${forwarded}    ip daddr @metadata4 drop
    ip6 daddr @metadata6 drop
    ip daddr ${host(address4)} accept
    ip6 daddr ${host(address6)} accept
    jump private
  }
  chain forward {
    type filter hook forward priority filter; policy accept;
    iifname ${device} oifname ${device} drop
    iifname ${device} tcp flags syn / syn,rst tcp option maxseg size set rt mtu
    oifname ${device} tcp flags syn / syn,rst tcp option maxseg size set rt mtu
    iifname != ${device} accept
    ct direction reply accept
${forwarded}    ip daddr @metadata4 drop
    ip6 daddr @metadata6 drop
    jump private
  }
  chain private {
    ip daddr @allowed4 accept
    ip6 daddr @allowed6 accept
    ip daddr @private4 drop
    ip6 daddr @private6 drop
  }
${resolvers.length === 0 ? '' : dnsChain({ device, address4, resolvers })}  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr ${subnet4} oifname != ${device} masquerade
    ip6 saddr ${subnet6} oifname != ${device} masquerade
  }
}
`
}

/** A query that we have redirected may reach its resolver, also one in a private network, which an operator has named. */
const dnsAccept = (address4: string) =>
  `    ct status dnat ct original ip daddr ${host(address4)} meta l4proto { tcp, udp } th dport 53 accept\n`

/** By turns, so that a device that asks again soon reaches another resolver. */
function dnsChain({ device, address4, resolvers }: { device: string; address4: string; resolvers: string[] }): string {
  const turns = resolvers.map((resolver, index) => `${index} : ${resolver}`).join(', ')
  const target = resolvers.length === 1 ? resolvers[0] : `numgen inc mod ${resolvers.length} map { ${turns} }`
  return `  chain prerouting {
    type nat hook prerouting priority dstnat; policy accept;
    iifname ${device} ip daddr ${host(address4)} meta l4proto { tcp, udp } th dport 53 dnat ip to ${target}
  }
`
}

function sets(name: string, { ipv4, ipv6 }: Networks): string {
  const set = (family: 4 | 6, networks: string[]) => {
    const elements = networks.length === 0 ? '' : ` elements = { ${networks.join(', ')} }`
    return `  set ${name}${family} { type ipv${family}_addr; flags interval; auto-merge;${elements}\n  }\n`
  }
  return `${set(4, ipv4)}${set(6, ipv6)}`
}

const host = (address: string) => address.split('/')[0]
