import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { receiver } from './receiver.ts'

export type ConsolePage = {
  page: Page
  context: BrowserContext
  /** Loads the page at a screen, such as `/tenants`, and waits until it shows its answers. */
  open(path: string): Promise<void>
  /** The same without loading the page again, as a link in it does. That takes a fraction of the time. */
  go(path: string): Promise<void>
  signIn(adminKey: string): Promise<void>
  /** All texts in what the service answered. */
  answered(): Promise<string[]>
  /** What the page did that it must not do: violations of its policy, errors, requests elsewhere. */
  faults(): string[]
}

/** Refused requests of a page that is not signed in yet, and those that a test provokes, are logged by browsers themselves. */
const refusedRequest = /Failed to load resource: the server responded with a status of (400|401|403|404|409|429|503)/

/** A page of the console in a browser of its own, under its exact policy. `ar-XB` is the language for tests. */
export async function consolePage(
  browser: Browser,
  base: string,
  { language }: { language?: 'ar-XB' } = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  if (language) await context.addInitScript(`localStorage.setItem('atrium-language', '${language}')`)
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const answers: Promise<unknown>[] = []
  page.on('response', (response) => {
    const isJson = response.headers()['content-type']?.includes('json')
    if (language && isJson) answers.push(response.json().catch(() => null))
  })
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !refusedRequest.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    const isOwn = [base, 'blob:', 'data:'].some((start) => request.url().startsWith(start))
    if (!isOwn) faults.push(`asked ${request.url()}`)
    const referer = request.allHeaders().then((headers) => headers['referer'])
    // A request that was cut off has no headers.
    referer.then((address) => address && faults.push(`said where it was: ${address}`)).catch(() => undefined)
  })
  const addressOf = (path: string) => `/console${path === '/' ? '' : path}`
  const shown = async () => {
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
    await page.locator('.shell h1').waitFor()
  }
  const open = async (path: string) => {
    await page.goto(base + addressOf(path))
    await page.locator('.shell h1').waitFor()
    await shown()
  }
  const go = async (path: string) => {
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(addressOf(path))}); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await shown()
  }
  return {
    page,
    context,
    open,
    go,
    signIn: async (adminKey) => {
      await page.goto(`${base}/console`)
      await page.fill('#admin-key', adminKey)
      await page.press('#admin-key', 'Enter')
      await page.locator('.shell h1').waitFor()
    },
    answered: async () => (await Promise.all(answers)).flatMap(textsIn),
    faults: () => faults,
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] }

/** Fails with what axe finds on the page as it is now. Run by the debugger, because the policy of the page forbids the script. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const evaluate = async (expression: string) => {
    const answer = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    assert.equal(answer.exceptionDetails, undefined, JSON.stringify(answer.exceptionDetails))
    return answer.result.value as unknown
  }
  // Reading its source takes longer than running it.
  if (!(await evaluate('typeof axe === "object"'))) await evaluate(`${axe.source}; 0`)
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] })
  const violations = await evaluate(`axe.run(document, ${options}).then(({ violations }) => violations)`)
  await session.detach()
  const found = (violations as Violation[]).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  )
  assert.deepEqual(found, [], what)
}

/** Nothing has to be scrolled sideways, and no text is cut off. */
export async function assertFits(page: Page, what: string): Promise<void> {
  const faults = await page.evaluate(`(() => {
    const outline = (it) => it.outerHTML.slice(0, 150)
    const all = [...document.querySelectorAll('body *')]
    const isWide = document.documentElement.scrollWidth > innerWidth
    const sticking = all.filter((it) => isWide && !it.closest('thead') && (it.getBoundingClientRect().right > innerWidth || it.getBoundingClientRect().left < 0))
    const cut = all.filter((it) => {
      if (it.matches('input, select, textarea')) return false
      const { overflowX, clipPath } = getComputedStyle(it)
      return ['hidden', 'clip'].includes(overflowX) && clipPath === 'none' && it.clientWidth > 0 && it.scrollWidth > it.clientWidth + 1
    })
    return [...sticking.slice(-3).map((it) => 'too wide: ' + outline(it)), ...cut.slice(0, 3).map((it) => 'cut off: ' + outline(it))]
  })()`)
  assert.deepEqual(faults, [], what)
}

/** Texts at twice their size, as somebody sets them who does not see well. */
export async function setTextSize(page: Page, percent: number): Promise<void> {
  await page.evaluate(`document.documentElement.style.fontSize = '${percent}%'`)
}

/**
 * Fails with the words that bypass the catalogs of the console: in the language for tests each letter of theirs has an
 * accent. What the service answered is data, as are times and code.
 */
export async function assertInCatalogs({ page, answered }: ConsolePage, what: string): Promise<void> {
  const plain = (await page.evaluate(`(() => {
    const isData = (it) => it.closest('pre, code, kbd, time, svg, .mono, .changes dt, .shell-brand')
    const isPlain = (text) => /[a-z](?!\\u0301)/i.test(text)
    const found = []
    const walker = document.createTreeWalker(document.querySelector('.shell'), NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { nodeValue, parentElement } = walker.currentNode
      if (isPlain(nodeValue) && !isData(parentElement)) found.push(nodeValue.trim())
    }
    for (const name of ['title', 'placeholder', 'alt', 'aria-label', 'aria-description'])
      for (const it of document.querySelectorAll('.shell [' + name + ']'))
        if (isPlain(it.getAttribute(name)) && !isData(it)) found.push(it.getAttribute(name))
    return found
  })()`)) as string[]
  const data = new Set([...units, ...(await answered()).map((text) => text.replaceAll('`', ''))])
  const byLetter = Map.groupBy(data, (value) => value.charAt(0))
  // Several values may stand in one text, such as `vault-vpn, editing-sdk` and `fra-1 (eu)`.
  const isData = (text: string): boolean => {
    const rest = text.replace(/^[\s,:;()….]+/, '')
    if (!/[a-z]/i.test(rest)) return true
    const [number = ''] = /^[\d.,]+/.exec(rest) ?? []
    const starts = [...(byLetter.get(rest.charAt(0)) ?? []), number]
    return starts.some((value) => isWhole(value, rest) && isData(rest.slice(value.length)))
  }
  assert.deepEqual(
    plain.filter((text) => !isData(text)),
    [],
    `${what}: words that are in no catalog`,
  )
}

/** Of sizes. */
const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** Whether the text begins with the value, and no part of a word is left behind it. */
const isWhole = (value: string, text: string) =>
  value !== '' && text.startsWith(value) && !/^[a-z]/i.test(text.slice(value.length))

/** Presses Tab until `target` has the focus, which must be on something and be seen at every step. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let step = 0; step < 80; step += 1) {
    if (await target.evaluate((it) => it === it.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
    const lost = await page.evaluate(`(() => {
      const it = document.activeElement
      if (!it || it === document.body) return 'nothing has the focus'
      const { outlineStyle, outlineWidth } = getComputedStyle(it)
      return outlineStyle === 'none' || outlineWidth === '0px' ? 'the focus is not seen on ' + it.outerHTML.slice(0, 150) : null
    })()`)
    // Behind the last element the browser's own bar is next.
    if (lost !== 'nothing has the focus') assert.equal(lost, null)
  }
  assert.fail(`Tab does not reach ${target}`)
}

/** Fails if the page still has one of these texts: shown, stored, in an address it has had, or anywhere in its memory. */
export async function assertForgotten(page: Page, secrets: Record<string, string>): Promise<void> {
  const kept =
    (await page.evaluate(`[document.documentElement.outerHTML, JSON.stringify(localStorage), JSON.stringify(sessionStorage),
    document.cookie, JSON.stringify(history.state), ...navigation.entries().map(({ url }) => url),
    ...performance.getEntries().map(({ name }) => name)].join(' ')`)) as string
  const session = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  const memory = chunks.join('')
  assert.ok(memory.includes('getPlatformOverview'), 'the snapshot holds the texts of the page')
  for (const [name, secret] of Object.entries(secrets)) {
    assert.ok(secret.length > 20 && !kept.includes(secret), `the ${name} is on the page or in what it stores`)
    assert.ok(!memory.includes(secret), `the ${name} is in the memory of the page`)
  }
}

/** What another site is told of a page of the console by a link to it: the address in its `Referer`, or nothing. */
export async function refererOf(page: Page): Promise<string | undefined> {
  const site = await receiver()
  // The page stays where it is.
  const other = await page.context().newPage()
  await other.goto(page.url())
  await Promise.all([other.evaluate(`location.href = '${site.url}'`), site.until(() => site.heard.length > 0)])
  await other.close()
  await site.close()
  return site.heard[0]?.headers.referer
}

/** What the page has loaded since it was opened, as it was sent: compressed. */
export async function loaded(page: Page, kind: 'js' | 'css'): Promise<{ files: number; bytes: number }> {
  const resources = (await page.evaluate(
    'performance.getEntriesByType("resource").map(({ name, encodedBodySize }) => [name, encodedBodySize])',
  )) as [name: string, bytes: number][]
  const sizes = resources.flatMap(([name, bytes]) => (name.endsWith(`.${kind}`) ? [bytes] : []))
  return { files: sizes.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) }
}
