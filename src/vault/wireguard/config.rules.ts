/** What a device's `.conf` is made of. Keys are 44 characters of base64; `mtu` is in bytes. */
export type ConfigInput = {
  deviceName: string
  region: string
  configVersion: number
  /** Null when the device made its own pair: the file then carries a placeholder. */
  privateKey: string | null
  address4: string
  address6: string
  dns: string[]
  mtu: number
  serverPublicKey: string
  presharedKey: string
  /** A host name, an IPv4 address or an IPv6 address without brackets. */
  endpointHost: string
  endpointPort: number
}

// The interval wg(8) recommends: short enough to keep the path open through most NATs and firewalls.
const keepaliveSeconds = 25

// wg-quick(8) names the network interface after the file, and Linux allows 15 characters (IFNAMSIZ - 1).
const interfaceNameCharactersMax = 15

/** The text of a WireGuard configuration file that sends all traffic, IPv4 and IPv6, through the tunnel. */
export function renderConfig(input: ConfigInput): string {
  const lines = [
    `# ${input.deviceName} @ ${input.region}  config v${input.configVersion}`,
    '[Interface]',
    `PrivateKey = ${input.privateKey ?? '<REPLACE_WITH_YOUR_PRIVATE_KEY>'}`,
    `Address = ${input.address4}/32, ${input.address6}/128`,
    ...(input.dns.length > 0 ? [`DNS = ${input.dns.join(', ')}`] : []),
    `MTU = ${input.mtu}`,
    '',
    '[Peer]',
    `PublicKey = ${input.serverPublicKey}`,
    `PresharedKey = ${input.presharedKey}`,
    'AllowedIPs = 0.0.0.0/0, ::/0',
    `Endpoint = ${endpoint(input.endpointHost, input.endpointPort)}`,
    `PersistentKeepalive = ${keepaliveSeconds}`,
  ]
  return `${lines.map(singleLine).join('\n')}\n`
}

/** A file name that wg-quick accepts and every system can store: an interface name and `.conf`. */
export function configFileName(deviceName: string, deviceId: string): string {
  const name = deviceName
    .normalize('NFKD')
    .replace(/\s+/g, '-')
    .replace(/[^a-zA-Z0-9_=+.-]/g, '')
    .replace(/^[.-]+/, '')
    .slice(0, interfaceNameCharactersMax)
    .replace(/(?<![.-])[.-]+$/, '')
  return `${name === '' || isWindowsDevice(name) ? `vpn-${deviceId.slice(-6)}` : name}.conf`
}

/**
 * A line that stays one line whatever was put into it, so that no name can add a key, a section or a hook: a `PostUp`
 * runs as root on the device. Takes out all that some client counts as a line's end, NUL, and what UTF-8 cannot hold.
 */
function singleLine(line: string): string {
  return line.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
}

function endpoint(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Names that Windows takes for a device whatever extension follows (Microsoft, "Naming Files, Paths, and Namespaces"). */
function isWindowsDevice(name: string): boolean {
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)
}
