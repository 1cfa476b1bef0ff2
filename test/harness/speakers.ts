import { chromium } from 'playwright-core'
import type { MeetingServer } from '../meeting-page/server.ts'

const options = [
  '--no-sandbox',
  '--disable-gpu',
  '--autoplay-policy=no-user-gesture-required',
  // Only so do two browsers of one machine find each other without a network.
  '--disable-features=WebRtcHideLocalIpsWithMdns',
  '--allow-loopback-in-peer-connection',
]

/** People in a meeting, each in a page of one browser. The first of them is the host. */
export async function startSpeakers(executablePath: string, server: MeetingServer, roomName: string, names: string[]) {
  const browser = await chromium.launch({ executablePath, args: options })
  const context = await browser.newContext()
  const pages = await Promise.all(names.map(() => context.newPage()))
  for (const [index, page] of pages.entries()) {
    const query = new URLSearchParams({ name: names[index] ?? '', ...(index === 0 ? { host: '' } : {}) })
    await page.goto(`${server.link(roomName)}?${query}`)
  }
  await server.until(() => server.room(roomName).names().length === names.length)
  const [host] = pages
  if (!host) throw new Error('A meeting needs a host')
  return { host, close: () => browser.close() }
}

/** Each line said by its speaker, one after another. */
export async function converse(server: MeetingServer, roomName: string, lines: [name: string, text: string][]) {
  for (const [name, text] of lines) await server.room(roomName).speak(name, text)
}
