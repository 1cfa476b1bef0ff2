import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

export type RedisServer = {
  url: string
  /** Ends it without a farewell. Its data is lost. */
  kill(): Promise<void>
  /** Stops it in its tracks: connections stay open and new ones are made, but nothing is answered. */
  freeze(): void
  thaw(): void
}

/** Why tests with a real Redis cannot run here, or false where they can. */
export const redisMissing =
  spawnSync('redis-server', ['--version']).error !== undefined && 'redis-server is not installed'
if (redisMissing) console.error(`\n!!! ${redisMissing}: THE RATE LIMITS OF SEVERAL NODES ARE NOT TESTED !!!\n`)

// The shell reads a pipe that closes when we end the server and also when we are killed; then it ends the server.
const keeper = `
redis-server "$@" & server=$!
echo "process $server"
(read -r line <&3; kill -KILL $server) &
wait $server`

/** An empty Redis on 127.0.0.1 that lives no longer than this process and writes nothing to disk. */
export async function startRedisServer(port?: number): Promise<RedisServer> {
  const ownPort = port ?? (await freePort())
  const folder = await mkdtemp(join(tmpdir(), 'atrium-redis-'))
  const options = { bind: '127.0.0.1', port: String(ownPort), save: '', appendonly: 'no', dir: folder }
  const settings = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  // Detached, so that Ctrl-C in a terminal reaches only us and the keeper remains to clean up.
  const child = spawn('/bin/sh', ['-c', keeper, 'redis-keeper', ...settings], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit').then(() => rm(folder, { recursive: true, force: true }))
  const pid = await untilReady(child)
  return {
    url: `redis://127.0.0.1:${ownPort}`,
    kill: async () => {
      child.stdio[3]?.destroy()
      await ended
    },
    freeze: () => process.kill(pid, 'SIGSTOP'),
    thaw: () => process.kill(pid, 'SIGCONT'),
  }
}

/** The process id of the server. */
function untilReady(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
      const [, pid] = /^process (\d+)$/m.exec(output) ?? []
      if (pid && output.includes('Ready to accept connections')) resolve(Number(pid))
    })
    child.on('exit', () => reject(new Error(`Redis did not start:\n${output}`)))
  })
}
