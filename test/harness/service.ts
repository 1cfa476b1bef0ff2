import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { changes } from './changes.ts'
import { watchOutput } from './suite-secrets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Service = {
  base: string
  /** All that the process has printed so far. */
  output(): string
  /** Resolves once the process has printed this. */
  says(message: string): Promise<void>
  /** Sends the signal and waits until the process is gone. */
  stop(signal: NodeJS.Signals): Promise<number | null>
  pid: number
}

/** The service as an operator starts it: a process of its own, on a free port. Rejects with its output when it does not start. */
export async function startService(environment: Record<string, string>): Promise<Service> {
  const child = spawn(process.execPath, ['scripts/node24.js', 'src/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], PORT: '0', LOG_SAMPLE: '10', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { changed, until } = changes()
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
    changed()
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
    changed()
  })
  watchOutput('a service', () => output)
  const base = await address(child, () => output)
  let isStopping = false
  // Callers see only that a connection was closed.
  child.once('exit', (code) => {
    if (code !== null && !isStopping) console.error(`A service ended by itself with ${code}:\n${output.slice(-2000)}`)
  })
  return {
    base,
    output: () => output,
    says: (message) => until(() => output.includes(message)),
    pid: child.pid as number,
    stop: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      isStopping = true
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
      return child.exitCode
    },
  }
}

async function address(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = /listens on (http:\S+)/.exec(output())
      // The last line of the greeting tells that all of it is there.
      if (found && /database {2}/.test(output())) resolve(found[1] as string)
    }
    child.stdout?.on('data', look)
    child.on('exit', (code) => reject(new Error(`The service ended with ${code}:\n${output()}`)))
  })
}

const folders: string[] = []

/** A folder for one test file: it is removed behind its tests, at the latest with this process. */
export async function temporaryFolder(): Promise<string> {
  const folder = await folderOfProcess()
  folders.push(folder)
  return folder
}

/** Removes what the tests of a file have left. The services that wrote there are stopped. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) removeFolder(folder)
}

const keptFolders: string[] = []

/** A folder that is removed when this process ends. */
export async function folderOfProcess(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-test-'))
  if (keptFolders.push(folder) === 1) process.once('exit', () => keptFolders.forEach(removeFolder))
  return folder
}

function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
