import type { Folder } from './files.ts'
import type { Run } from './run.ts'

export type Firewall = {
  /** Replaces the table in one atomic step. */
  install(): Promise<void>
  /** A restart of the system's firewall may have removed our table. */
  isInstalled(): Promise<boolean>
  remove(): Promise<void>
}

type Deps = { run: Run; folder: Folder; interfaceName: string; subnet4: string; subnet6: string }

export function firewall({ run, folder, interfaceName, subnet4, subnet6 }: Deps): Firewall {
  const table = tableName(interfaceName)
  const load = (text: string) => folder.withTemporaryFile(text, (path) => run('nft', ['-f', path]))
  // Declare the table before deleting it: deleting a missing table is an error.
  const without = `table inet ${table} {}\ndelete table inet ${table}\n`
  return {
    install: async () => {
      await load(`${without}${ruleset({ table, interfaceName, subnet4, subnet6 })}`)
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

function ruleset(names: { table: string; interfaceName: string; subnet4: string; subnet6: string }): string {
  const device = `"${names.interfaceName}"`
  // 169.254.0.0/16 and fd00:ec2::254 are metadata services, which answer with a cloud machine's credentials.
  return `table inet ${names.table} {
  chain input {
    type filter hook input priority filter; policy accept;
    iifname ${device} ip daddr 169.254.0.0/16 drop
  }
  chain forward {
    type filter hook forward priority filter; policy accept;
    iifname ${device} oifname ${device} drop
    iifname ${device} ip daddr 169.254.0.0/16 drop
    iifname ${device} ip6 daddr fd00:ec2::254 drop
    iifname ${device} tcp flags syn / syn,rst tcp option maxseg size set rt mtu
    oifname ${device} tcp flags syn / syn,rst tcp option maxseg size set rt mtu
  }
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr ${names.subnet4} oifname != ${device} masquerade
    ip6 saddr ${names.subnet6} oifname != ${device} masquerade
  }
}
`
}
