import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { type AllowedHosts, hostResolverRules } from './host-rules.ts'

const guard = fileURLToPath(new URL('guard.sh', import.meta.url))
const systemPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** How long an orderly end may take before the group is killed. */
const closeMs = 3_000
const launchMs = 60_000

export type Browser = {
  page: Page
  /** Ends it and all its processes; its profile is deleted. Never rejects. */
  close(): Promise<void>
}

export type LaunchOptions = { path: string; hasSandbox: boolean; profile: string; hosts: AllowedHosts }

export function findChromium(wanted: string | undefined): string {
  const found = wanted ?? systemPaths.find((path) => existsSync(path))
  if (found !== undefined && existsSync(found)) return found
  throw new Error(
    `${wanted ?? 'Chromium'} is not installed. Debian: apt-get install chromium. Or name one: --browser PATH`,
  )
}

/**
 * Chromium as it is: it says that it is headless and driven by a program, and no input is imitated. It gets no camera and
 * no microphone, so that it can only listen.
 */
export async function launchBrowser({ path, hasSandbox, profile, hosts }: LaunchOptions): Promise<Browser> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: guard,
    // Playwright puts its arguments behind these.
    args: [
      `--host-resolver-rules=${hostResolverRules(hosts)}`,
      // The browser plays what it hears to nobody, and no click comes before a participant speaks.
      '--autoplay-policy=no-user-gesture-required',
      '--mute-audio',
      '--disable-gpu',
      '--disable-quic',
    ],
    env: { ...process.env, ATRIUM_RUNNER_PID: String(process.pid), ATRIUM_PROFILE: profile, ATRIUM_BROWSER: path },
    chromiumSandbox: hasSandbox,
    timeout: launchMs,
    acceptDownloads: false,
    permissions: [],
    // The words of the controls are English, as the tables of selectors expect.
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
  })
  const page = context.pages()[0] ?? (await context.newPage())
  context.on('page', (other) => void other.close().catch(() => undefined))
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
  return { page, close: () => closeContext(context) }
}

async function closeContext(context: BrowserContext): Promise<void> {
  const closed = context.close().catch(() => undefined)
  const late = new Promise((resolve) => setTimeout(resolve, closeMs).unref())
  await Promise.race([closed, late])
}
