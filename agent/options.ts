import { parseArgs } from 'node:util'
import { type Networks, parseNetwork } from './networks.ts'
import { type DnsChoice, parseDnsChoice } from './resolvers.ts'

export type Options = {
  url: string
  token: string | undefined
  interfaceName: string
  stateFolder: string
  netns: string | undefined
  endpointHost: string | undefined
  endpointPort: number | undefined
  reportSeconds: number
  /** Private networks behind the server that devices may reach. */
  allowedNetworks: Networks
  dns: DnsChoice
  removesInterface: boolean
}

export const usage = `npm run agent -- --url BASE --token ENROLLMENT --interface NAME --state DIR [options]

  --url BASE            base address of the platform, for example https://atrium.example.com
  --token ENROLLMENT    one-time enrollment token, for the first start only. Safer: ATRIUM_ENROLLMENT_TOKEN in the environment
  --interface NAME      name of the interface to create, at most 15 characters
  --state DIR           folder for the server's key and the last known peers (0600)
  --netns NAME          network namespace to use
  --endpoint-host HOST  host name under which devices reach this server, if the platform has another
  --endpoint-port PORT  UDP port under which devices reach this server
  --allow-network NET   private network behind the server that devices may reach, as 10.1.2.0/24; may be repeated.
                        Or ATRIUM_ALLOWED_NETWORKS in the environment, separated by commas
  --dns ADDRESS         resolver for the DNS queries of devices; may be repeated. local: one that listens on the tunnel
                        address of this machine. none: no DNS here. Without it, the machine's resolvers if they are
                        public. Or ATRIUM_DNS in the environment, separated by commas
  --report-seconds N    seconds between two reports (15)
  --allow-http          allow http to another machine; preshared keys are then sent unencrypted
  --down                remove the interface and the firewall table at the stop
  --help                show this text`

export const isHelpWanted = (args: string[]): boolean => args.some((arg) => arg === '--help' || arg === '-h')

export class UsageError extends Error {}

const names = {
  url: { type: 'string' },
  token: { type: 'string' },
  interface: { type: 'string' },
  state: { type: 'string' },
  netns: { type: 'string' },
  'endpoint-host': { type: 'string' },
  'endpoint-port': { type: 'string' },
  'allow-network': { type: 'string', multiple: true },
  dns: { type: 'string', multiple: true },
  'report-seconds': { type: 'string', default: '15' },
  'allow-http': { type: 'boolean', default: false },
  down: { type: 'boolean', default: false },
} as const

/** Throws `UsageError` with what is wrong. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
  const values = parseValues(args)
  const { url, interface: interfaceName, state } = values
  if (!url || !interfaceName || !state) throw new UsageError('--url, --interface and --state are needed')
  // The length that the kernel allows and the characters that wg-quick allows. The name also goes into nftables rules.
  if (!/^[a-zA-Z0-9_=+.-]{1,15}$/.test(interfaceName))
    throw new UsageError(
      `--interface ${interfaceName} is not a valid interface name: use at most 15 letters, digits or _=+.-`,
    )
  const port = values['endpoint-port']
  return {
    url: requireHttps(url, values['allow-http']),
    token: values.token ?? environment['ATRIUM_ENROLLMENT_TOKEN'],
    interfaceName,
    stateFolder: state,
    netns: values.netns,
    endpointHost: values['endpoint-host'],
    endpointPort: port === undefined ? undefined : number('--endpoint-port', port, 65_535),
    reportSeconds: number('--report-seconds', values['report-seconds'], 3600),
    allowedNetworks: networks([
      ...(values['allow-network'] ?? []),
      ...commaList(environment['ATRIUM_ALLOWED_NETWORKS']),
    ]),
    dns: dnsChoice(values.dns ?? commaList(environment['ATRIUM_DNS'])),
    removesInterface: values.down,
  }
}

function parseValues(args: string[]) {
  try {
    return parseArgs({ args, options: names, allowPositionals: false }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const commaList = (text = ''): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

function networks(texts: string[]): Networks {
  const found: Networks = { ipv4: [], ipv6: [] }
  for (const text of texts) {
    const parsed = parseNetwork(text)
    if (parsed === undefined)
      throw new UsageError(`--allow-network ${text} is not a network such as 10.1.2.0/24 or fd12:3::/48`)
    found[parsed.family].push(parsed.network)
  }
  return found
}

function dnsChoice(texts: string[]): DnsChoice {
  const choice = parseDnsChoice(texts)
  if (choice === undefined)
    throw new UsageError(
      `--dns ${texts.join(', ')} must be one to three IPv4 addresses, none of this machine’s own, or local, or none`,
    )
  return choice
}

function number(name: string, text: string, max: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw new UsageError(`${name} must be a whole number from 1 to ${max}`)
  return value
}

function requireHttps(text: string, mayBeHttp: boolean): string {
  const url = URL.parse(text)
  const isOwnMachine = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && (isOwnMachine || mayBeHttp))) return text
  throw new UsageError(
    `--url ${text} must be an https address, because preshared keys are sent there. See --allow-http`,
  )
}
