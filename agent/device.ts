import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Folder } from './files.ts'
import { errorMessage, type Log } from './log.ts'
import { requireFreePort } from './port.ts'
import { inNamespace, type Run } from './run.ts'

/** The network interface: of the kernel, or of a user-space process that keeps running when the agent ends. */
export type Device = {
  /** `made`: it is new and empty; `found`: it existed, with its peers. */
  ensure(): Promise<'made' | 'found'>
  /** Sets its addresses and brings it up. */
  configure(): Promise<void>
  /** Calls back once, within half a second, when the user-space process has ended. */
  watch(onGone: () => void): void
  unwatch(): void
  /** It is set up: from here on it outlives the agent. */
  keep(): void
  /** Kills a user-space process that was started and is not kept: it serves nobody. At once, for the end of the process. */
  discard(): void
  remove(): Promise<void>
}

type Deps = {
  run: Run
  folder: Folder
  log: Log
  interfaceName: string
  netns?: string | undefined
  publicKey: string
  address4: string
  address6: string
  mtu: number
  listenPort: number
  /** As in `wg-quick`: the user-space program for kernels without WireGuard. */
  implementation: string
}

const watchMs = 250
const startMs = 5_000
const pidFile = 'wireguard.pid'

export function device(deps: Deps): Device {
  const { run, folder, interfaceName } = deps
  let program: Program | undefined
  let unkept: ChildProcess | undefined
  let watching: NodeJS.Timeout | undefined

  const find = async (): Promise<boolean> => {
    const publicKey = await interfaceKey(run, interfaceName)
    if (publicKey === undefined) return false
    if (publicKey !== '(none)' && publicKey !== deps.publicKey)
      throw new Error(
        `The interface ${interfaceName} exists with the key of another server. Choose another --interface.`,
      )
    program = runningProgram(await folder.read(pidFile))
    return publicKey !== '(none)'
  }
  const make = async () => {
    try {
      await run('ip', ['link', 'add', 'dev', interfaceName, 'type', 'wireguard'])
      await folder.remove(pidFile)
      program = undefined
    } catch (error) {
      deps.log.info('The kernel has no WireGuard; starting a user-space program instead', {
        program: deps.implementation,
        reason: errorMessage(error),
      })
      program = await startProgram(deps, (child) => {
        unkept = child
      })
      await folder.write(pidFile, JSON.stringify(program))
    }
  }
  return {
    ensure: async () => {
      if (await find()) return 'found'
      await removeLink(run, interfaceName)
      await requireFreePort(run, deps.listenPort)
      await make()
      return 'made'
    },
    configure: async () => {
      await run('ip', ['address', 'replace', deps.address4, 'dev', interfaceName])
      await run('ip', ['address', 'replace', deps.address6, 'dev', interfaceName, 'nodad'])
      await run('ip', ['link', 'set', 'dev', interfaceName, 'mtu', String(deps.mtu), 'up'])
    },
    watch: (onGone) => {
      clearInterval(watching)
      const watched = program
      if (watched === undefined) return
      watching = setInterval(() => {
        if (isRunning(watched)) return
        clearInterval(watching)
        onGone()
      }, watchMs)
    },
    unwatch: () => clearInterval(watching),
    keep: () => {
      unkept = undefined
    },
    discard: () => {
      unkept?.kill('SIGKILL')
    },
    remove: async () => {
      clearInterval(watching)
      await find().catch(() => false)
      if (program && isRunning(program)) process.kill(program.pid, 'SIGTERM')
      await removeLink(run, interfaceName)
      await folder.remove(pidFile)
    },
  }
}

/** The public key of a WireGuard interface, `(none)` without one; undefined if there is no such interface. */
export const interfaceKey = (run: Run, interfaceName: string): Promise<string | undefined> =>
  run('wg', ['show', interfaceName, 'public-key']).then(
    (text) => text.trim(),
    () => undefined,
  )

/** The start time distinguishes it from a later process with the same id. */
type Program = { pid: number; startedAt: string }

function runningProgram(text: string | undefined): Program | undefined {
  if (text === undefined) return undefined
  const program = JSON.parse(text) as Program
  return isRunning(program) ? program : undefined
}

const isRunning = ({ pid, startedAt }: Program) => startTime(pid) === startedAt

/** In clock ticks since boot; undefined for an ended process, also for a zombie. */
function startTime(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program name in parentheses may contain any character.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

/** Detached, so that the tunnels survive a restart of the agent. */
async function startProgram(
  { run, interfaceName, netns, implementation }: Deps,
  onSpawn: (child: ChildProcess) => void,
): Promise<Program> {
  const child = spawn(...inNamespace(netns, implementation, ['-f', interfaceName]), {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, LOG_LEVEL: 'error' },
  })
  onSpawn(child)
  await once(child, 'spawn')
  child.unref()
  const pid = child.pid as number
  const deadline = performance.now() + startMs
  while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const isThere = (await interfaceKey(run, interfaceName)) !== undefined
    const startedAt = startTime(pid)
    if (isThere && startedAt !== undefined) return { pid, startedAt }
    await delay(20)
  }
  child.kill('SIGKILL')
  throw new Error(
    `${implementation} did not create the interface ${interfaceName}. Is it installed, and does /dev/net/tun exist?`,
  )
}

/** Succeeds also where the link does not exist. */
const removeLink = (run: Run, interfaceName: string) =>
  run('ip', ['link', 'delete', 'dev', interfaceName]).catch(() => undefined)
