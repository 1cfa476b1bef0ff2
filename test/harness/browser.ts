import { existsSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

/** Without a compositor and sound, which pages do not need: it takes a third less of a processor. */
const pageBrowserPath = ['/usr/bin/chromium-headless-shell'].find(existsSync) ?? browserPath

export const launchOptions = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** A browser that ends with the test. Null where none is installed: the test is skipped, and `what` was not tested. */
export async function testBrowser(t: TestContext, what: string): Promise<Browser | null> {
  if (pageBrowserPath === undefined) {
    process.stderr.write(`NOT TESTED: ${what}. No Chromium is installed (Debian: apt-get install chromium).\n`)
    t.skip('no Chromium is installed')
    return null
  }
  const browser = await chromium.launch({ executablePath: pageBrowserPath, args: launchOptions })
  t.after(() => browser.close())
  return browser
}
