import { execFile } from 'node:child_process'

/** Runs a system program and returns its output; rejects with `CommandFailed` when it fails. */
export type Run = (command: string, args: string[]) => Promise<string>

export class CommandFailed extends Error {
  readonly stderr: string
  constructor(command: string, stderr: string) {
    super(`${command} failed: ${stderr.trim().slice(0, 500)}`)
    this.stderr = stderr
  }
}

/** A dump of 60,000 peers has about 15 MB. */
const outputBytesMax = 256 * 1024 * 1024
/** The first load of 60,000 peers was measured at 18 s. */
const timeoutMs = 120_000

/** The command to start so that it runs inside the network namespace. */
export const inNamespace = (netns: string | undefined, command: string, args: string[]): [string, string[]] =>
  netns === undefined ? [command, args] : ['ip', ['netns', 'exec', netns, command, ...args]]

export function systemRun(netns: string | undefined): Run {
  return (command, args) =>
    new Promise((resolve, reject) => {
      const options = { maxBuffer: outputBytesMax, timeout: timeoutMs, env: { ...process.env, LC_ALL: 'C' } }
      execFile(...inNamespace(netns, command, args), options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new CommandFailed([command, ...args.slice(0, 3)].join(' '), stderr || error.message))
      })
    })
}
