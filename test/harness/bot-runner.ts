// The bot runner as an operator starts it, and the browsers that it starts.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { changes } from './changes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type BotRunner = ReturnType<typeof startBotRunner>

export type BotRunnerOptions = {
  base: string
  token: string
  stateFolder: string
  environment?: Record<string, string>
  more?: string[]
}

export function startBotRunner({ base, token, stateFolder, environment = {}, more = [] }: BotRunnerOptions) {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(
    process.execPath,
    [join(root, 'runner/main.ts'), '--url', base, '--state', stateFolder, '--allow-private', ...sandbox, ...more],
    {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ATRIUM_ENROLLMENT_TOKEN: token, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const { changed, until } = changes()
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
      changed()
    })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    pid: child.pid as number,
    output: () => output,
    says: (message: string) => until(() => output.includes(message)),
    ended,
    end: (signal: NodeJS.Signals) => {
      if (isRunning(child)) child.kill(signal)
      return ended
    },
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

/** Those of `browserProcesses` that are Chromium itself, and not what watches it. */
export const chromiumProcesses = (stateFolder: string): number[] =>
  browserProcesses(stateFolder).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/exe`).includes('chrom')
    } catch {
      return false
    }
  })

/** Ids of the processes of browsers whose profiles are in this folder. */
export function browserProcesses(stateFolder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${stateFolder}/profiles/`)
      } catch {
        return false
      }
    })
}
