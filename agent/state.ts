import { readdir, rm } from 'node:fs/promises'
import { type BootClock, endAfterRestart, type Stamp, stampOf } from './boot-clock.ts'
import { type Folder, openFolder } from './files.ts'
import { isKey, newPrivateKey, publicKeyOf, sealerOf } from './keys.ts'
import type { HeldPeer, Rejection } from './peer.ts'
import type { Change } from './plan.ts'
import type { ServerRecord } from './server-record.ts'

/** `enrolledWith`: a hash of the enrollment token, so that a new one is noticed. */
export type Node = { token: string; server: ServerRecord; enrolledWith: string }

export type Held = { revision: number; peers: HeldPeer[]; rejected: Rejection[] }
/** What changed since the peers were last written whole. */
export type Entry = Change & { revision: number; rejected: Rejection[] }
export type RawCounters = Record<string, { rx: number; tx: number }>

export type State = {
  folder: Folder
  privateKey: string
  publicKey: string
  node(): Promise<Node | undefined>
  keepNode(node: Node): Promise<void>
  /** Greater than every epoch before, also when the clock of the machine went back. */
  nextEpoch(nowMs: number): Promise<number>
  load(): Promise<Held>
  /** Everything anew. */
  keep(held: Held): Promise<void>
  /** Costs as much as the change, however many peers there are. Durable when it resolves. */
  record(entry: Entry, whole: () => Held): Promise<void>
  endpoints(): Promise<Record<string, string>>
  keepEndpoints(endpoints: Record<string, string>): Promise<void>
  counters(): Promise<RawCounters | undefined>
  keepCounters(counters: RawCounters): Promise<void>
  /** Consumed by being found: it allows the removals of one snapshot. */
  takeAllowedRemovals(): Promise<boolean>
}

type Deps = { clock: BootClock; wallMs: () => number; log: { warn(message: string): void } }

/** Then the journal is written into the file of all peers. */
const journalEntriesMax = 1000

export async function openState(path: string, deps: Deps): Promise<State> {
  const folder = await openFolder(path)
  await removeLeftovers(path)
  const privateKey = await serverKey(folder)
  const sealed = sealedFiles(folder, privateKey)
  return {
    folder,
    privateKey,
    publicKey: publicKeyOf(privateKey),
    node: () => sealed.read<Node>('node'),
    keepNode: (node) => sealed.write('node', node),
    nextEpoch: async (nowMs) => {
      const epoch = Math.max(nowMs, Number((await folder.read('epoch')) ?? 0) + 1)
      await folder.write('epoch', `${epoch}\n`)
      return epoch
    },
    ...peerFiles({ folder, sealed, ...deps }),
    endpoints: async () => (await sealed.read<Record<string, string>>('endpoints')) ?? {},
    keepEndpoints: (endpoints) => sealed.write('endpoints', endpoints),
    counters: () => sealed.read<RawCounters>('counters'),
    keepCounters: (counters) => sealed.write('counters', counters),
    takeAllowedRemovals: async () => {
      const isThere = (await folder.read('allow-removals')) !== undefined
      if (isThere) await folder.remove('allow-removals')
      return isThere
    },
  }
}

/** A killed agent may have left what it had lent to `wg`. */
async function removeLeftovers(path: string): Promise<void> {
  const names = await readdir(path)
  await Promise.all(names.filter((name) => name.startsWith('lent-')).map((name) => rm(`${path}/${name}`)))
}

async function serverKey(folder: Folder): Promise<string> {
  const found = (await folder.read('server.key'))?.trim()
  if (found === undefined) {
    const made = newPrivateKey()
    await folder.write('server.key', `${made}\n`)
    return made
  }
  if (!isKey(found)) throw new Error(`${folder.path('server.key')} holds no key. A new one needs a new enrollment.`)
  return found
}

type SealedFiles = ReturnType<typeof sealedFiles>

function sealedFiles(folder: Folder, privateKey: string) {
  return {
    sealerOf: (name: string) => sealerOf(privateKey, name),
    read: async <T>(name: string): Promise<T | undefined> => {
      const text = await folder.read(`${name}.sealed`)
      return text === undefined ? undefined : (JSON.parse(sealerOf(privateKey, name).open(text)) as T)
    },
    write: (name: string, value: unknown) =>
      folder.write(`${name}.sealed`, sealerOf(privateKey, name).seal(JSON.stringify(value))),
  }
}

type Whole = Held & { stamp: Stamp; generation: number }
type Line = Entry & { stamp: Stamp; generation: number }

/**
 * All peers in one file, and behind it a journal of sealed lines, so that one change costs one line. A line belongs to
 * the file with its generation; a line that was cut off by a crash was never acknowledged, and is left out.
 */
function peerFiles({ folder, sealed, clock, wallMs, log }: Deps & { folder: Folder; sealed: SealedFiles }) {
  const { seal, open } = sealed.sealerOf('journal')
  let generation = 0
  let entries = 0
  const stamp = () => stampOf(clock, wallMs())
  const keep = async (held: Held) => {
    const next: Whole = { ...held, stamp: stamp(), generation: generation + 1 }
    await sealed.write('peers', next)
    generation += 1
    entries = 0
    await folder.remove('peers.journal')
  }
  return {
    keep,
    record: async (entry: Entry, whole: () => Held) => {
      if (++entries > journalEntriesMax) return keep(whole())
      const line: Line = { ...entry, stamp: stamp(), generation }
      await folder.append('peers.journal', `${seal(JSON.stringify(line))}\n`)
    },
    load: async (): Promise<Held> => {
      const whole = await sealed.read<Whole>('peers').catch(() => {
        log.warn('The stored peers cannot be read and are asked for anew')
        return undefined
      })
      generation = whole?.generation ?? Date.now()
      const lines = whole === undefined ? [] : linesOf((await folder.read('peers.journal')) ?? '', open)
      const held = replay(
        whole,
        lines.filter((line) => line.generation === generation),
        stamp(),
      )
      await keep(held)
      return held
    },
  }
}

function linesOf(text: string, open: (sealed: string) => string): Line[] {
  const found: Line[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    try {
      found.push(JSON.parse(open(line)) as Line)
    } catch {
      // All behind a torn line hangs in the air.
      break
    }
  }
  return found
}

function replay(whole: Whole | undefined, lines: Line[], now: Stamp): Held {
  if (whole === undefined) return { revision: 0, peers: [], rejected: [] }
  const peers = new Map<string, HeldPeer>()
  let hasUncertainEnd = false
  const put = (stamp: Stamp) => (peer: HeldPeer) => {
    hasUncertainEnd ||= peer.endsAt !== null && stamp.bootId !== now.bootId
    const endsAt = peer.endsAt === null ? null : endAfterRestart(peer.endsAt, stamp, now)
    peers.set(peer.publicKey, { ...peer, endsAt })
  }
  whole.peers.forEach(put(whole.stamp))
  for (const line of lines) {
    for (const publicKey of line.removes) peers.delete(publicKey)
    for (const peer of [...line.adds, ...line.renewed]) put(line.stamp)(peer)
  }
  const latest = lines.at(-1) ?? whole
  const alive = [...peers.values()].filter(({ endsAt }) => endsAt === null || endsAt > now.bootSeconds)
  // After a reboot an end may have been taken too early: only a snapshot brings back what would be missing.
  return { revision: hasUncertainEnd ? 0 : latest.revision, peers: alive, rejected: latest.rejected }
}
