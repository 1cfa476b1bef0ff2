// Pictures of every screen, for people to look at: `ATRIUM_PICTURES=/tmp/pictures npm test -- pglite test/journeys/console.test.ts`
// writes contact sheets into that folder, and the pictures of the documents into `docs/pictures`. Without it no picture is taken.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'

const folder = process.env['ATRIUM_PICTURES']
export const arePicturesTaken = folder !== undefined
const documentFolder = fileURLToPath(new URL('../../docs/pictures', import.meta.url))

type Picture = { sheet: string; title: string; data: string }
const taken: Picture[] = []

/** For the contact sheet `sheet`, such as `dark and narrow`. */
export async function takePicture(page: Page, sheet: string, title: string): Promise<void> {
  if (!arePicturesTaken) return
  taken.push({ sheet, title, data: (await pictureOf(page, 70)).toString('base64') })
}

// In the page. No picture of the documents shows a key that is one.
const hideKeys = `{
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace(/atr_\\w{20,}/g, 'atr_EXAMPLEexampleEXAMPLEexampleEX')
}`

/** For a page of `docs`. */
export async function takeDocumentPicture(page: Page, name: string): Promise<void> {
  if (!arePicturesTaken) return
  await page.evaluate(hideKeys)
  mkdirSync(documentFolder, { recursive: true })
  writeFileSync(join(documentFolder, `${name}.webp`), await pictureOf(page, 82))
}

async function pictureOf(page: Page, quality: number): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
  await session.detach()
  return Buffer.from(data, 'base64')
}

/** A screen where everything fails, and where there is nothing: what people see on bad days and on the first one. */
export async function takeHardStates(page: Page, go: () => Promise<void>, title: string): Promise<void> {
  if (!arePicturesTaken) return
  const api = '**/console/api/**'
  const unavailable = { status: 503, contentType: 'application/json', body: '{"code":"UNAVAILABLE","status":503}' }
  await page.route(api, (route) => route.fulfill(unavailable))
  await go()
  await takePicture(page, 'failing', title)
  await page.unroute(api)
  await page.route(api, async (route) => {
    const response = await route.fetch()
    const answer = await response.json().catch(() => null)
    if (answer?.pagination === undefined) return route.fulfill({ response })
    const lists = Object.keys(answer).filter((name) => Array.isArray(answer[name]))
    const emptied = Object.fromEntries(lists.map((name) => [name, []]))
    return route.fulfill({
      response,
      json: { ...answer, ...emptied, pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } },
    })
  })
  await go()
  await takePicture(page, 'empty', title)
  await page.unroute(api)
}

/** Lays out all pictures, twelve wide ones or sixteen narrow ones on a sheet. */
export async function writeContactSheets(browser: Browser): Promise<void> {
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  const page = await browser.newPage({ viewport: { width: 1920, height: 1000 } })
  for (const [sheet, pictures] of Map.groupBy(taken, ({ sheet }) => sheet)) {
    const [columns, rows] = sheet.includes('narrow') ? [8, 2] : [3, 4]
    for (let first = 0, number = 1; first < pictures.length; first += columns * rows, number += 1) {
      const figures = pictures
        .slice(first, first + columns * rows)
        .map(
          ({ title, data }) =>
            `<figure><figcaption>${title}</figcaption><img src="data:image/webp;base64,${data}"></figure>`,
        )
      await page.setContent(`<style>
        body { margin: 8px; display: grid; grid-template-columns: repeat(${columns}, 1fr); gap: 8px; background: #888; font: 13px sans-serif }
        figure { margin: 0 } img { width: 100%; display: block }
      </style>${figures.join('')}`)
      await page.screenshot({
        path: join(folder, `${sheet.replaceAll(/[^a-z0-9]+/g, '-')}-${number}.png`),
        fullPage: true,
      })
    }
  }
  await page.close()
}
