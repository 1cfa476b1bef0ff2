// A server, two clients and a host in the net behind the server, each in a network namespace of its own, with real
// WireGuard. They live in a private mount namespace: the sockets of wireguard-go lie in the file system and not in the
// network namespace, and so do the names of namespaces.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, constants, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { temporaryFolder } from './service.ts'

const programs = ['wg', 'wg-quick', 'wireguard-go', 'nft', 'ip', 'ping', 'unshare', 'nsenter', 'setpriv']

/** What this machine lacks, or nothing. */
export function missingForTunnels(): string | undefined {
  if (process.getuid?.() !== 0) return 'this is not root'
  const isThere = (path: string) => {
    try {
      accessSync(path, constants.F_OK)
      return true
    } catch {
      return false
    }
  }
  if (!isThere('/dev/net/tun')) return '/dev/net/tun is not there'
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const missing = programs.filter((name) => !folders.some((folder) => isThere(join(folder, name))))
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : undefined
}

/** What the server is reached at by its clients, and what lies behind it. */
export const endpointHost = '10.99.0.1'
export const behindServer = '203.0.113.2'

export type Output = { code: number; text: string }
export type Place = 'server' | 'one' | 'two' | 'behind'
export type Lab = Awaited<ReturnType<typeof startLab>>

export async function startLab() {
  const folder = await temporaryFolder()
  const spaces = Object.fromEntries(
    ['server', 'one', 'two', 'behind'].map((place) => [place, `${place}-${process.pid}`]),
  ) as Record<Place, string>
  const holder = await startHolder(spaces)
  const mounts = ['nsenter', '-t', String(holder.pid), '-m', '--']

  /** Resolves also when it fails: what fails is often what is wanted. */
  const run = (place: Place | undefined, command: string, ...args: string[]): Promise<Output> => {
    const [file = '', ...rest] = [...mounts, ...(place ? ['ip', 'netns', 'exec', spaces[place]] : []), command, ...args]
    return new Promise((resolve) => {
      execFile(file, rest, { timeout: 20_000, env: environment(folder) }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), text: stdout + stderr }),
      )
    })
  }
  const must = async (place: Place | undefined, line: string): Promise<string> => {
    const [command = '', ...args] = line.split(' ')
    const { code, text } = await run(place, command, ...args)
    if (code !== 0) throw new Error(`${line}: ${text}`)
    return text
  }
  const start = (place: Place | undefined, command: string, ...args: string[]): ChildProcess => {
    const inside = place ? ['ip', 'netns', 'exec', spaces[place]] : []
    // Dies with this process, whatever ends it.
    const [file = '', ...rest] = [...mounts, 'setpriv', '--pdeathsig', 'KILL', '--', ...inside, command, ...args]
    return spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: environment(folder) })
  }

  writeFileSync(
    join(folder, 'resolvconf'),
    `#!/bin/sh\ncase "$1" in -a) cat > ${folder}/dns-$(ip netns identify);; -d) : > ${folder}/dns-$(ip netns identify);; esac\n`,
  )
  chmodSync(join(folder, 'resolvconf'), 0o755)
  try {
    await wire(must, spaces)
  } catch (error) {
    holder.end()
    throw error
  }
  return {
    folder,
    spaces,
    run,
    must,
    start,
    dnsOf: (place: Place) => readFileSync(join(folder, `dns-${spaces[place]}`), 'utf8'),
    close: () => holder.end(),
  }
}

const environment = (folder: string) => ({
  ...process.env,
  PATH: `${folder}:${process.env['PATH']}`,
  WG_QUICK_USERSPACE_IMPLEMENTATION: 'wireguard-go',
})

/** Keeps the mount namespace, and takes everything down when it is told to or when this process has died. */
async function startHolder(spaces: Record<Place, string>) {
  const names = Object.values(spaces).join(' ')
  const script = `
    mkdir -p /run/wireguard /run/netns
    mount -t tmpfs tmpfs /run/wireguard && mount -t tmpfs tmpfs /run/netns || exit 1
    for name in ${names}; do ip netns add $name && ip -n $name link set lo up || exit 1; done
    echo ready
    cat > /dev/null
    for name in ${names}; do ip netns pids $name | xargs -r kill -9; done
    for name in ${names}; do ip netns del $name; done`
  const child = spawn('unshare', ['-m', '--propagation', 'private', 'bash', '-c', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  await Promise.race([
    once(child.stdout, 'data'),
    gone.then(() => {
      throw new Error('No network namespaces can be made here')
    }),
  ])
  return {
    pid: child.pid as number,
    end: async () => {
      child.stdin.end()
      await gone
    },
  }
}

async function wire(
  must: (place: Place | undefined, line: string) => Promise<string>,
  spaces: Record<Place, string>,
): Promise<void> {
  await must('server', `ip address add ${endpointHost}/32 dev lo`)
  const links: [Place, string, string][] = [
    ['one', '10.99.1.1/30', '10.99.1.2/30'],
    ['two', '10.99.2.1/30', '10.99.2.2/30'],
    ['behind', '203.0.113.1/24', `${behindServer}/24`],
  ]
  for (const [place, near, far] of links) {
    await must(undefined, `ip link add v-${place} netns ${spaces.server} type veth peer name v0 netns ${spaces[place]}`)
    await must('server', `ip address add ${near} dev v-${place}`)
    await must('server', `ip link set v-${place} up`)
    await must(place, `ip address add ${far} dev v0`)
    await must(place, 'ip link set v0 up')
    // The host behind knows no way back to the tunnels: only masqueraded packets are answered.
    if (place !== 'behind') await must(place, `ip route add default via ${near.split('/')[0]}`)
  }
  await must('server', 'sysctl -qw net.ipv4.ip_forward=1')
  await must('server', 'sysctl -qw net.ipv6.conf.all.forwarding=1')
}
