import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

export type FolderLock = { release(): Promise<void> }

type Owner = { pid: number; host: string; startedAt: string | null }

const triesMax = 10

/**
 * Takes the lock of a data folder: the embedded database takes none itself, and two processes on it lose data. It is
 * never taken from a live process; one that was killed leaves a lock behind that the next start takes over.
 */
export async function lockDataFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = join(folder, 'atrium.lock')
  const own: Owner = { pid: process.pid, host: hostname(), startedAt: startOf(process.pid) }
  for (let tries = 0; tries < triesMax; tries++) {
    if (await claim(lock, own)) return { release: () => rm(lock, { force: true }) }
    const owner = await ownerOf(lock)
    if (owner === null) continue // released between the two looks
    refuseLive(folder, lock, owner)
    await takeOver(folder, lock, own)
    return { release: () => rm(lock, { force: true }) }
  }
  throw new Error(`The lock ${lock} changes hands all the time; try again.`)
}

/** A link fails where the name exists, so of two processes one wins; the file is complete before it has its name. */
async function claim(path: string, own: Owner): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 })
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await rm(draft, { force: true })
  }
}

/** Only the holder of a second lock may replace the first, so that two starters cannot both find it stale and win. */
async function takeOver(folder: string, lock: string, own: Owner): Promise<void> {
  const second = `${lock}.takeover`
  if (!(await claim(second, own))) {
    throw new Error(`Another process is starting on ${folder}. If there is none, remove ${second} and start again.`)
  }
  try {
    const owner = await ownerOf(lock)
    if (owner !== null) refuseLive(folder, lock, owner)
    const draft = `${lock}.${randomBytes(6).toString('hex')}`
    await writeFile(draft, JSON.stringify(own), { mode: 0o600 })
    await rename(draft, lock)
  } finally {
    await rm(second, { force: true })
  }
}

function refuseLive(folder: string, lock: string, owner: Owner): void {
  if (owner.host !== hostname()) {
    throw new Error(
      `The data folder ${folder} is in use by process ${owner.pid} on ${owner.host}. If that host or container is gone for good, remove ${lock} and start again.`,
    )
  }
  if (!isAlive(owner)) return
  throw new Error(
    `The data folder ${folder} is in use by process ${owner.pid}. Stop that process, or give this one another DATA_DIR.`,
  )
}

async function ownerOf(path: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Error(
      `The lock ${path} cannot be read. If no other process runs on the folder, remove it and start again.`,
    )
  }
}

function isAlive({ pid, startedAt }: Owner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // lives, but is somebody else's
  }
  // The number may have been given to another process since.
  return startedAt === null || startOf(pid) === startedAt
}

/** When a process started, in clock ticks since the boot (proc(5), field 22 of stat); null where there is no /proc. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null // the name in parentheses may hold anything
  } catch {
    return null
  }
}
