import { isIP } from 'node:net'
import { integer, listOrOff, optional, type Settings, text } from './readers.ts'

/** The built-in VPN server. */
export const vpnSettings = {
  vpnRegion: [
    'VPN_REGION',
    text('local', 'lower-case letters, digits and hyphens', /^[a-z0-9][a-z0-9-]{0,31}$/),
    'Region of the built-in VPN server record.',
  ],
  vpnPublicIp: [
    'VPN_PUBLIC_IP',
    text('203.0.113.10', 'an IP address', /^[0-9A-Fa-f.:]{2,45}$/),
    'Public address of the built-in VPN server (the default is an example address, RFC 5737).',
  ],
  vpnEndpointHost: [
    'VPN_ENDPOINT_HOST',
    optional('a host name or an IP address', (value) => /^[A-Za-z0-9.:_-]{1,253}$/.test(value)),
    'Host in the `Endpoint` of every .conf file; without it `VPN_PUBLIC_IP`.',
  ],
  vpnEndpointPort: ['VPN_ENDPOINT_PORT', integer(51820, 1, 65535), 'UDP port in the `Endpoint`.'],
  vpnPublicKey: [
    'VPN_PUBLIC_KEY',
    optional('a WireGuard public key (44 characters of base64)', (value) => /^[A-Za-z0-9+/]{43}=$/.test(value)),
    'Public key of the built-in VPN server. Without it the first start creates an example key.',
  ],
  vpnSubnet4: [
    'VPN_SUBNET4',
    text('10.64.0.0/16', 'an IPv4 network', /^\d+\.\d+\.\d+\.\d+\/\d+$/),
    'IPv4 addresses of its devices; fixed at the first start.',
  ],
  vpnSubnet6: [
    'VPN_SUBNET6',
    text('fd42:a7:1::/64', 'an IPv6 network', /^[0-9a-fA-F:]+\/\d+$/),
    'IPv6 addresses of its devices; fixed at the first start.',
  ],
  vpnDns: [
    'VPN_DNS',
    listOrOff('IP addresses', (entry) => isIP(entry) !== 0),
    'Resolvers in the .conf files of its devices, or `off` for no `DNS` line. Without it, its address in the tunnel if its agent serves DNS, else public resolvers.',
  ],
  vpnCapacity: ['VPN_CAPACITY', integer(60_000, 1, 65_000), 'Maximum number of devices on it.'],
} as const satisfies Settings
