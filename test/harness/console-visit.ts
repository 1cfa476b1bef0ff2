import assert from 'node:assert/strict'
import { assertAccessible, assertFits, assertInCatalogs, type ConsolePage, setTextSize } from './console-page.ts'
import { takeHardStates, takePicture } from './console-pictures.ts'

/** Everything that is checked of a screen, in one visit: each reload of a page costs more than all checks. */
export async function visitScreen(
  { page, go, open }: ConsolePage,
  foreign: ConsolePage,
  address: string,
): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await go(address)
  assert.equal(await page.locator('.shell [role=alert]').count(), 0, `${address} shows a failure`)
  await takePicture(page, 'light', address)
  const requests = page.getByText('Show request')
  if ((await requests.count()) > 0) await requests.last().click()
  await assertAccessible(page, `${address}, light`)
  await assertFits(page, `${address} at 1280`)
  await setTextSize(page, 200)
  await takePicture(page, 'text at 200 %', address)
  await assertFits(page, `${address}, text at 200 %`)
  await setTextSize(page, 100)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await takePicture(page, 'dark and narrow', address)
  await assertAccessible(page, `${address}, dark and narrow`)
  await page.setViewportSize({ width: 320, height: 800 })
  await assertFits(page, `${address} at 320`)
  await visitForeign(foreign, address)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await takeHardStates(page, () => open(address), address)
}

/** In the language for tests: long words, from right to left, and each of them from a catalog. */
async function visitForeign(foreign: ConsolePage, address: string): Promise<void> {
  const { page, go } = foreign
  await page.setViewportSize({ width: 320, height: 800 })
  await go(address)
  assert.equal(await page.evaluate('document.dir'), 'rtl')
  await takePicture(page, 'right to left, long words and narrow', address)
  await assertFits(page, `${address} at 320, long words from right to left`)
  await assertInCatalogs(foreign, address)
  await page.setViewportSize({ width: 1280, height: 800 })
  await takePicture(page, 'right to left, long words', address)
}
