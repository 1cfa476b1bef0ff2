import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

// Not in the system's temporary folder, where another user could place code, and from where old files are deleted.
const cacheFolder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'atrium-tools')
const files = ['package.json', 'package-lock.json']

type ToolName = 'biome' | 'openapi' | 'clients'

export const redocly = {
  program: '@redocly/cli/bin/cli.js',
  // It would ask the registry whether there is a newer one.
  env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
}

/**
 * The folder with the packages of `scripts/tools/<name>`: checks need them, but they are too large for every checkout. The
 * first call installs them by their lock; a changed lock gets a new folder. Rejects if they cannot be installed, for
 * example without a network.
 */
export async function toolPackages(name: ToolName): Promise<string> {
  const source = new URL(`tools/${name}/`, import.meta.url)
  const lock = await readFile(new URL('package-lock.json', source))
  const folder = join(cacheFolder, `${name}-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`)
  if (existsSync(folder)) return folder
  await mkdir(cacheFolder, { recursive: true })
  const staging = await mkdtemp(join(cacheFolder, 'new-'))
  try {
    await Promise.all(files.map((file) => copyFile(new URL(file, source), join(staging, file))))
    await install(staging)
    // In one step, so that a folder of this name is always whole.
    await rename(staging, folder)
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  return folder
}

/** The same, or null with a line that says what is left out. In CI that is an error. */
export async function toolPackagesOrNull(name: ToolName, leftOut: string): Promise<string | null> {
  try {
    return await toolPackages(name)
  } catch (error) {
    if (process.env['CI']) throw error
    process.stderr.write(`${leftOut} The packages cannot be installed: ${String(error)}\n`)
    return null
  }
}

async function install(folder: string): Promise<void> {
  const command = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1']
  // npm tells its own path to the scripts that it runs.
  const npm = process.env['npm_execpath']
  const [program, args] = npm === undefined ? ['npm', command] : [process.execPath, [npm, ...command]]
  await promisify(execFile)(program, args, { cwd: folder })
}
