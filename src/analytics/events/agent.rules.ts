export const devices = ['desktop', 'mobile', 'tablet', 'api', 'bot'] as const
export type Device = (typeof devices)[number]

/** What a `User-Agent` says of its sender. */
export type Agent = { device: Device; family: string }

/** Programs that somebody runs for himself are no robots that wander about: they are counted as people are. */
const programs =
  /^(?:curl|wget|httpie|python|node|undici|axios|got|okhttp|go-http-client|java|apache-httpclient|postmanruntime|insomnia|ruby|php|guzzle|dart|ktor|libcurl|deno|bun|atrium)\b/i
const tablets = /ipad|tablet|kindle|silk|playbook|android(?!.*mobile)/i
const phones = /mobi|iphone|ipod|android|phone/i

/** In this order: each names itself after those that stand below it. */
const families: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

/** @param isBot what a list of robots says of the text. */
export function agentOf(text: string, isBot: (text: string) => boolean): Agent {
  const device = deviceOf(text, isBot)
  return { device, family: device === 'api' || device === 'bot' ? programOf(text) : browserOf(text) }
}

function deviceOf(text: string, isBot: (text: string) => boolean): Device {
  if (text === '' || programs.test(text)) return 'api'
  if (isBot(text)) return 'bot'
  if (!/mozilla|opera/i.test(text)) return 'api'
  if (tablets.test(text)) return 'tablet'
  return phones.test(text) ? 'mobile' : 'desktop'
}

function browserOf(text: string): string {
  return families.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
}

/** `curl/8.5.0` is curl; a robot that calls itself Mozilla is named where it says `compatible`. */
function programOf(text: string): string {
  const name = /compatible; ([A-Za-z][\w.-]{1,30})/.exec(text)?.[1] ?? /^([A-Za-z][\w.-]{1,30})/.exec(text)?.[1]
  return name === undefined || name === 'Mozilla' ? 'other' : name
}
