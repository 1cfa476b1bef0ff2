import { readFileSync } from 'node:fs'

/** Processor time so far, user and system, in microseconds. Null where it cannot be read: a server on another machine. */
export type Meter = () => number | null

/** Linux counts in hundredths of a second for every process that reads (proc(5), USER_HZ). */
const tickUs = 10_000

/** One process with all its threads. */
export function processMeter(pid: number): Meter {
  return () => {
    const times = readTimes(pid)
    return times === null ? null : times.own * tickUs
  }
}

/** A process, its children of this moment, and those that have ended: the server of PostgreSQL and its backends. */
export function familyMeter(pid: number): Meter {
  return () => {
    const parent = readTimes(pid)
    if (parent === null) return null
    const children = listChildren(pid).map((child) => readTimes(child)?.own ?? 0)
    return (parent.own + parent.ended + children.reduce((sum, ticks) => sum + ticks, 0)) * tickUs
  }
}

/** Resident memory now (proc(5), VmRSS), in megabytes; null where there is no such process. */
export function memoryMb(pid: number): number | null {
  const status = readText(`/proc/${pid}/status`)
  const kilobytes = /VmRSS:\s+(\d+)/.exec(status ?? '')?.[1]
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
}

/** The parent of a process; null where there is no such process here. */
export function findParent(pid: number): { pid: number; name: string } | null {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === null) return null
  return { pid: Number(statFields(stat)[1]), name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')) }
}

/** In ticks: of the process, and of its children that have ended. */
function readTimes(pid: number): { own: number; ended: number } | null {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === null) return null
  const [user, system, endedUser, endedSystem] = statFields(stat).slice(11, 15).map(Number) as [
    number,
    number,
    number,
    number,
  ]
  return { own: user + system, ended: endedUser + endedSystem }
}

/** What follows the name, which may itself hold spaces and brackets; the first is field 3 of proc(5). */
function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function listChildren(pid: number): number[] {
  const listed = readText(`/proc/${pid}/task/${pid}/children`) ?? ''
  return listed.split(' ').filter(Boolean).map(Number)
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
