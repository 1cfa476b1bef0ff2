export const devices = ['desktop', 'mobile', 'tablet', 'api', 'bot'] as const
export type Device = (typeof devices)[number]

/** The sender of a request, according to its `User-Agent`. */
export type UserAgent = { device: Device; family: string }

/** Programs that people run themselves are not crawlers: they are counted like people. */
const programs =
  /^(?:curl|wget|httpie|python|node|undici|axios|got|okhttp|go-http-client|java|apache-httpclient|postmanruntime|insomnia|ruby|php|guzzle|dart|ktor|libcurl|deno|bun|atrium)\b/i
const tablets = /ipad|tablet|kindle|silk|playbook|android(?!.*mobile)/i
const phones = /mobi|iphone|ipod|android|phone/i

/** The order matters: each browser also names those below it. */
const families: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

/** @param isBot checks the text against a list of robots. */
export function parseUserAgent(text: string, isBot: (text: string) => boolean): UserAgent {
  const device = detectDevice(text, isBot)
  return { device, family: device === 'api' || device === 'bot' ? detectProgram(text) : detectBrowser(text) }
}

function detectDevice(text: string, isBot: (text: string) => boolean): Device {
  if (text === '' || programs.test(text)) return 'api'
  if (isBot(text)) return 'bot'
  if (!/mozilla|opera/i.test(text)) return 'api'
  if (tablets.test(text)) return 'tablet'
  return phones.test(text) ? 'mobile' : 'desktop'
}

function detectBrowser(text: string): string {
  return families.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
}

/** `curl/8.5.0` is curl. A robot that calls itself Mozilla gives its name after `compatible`. */
function detectProgram(text: string): string {
  const name = /compatible; ([A-Za-z][\w.-]{1,30})/.exec(text)?.[1] ?? /^([A-Za-z][\w.-]{1,30})/.exec(text)?.[1]
  return name === undefined || name === 'Mozilla' ? 'other' : name
}
