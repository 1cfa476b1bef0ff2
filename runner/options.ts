import { parseArgs } from 'node:util'

export type SpeechToText = { baseUrl: string; apiKey: string | undefined; model: string }

export type Options = {
  url: string
  token: string | undefined
  stateFolder: string
  /** Bots at the same time. */
  slots: number
  browserPath: string | undefined
  hasSandbox: boolean
  allowsPrivateHosts: boolean
  /** Hosts that any meeting page may ask, beside its own. */
  extraHosts: string[]
  awaySecondsMax: number
  speechToText: SpeechToText | undefined
}

export const usage = `npm run runner -- --url BASE --token ENROLLMENT [options]

  --url BASE          base address of the platform, for example https://atrium.example.com
  --token ENROLLMENT  one-time enrollment token, for the first start only. Safer: ATRIUM_ENROLLMENT_TOKEN in the environment
  --state DIR         folder for the runner's token, unsent entries and browser profiles, 0700 (./runner-state)
  --slots N           bots at the same time, 1 to 50 (2); a browser needs about 300 MB and half a processor
  --browser PATH      Chromium to start; without it the system's
  --no-sandbox        start Chromium without its sandbox, which it demands of root and in some containers
  --allow-private     also join meetings on private addresses, such as a meeting server of your own network
  --allow-host HOST   a host that meeting pages may use beside their own, such as a content network; may be repeated
  --away-seconds N    how long a bot stays in a meeting while the platform does not answer, 1 to 600 (600)
  --allow-http        allow http to another machine; what is said in meetings is then sent unencrypted
  --help              show this text

Environment: STT_BASE_URL, STT_API_KEY, STT_MODEL: a transcription service with OpenAI's interface. With it the runner
takes each participant's own sound instead of the page's captions.`

export const isHelpWanted = (args: string[]): boolean => args.some((arg) => arg === '--help' || arg === '-h')

export class UsageError extends Error {}

const names = {
  url: { type: 'string' },
  token: { type: 'string' },
  state: { type: 'string', default: './runner-state' },
  slots: { type: 'string', default: '2' },
  browser: { type: 'string' },
  'no-sandbox': { type: 'boolean', default: false },
  'allow-private': { type: 'boolean', default: false },
  'allow-host': { type: 'string', multiple: true },
  'away-seconds': { type: 'string', default: '600' },
  'allow-http': { type: 'boolean', default: false },
} as const

/** Throws `UsageError` with what is wrong. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
  const values = parseValues(args)
  if (!values.url) throw new UsageError('--url is needed')
  return {
    url: requireHttps('--url', values.url, values['allow-http']),
    token: values.token ?? environment['ATRIUM_ENROLLMENT_TOKEN'],
    stateFolder: values.state,
    slots: number('--slots', values.slots, 50),
    browserPath: values.browser,
    hasSandbox: !values['no-sandbox'],
    allowsPrivateHosts: values['allow-private'],
    extraHosts: (values['allow-host'] ?? []).map(hostName),
    awaySecondsMax: number('--away-seconds', values['away-seconds'], 600),
    speechToText: speechToText(environment, values['allow-http']),
  }
}

function parseValues(args: string[]) {
  try {
    return parseArgs({ args, options: names, allowPositionals: false }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function number(name: string, text: string, max: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw new UsageError(`${name} must be a whole number from 1 to ${max}`)
  return value
}

/** The name becomes part of a rule for Chromium's resolver, whose rules are separated by commas. */
function hostName(text: string): string {
  if (!/^[a-z0-9.-]{1,253}$/i.test(text)) throw new UsageError(`--allow-host ${text} is not the name of a host`)
  return text.toLowerCase()
}

function requireHttps(name: string, text: string, mayBeHttp: boolean): string {
  const url = URL.parse(text)
  const isOwnMachine = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && (isOwnMachine || mayBeHttp)))
    return text.replace(/(?<!\/)\/+$/, '')
  throw new UsageError(
    `${name} ${text} must be an https address: what is said in meetings goes there. See --allow-http`,
  )
}

function speechToText(environment: NodeJS.ProcessEnv, mayBeHttp: boolean): SpeechToText | undefined {
  const baseUrl = environment['STT_BASE_URL']
  if (!baseUrl) return undefined
  return {
    baseUrl: requireHttps('STT_BASE_URL', baseUrl, mayBeHttp),
    apiKey: environment['STT_API_KEY'] || undefined,
    model: environment['STT_MODEL'] || 'whisper-1',
  }
}
