import { readFileSync } from 'node:fs'

// Linux counts processor time in hundredths of a second, whatever the machine: USER_HZ.
const ticksOfSecond = 100

/** Processor seconds of this process and, on Linux, of all that it started and that have ended. */
export function processorSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  // proc_pid_stat(5): behind the name, which may hold anything, the 12th to the 15th are the times in user and system mode,
  // and those of children that were waited for.
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return ticks / ticksOfSecond
}

/** What each test file of this process has used. The reporter of the test runner is in the same process. */
export const processorSecondsOf = new Map<string, number>()

/** What is used before the first file's tests. */
export const loading = 'Loading all files'
