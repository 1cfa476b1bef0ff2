import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// What the service sends to browsers is built from `console` and `sdk` by `npm ci`, and by `npm start` where the sources have changed since.
// Nothing built is committed.

const root = fileURLToPath(new URL('..', import.meta.url))

/** Where the build puts what the service sends to browsers. */
export const builtFolder = `${root}dist/served`

/** Of everything that a build reads. The build writes it beside its files. */
export function sourceStamp(): string {
  const files = globSync(['console/**', 'sdk/{package.json,tsconfig.json,src/**}'], { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort()
  const hash = createHash('sha256')
  for (const file of [...files, `${root}package-lock.json`, `${root}scripts/build.ts`]) {
    hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Whether what is built is what the sources say. */
function isCurrent(): boolean {
  try {
    return readFileSync(`${builtFolder}/stamp`, 'utf8') === sourceStamp()
  } catch {
    return false
  }
}

/** What is only for development is not after `npm ci --omit=dev`. */
export function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}

/** In a process of its own, whose memory ends with it. A failure is shown and does not keep the service from starting. */
export function buildChangedFiles(write: (text: string) => void): void {
  // Without the packages, `/console` says which command is missing.
  if (isCurrent() || !isInstalled('vite')) return
  write('Building the console: its sources have changed.\n')
  spawnSync(process.execPath, ['scripts/node24.js', 'scripts/build.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
