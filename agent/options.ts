import { parseArgs } from 'node:util'

export type Options = {
  url: string
  token: string | undefined
  interfaceName: string
  stateFolder: string
  netns: string | undefined
  endpointHost: string | undefined
  endpointPort: number | undefined
  reportSeconds: number
  isTakenDown: boolean
}

export const usage = `npm run agent -- --url BASE --token ENROLLMENT --interface NAME --state DIR [options]

  --url BASE            where the platform is, for example https://atrium.example.com
  --token ENROLLMENT    the one-time enrollment token; not needed again. Better: ATRIUM_ENROLLMENT_TOKEN in the environment
  --interface NAME      the interface to make, at most 15 characters
  --state DIR           where the server's key and the last known peers are kept (0600)
  --netns NAME          the network namespace to work in
  --endpoint-host HOST  how devices reach this server, if it is to be told to the platform
  --endpoint-port PORT
  --report-seconds N    between two reports (15)
  --allow-http          preshared keys may travel unencrypted to another machine
  --down                remove the interface and the firewall table when stopped`

export class WrongUse extends Error {}

const names = {
  url: { type: 'string' },
  token: { type: 'string' },
  interface: { type: 'string' },
  state: { type: 'string' },
  netns: { type: 'string' },
  'endpoint-host': { type: 'string' },
  'endpoint-port': { type: 'string' },
  'report-seconds': { type: 'string', default: '15' },
  'allow-http': { type: 'boolean', default: false },
  down: { type: 'boolean', default: false },
} as const

/** Throws `WrongUse` with what is wrong. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
  const values = valuesOf(args)
  const { url, interface: interfaceName, state } = values
  if (!url || !interfaceName || !state) throw new WrongUse('--url, --interface and --state are needed')
  // As long as the kernel takes, and of characters that wg-quick takes; they go into the rules of nftables too.
  if (!/^[a-zA-Z0-9_=+.-]{1,15}$/.test(interfaceName)) throw new WrongUse(`--interface ${interfaceName} is no name`)
  const port = values['endpoint-port']
  return {
    url: checkedUrl(url, values['allow-http']),
    token: values.token ?? environment['ATRIUM_ENROLLMENT_TOKEN'],
    interfaceName,
    stateFolder: state,
    netns: values.netns,
    endpointHost: values['endpoint-host'],
    endpointPort: port === undefined ? undefined : number('--endpoint-port', port, 65_535),
    reportSeconds: number('--report-seconds', values['report-seconds'], 3600),
    isTakenDown: values.down,
  }
}

function valuesOf(args: string[]) {
  try {
    return parseArgs({ args, options: names, allowPositionals: false }).values
  } catch (error) {
    throw new WrongUse((error as Error).message)
  }
}

function number(name: string, text: string, max: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > max) throw new WrongUse(`${name} is from 1 to ${max}`)
  return value
}

function checkedUrl(text: string, mayBeHttp: boolean): string {
  const url = URL.parse(text)
  const isOwnMachine = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && (isOwnMachine || mayBeHttp))) return text
  throw new WrongUse(`--url ${text} is not an https address. Preshared keys travel there; see --allow-http`)
}
