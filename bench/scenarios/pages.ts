import { type Browser, chromium } from 'playwright-core'
import { buildChangedFiles } from '../../src/built-files.ts'
import { browserPath, launchOptions } from '../../test/harness/browser.ts'
import { adminKey, startService } from '../ground/service.ts'
import type { Figure } from '../outcome.ts'
import type { Scenario } from '../plan.ts'
import { type Program, startProgram } from '../program.ts'
import { medianRatio } from '../statistics.ts'

/** A page in a browser that has never seen it. `shown` is what it must show. */
type Opened = { url: string; shown: string; cookies: Cookies }
type Cookies = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['cookies']>>

export const pages: Scenario = {
  name: 'pages',
  about:
    'From nothing until the console can be used, in Chromium, beside a page of React that asks once and shows the rows.',
  isOptional: true,
  run: async ({ rounds, empty }) => {
    if (browserPath === undefined) throw new Error('No Chromium is installed.')
    buildChangedFiles((text) => process.stderr.write(text))
    const programs: Program[] = []
    const browser = await chromium.launch({ executablePath: browserPath, args: launchOptions })
    try {
      const service = await startService(await empty('embedded'))
      programs.push(service)
      const floor = await startProgram({ args: ['bench/floors/bare-react.ts'], environment: {} })
      programs.push(floor)
      const cookies = await signIn(browser, service.base)
      const subjects = {
        bare: { url: floor.base, shown: 'tbody tr', cookies: [] },
        signIn: { url: `${service.base}/console`, shown: '#admin-key', cookies: [] },
        home: { url: `${service.base}/console`, shown: '.shell h1', cookies },
      } satisfies Record<string, Opened>
      const names = Object.keys(subjects) as (keyof typeof subjects)[]
      const seen: Record<string, number[]> = {}
      for (let round = -1; round < rounds; round += 1) {
        for (const name of names) {
          const ms = await shownAfterMs(browser, subjects[name])
          // The first round compiles and fills caches of the servers.
          if (round >= 0) seen[name] = [...(seen[name] ?? []), ms]
        }
      }
      const figure = (what: string, name: string, atMost: number): Figure => {
        const { ratio, rounds } = medianRatio(seen[name] ?? [], seen['bare'] ?? [])
        return { what, value: ratio, unit: '', rounds, limit: { atMost } }
      }
      const time = (what: string, name: string): Figure => {
        const times = seen[name] ?? []
        return {
          what,
          value: times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN,
          unit: 'ms',
          rounds: times,
          limit: null,
        }
      }
      return {
        rows: [],
        figures: [
          time('a bare page: its first row', 'bare'),
          time('sign-in: its field', 'signIn'),
          time('Home: its heading', 'home'),
          figure('sign-in / a bare page', 'signIn', 1),
          figure('Home / a bare page', 'home', 2),
        ],
      }
    } finally {
      await browser.close()
      for (const program of programs) await program.stop()
    }
  },
}

async function signIn(browser: Browser, base: string): Promise<Cookies> {
  const context = await browser.newContext()
  const headers = { 'x-atrium-door': '1', 'sec-fetch-site': 'same-origin' }
  const answer = await context.request.post(`${base}/console/session`, { headers, data: { adminKey } })
  if (answer.status() !== 201) throw new Error(`Signing in answered ${answer.status()}`)
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

/** Told by the page itself, from the beginning of its navigation. */
async function shownAfterMs(browser: Browser, { url, shown, cookies }: Opened): Promise<number> {
  const context = await browser.newContext()
  await context.addCookies(cookies)
  const page = await context.newPage()
  await page.addInitScript(`(() => {
    const look = () => {
      if (document.querySelector(${JSON.stringify(shown)})?.checkVisibility()) window.shownAtMs = performance.now()
      else requestAnimationFrame(look)
    }
    look()
  })()`)
  await page.goto(url)
  await page.locator(shown).first().waitFor()
  const ms = (await page.evaluate('new Promise((tell) => setTimeout(() => tell(window.shownAtMs), 50))')) as number
  await context.close()
  return ms
}
