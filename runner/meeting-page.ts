import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Page } from 'playwright-core'
import { type Browser, launchBrowser } from './browser/browser.ts'
import { isPublicAddress } from './browser/public-address.ts'
import type { Sight, Surface } from './surfaces/surface.ts'

const script = (name: string) => readFileSync(new URL(`in-page/${name}`, import.meta.url), 'utf8')
const [watchScript, listenScript] = [script('watch.js'), script('listen.js')]

const loadMs = 45_000
const actionMs = 5_000

/** A piece of what one participant said: 16-bit samples at 16 kHz in base64. */
export type SpokenPiece = { speaker: string; samples: string; seconds: number }

/** A meeting in a browser: what the page shows, and what a visitor can do there. */
export type MeetingPage = {
  open(link: string): Promise<void>
  join(name: string): Promise<void>
  /** False where the page has no chat, or does not show what was written. */
  say(text: string): Promise<boolean>
  openChat(): Promise<void>
  showCaptions(): Promise<void>
  listen(onPiece: (piece: SpokenPiece) => void): Promise<void>
  leave(): Promise<void>
  screenshot(): Promise<Uint8Array>
  /** The texts of buttons and fields, without those of the people and without anything that was said. */
  controls(): Promise<string[]>
  close(): Promise<void>
}

export type PageDeps = {
  surface: Surface
  browserPath: string
  hasSandbox: boolean
  profile: string
  extraHosts: string[]
  allowsPrivateHosts: boolean
  onSight: (sight: Sight) => void
  onGone: (message: string) => void
}

export async function openMeetingPage(link: string, deps: PageDeps): Promise<MeetingPage> {
  const { surface, browserPath: path, hasSandbox, profile, extraHosts } = deps
  const { hostname } = new URL(link)
  const address = await checkedAddress(hostname.replace(/^\[|\]$/g, ''), deps.allowsPrivateHosts)
  const browser = await launchBrowser({ path, hasSandbox, profile, hosts: { host: hostname, address, extraHosts } })
  const { page } = browser
  page.setDefaultTimeout(actionMs)
  page.on('crash', () => deps.onGone('The page crashed'))
  page.on('close', () => deps.onGone('The page has been closed'))
  await page.exposeFunction('atriumSight', deps.onSight)
  await page.addInitScript(
    `if (window === top) { ${watchScript}; addEventListener('DOMContentLoaded', () => atriumWatch(${JSON.stringify(surface)}, window.atriumSight)) }`,
  )
  return meetingPage(browser, surface)
}

/** The address is pinned in the browser, so that the name cannot lead elsewhere afterwards. */
async function checkedAddress(host: string, allowsPrivate: boolean): Promise<string> {
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address)
  const found = addresses.find((address) => allowsPrivate || isPublicAddress(address))
  if (found === undefined || (!allowsPrivate && !addresses.every(isPublicAddress)))
    throw new Error('The link leads to what is not a public address. See --allow-private')
  return found
}

function meetingPage({ page, close }: Browser, surface: Surface): MeetingPage {
  const isThere = (selector: string) => page.locator(selector).first().isVisible()
  const openChat = async () => {
    if (await isThere(surface.chat.open)) await page.locator(surface.chat.open).first().click()
  }
  return {
    open: async (link) => {
      await page.goto(surface.prepareLink(link), { timeout: loadMs, waitUntil: 'domcontentloaded' })
    },
    join: async (name) => {
      const field = page.locator(surface.name).first()
      if (await field.isVisible()) await field.fill(name)
      await page.locator(surface.join).first().click()
    },
    openChat,
    say: async (text) => {
      try {
        await openChat()
        const own = page.locator(surface.chat.message.item).filter({ hasText: text })
        const before = await own.count()
        const input = page.locator(surface.chat.input).first()
        await input.fill(text)
        if (surface.chat.send) await page.locator(surface.chat.send).first().click()
        else await input.press('Enter')
        await own.nth(before).waitFor({ state: 'attached' })
        return true
      } catch {
        return false
      }
    },
    showCaptions: async () => {
      const button = page.locator(surface.captions.turnOn).first()
      if (await button.isVisible()) await button.click()
    },
    listen: (onPiece) => listen(page, surface, onPiece),
    leave: async () => {
      await page.locator(surface.leave).first().click({ timeout: 2_000 })
    },
    screenshot: () => page.screenshot({ type: 'png' }),
    controls: () => page.evaluate(controlTexts(surface)),
    close,
  }
}

async function listen(page: Page, surface: Surface, onPiece: (piece: SpokenPiece) => void): Promise<void> {
  await page.exposeFunction('atriumPiece', onPiece)
  await page.evaluate(`${listenScript}; atriumListen(${JSON.stringify(surface)}, window.atriumPiece)`)
}

/** An expression for the page. Names of people become `[name]`: a label such as "Mute Ada" is about somebody. */
function controlTexts(surface: Surface): string {
  const { tile, name } = surface.people
  return `(() => {
    const names = [...document.querySelectorAll(${JSON.stringify(`${tile} ${name}`)})].map((it) => it.textContent.trim()).filter(Boolean)
    const text = (it) => (it.getAttribute('aria-label') || it.placeholder || it.textContent || '').replace(/\\s+/g, ' ').trim()
    const masked = (words) => names.reduce((left, one) => left.replaceAll(one, '[name]'), words)
    return [...document.querySelectorAll('button, [role=button], input, textarea')]
      .filter((it) => it.checkVisibility()).map((it) => masked(text(it)).slice(0, 60)).filter(Boolean).slice(0, 200)
  })()`
}
