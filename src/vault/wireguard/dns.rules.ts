import { serverAddresses } from './address.rules.ts'

/** Those of Quad9, which blocks known malware and keeps no addresses of who asks (quad9.net). docs/vpn-operators.md names them. */
export const publicResolvers = ['9.9.9.9', '149.112.112.112', '2620:fe::fe']

export type DnsTerms = {
  /** What the operator has set, empty for none; null: automatic. */
  dns: string[] | null
  /** Whether the server's agent says that devices may ask at its address in the tunnel. */
  servesDns: boolean
  subnet4: string
  subnet6: string
}

/** The resolvers of the configuration files. */
export function effectiveDns({ dns, servesDns, ...subnets }: DnsTerms): string[] {
  if (dns !== null) return dns
  if (!servesDns) return publicResolvers
  const [address = ''] = serverAddresses(subnets).address4.split('/')
  return [address]
}
