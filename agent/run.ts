import { execFile } from 'node:child_process'

/** Runs a program of the system and answers what it printed; rejects with `CommandFailed` when it does not end well. */
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

/** The command as it has to be started for it to act inside the network namespace. */
export const within = (netns: string | undefined, command: string, args: string[]): [string, string[]] =>
  netns === undefined ? [command, args] : ['ip', ['netns', 'exec', netns, command, ...args]]

export function systemRun(netns: string | undefined): Run {
  return (command, args) =>
    new Promise((resolve, reject) => {
      const options = { maxBuffer: outputBytesMax, timeout: timeoutMs, env: { ...process.env, LC_ALL: 'C' } }
      execFile(...within(netns, command, args), options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new CommandFailed([command, ...args.slice(0, 3)].join(' '), stderr || error.message))
      })
    })
}
