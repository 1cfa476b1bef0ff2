import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'

export type ConsolePage = {
  page: Page
  context: BrowserContext
  /** Opens a screen, such as `/tenants`, and waits until it shows its answers. */
  open(path: string): Promise<void>
  signIn(adminKey: string): Promise<void>
  /** What the page did that it must not do: violations of its policy, errors, requests elsewhere. */
  faults(): string[]
}

/** Refused requests of a page that is not signed in yet, and those that a test provokes, are logged by browsers themselves. */
const refusedRequest = /Failed to load resource: the server responded with a status of (400|401|403|404|409|429|503)/

/** A page of the console in a browser of its own, under its exact policy. */
export async function consolePage(browser: Browser, base: string): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !refusedRequest.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    const isOwn = [base, 'blob:', 'data:'].some((start) => request.url().startsWith(start))
    if (!isOwn) faults.push(`asked ${request.url()}`)
  })
  const open = async (path: string) => {
    await page.goto(`${base}/console${path === '/' ? '' : path}`)
    await page.locator('.shell h1').waitFor()
    await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'detached' })
  }
  return {
    page,
    context,
    open,
    signIn: async (adminKey) => {
      await page.goto(`${base}/console`)
      await page.fill('#admin-key', adminKey)
      await page.press('#admin-key', 'Enter')
      await page.locator('.shell h1').waitFor()
    },
    faults: () => faults,
  }
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] }

/** Fails with what axe finds on the page as it is now. Run by the debugger, because the policy of the page forbids the script. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const run = `${axe.source}; axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations)`
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: run,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails))
  const found = (result.value as Violation[]).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  )
  assert.deepEqual(found, [], what)
}

/** No text is cut off and nothing has to be scrolled sideways. */
export async function assertFits(page: Page, what: string): Promise<void> {
  const sticking = await page.evaluate(`document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll('body *')].filter((it) => it.getBoundingClientRect().right > innerWidth)
      .map((it) => it.outerHTML.slice(0, 150)).slice(-3)`)
  assert.deepEqual(sticking, [], `${what} is too wide`)
}

/** What the page has loaded since it was opened, as it was sent: compressed. */
export async function loadedBytes(page: Page, kind: 'js' | 'css'): Promise<number> {
  const resources = (await page.evaluate(
    'performance.getEntriesByType("resource").map(({ name, encodedBodySize }) => [name, encodedBodySize])',
  )) as [name: string, bytes: number][]
  return resources.filter(([name]) => name.endsWith(`.${kind}`)).reduce((sum, [, bytes]) => sum + bytes, 0)
}
