import { BlockList, isIP } from 'node:net'

/** Networks in which no meeting server of strangers is: own machine, private networks, clouds' metadata, multicast. */
const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv4')
// Of IPv6 only 2000::/3 is given out; 2002::/16 and 2001::/32 carry IPv4 addresses inside.
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')
const tunnelsV6 = new BlockList()
tunnelsV6.addSubnet('2002::', 16, 'ipv6')
tunnelsV6.addSubnet('2001::', 32, 'ipv6')

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !privateNetworks.check(address, 'ipv4')
  return family === 6 && publicV6.check(address, 'ipv6') && !tunnelsV6.check(address, 'ipv6')
}
