import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A server under measurement: the service itself or a floor, always a process of its own. */
export type Program = {
  host: string
  port: number
  base: string
  pid: number
  /** From the start of the process until it listened. */
  startMs: number
  /** A word to a program that was started with `isHeard`, and what it says back to one. */
  tell(word: string): void
  answerTo(word: string): Promise<unknown>
  stop(): Promise<void>
}

export type Start = { args: string[]; environment: Record<string, string>; isHeard?: true }

const root = fileURLToPath(new URL('..', import.meta.url))

/** Starts a program that prints `listens on http://host:port`. Rejects with its output when it ends before. */
export async function startProgram({ args, environment, isHeard }: Start): Promise<Program> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', isHeard ? 'ipc' : 'ignore'],
  })
  // A bench that fails must not leave servers behind.
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  child.stderr?.pipe(process.stderr)
  let greeting = ''
  const base = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      // Read on to the end, as a supervisor would: a full pipe would stop the program's log.
      if (greeting.length < 10_000) greeting += chunk
      const found = /listens on (http:\S+)/.exec(greeting)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}:\n${greeting}`)))
  })
  const startMs = Math.round(performance.now() - startedAt)
  const { hostname: host, port } = new URL(base)
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
  const tell = (word: string) => void child.send(word)
  const answerTo = async (word: string) => {
    const answered = once(child, 'message')
    tell(word)
    return (await answered)[0] as unknown
  }
  return { host, port: Number(port), base, pid: child.pid as number, startMs, tell, answerTo, stop }
}
