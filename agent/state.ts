import { readdir, rm } from 'node:fs/promises'
import { type BootClock, type ClockReading, endAfterRestart, readClocks } from './boot-clock.ts'
import { type Folder, openFolder } from './files.ts'
import { createSealer, derivePublicKey, isKey, newPrivateKey } from './keys.ts'
import type { HeldPeer, Rejection } from './peer.ts'
import type { Change } from './plan.ts'
import type { ServerRecord } from './server-record.ts'

/** `enrolledWith`: a hash of the enrollment token, so that a new one is noticed. */
export type Node = { token: string; server: ServerRecord; enrolledWith: string }

export type PeerState = { revision: number; peers: HeldPeer[]; rejected: Rejection[] }
/** A change since all peers were last written. */
export type Entry = Change & { revision: number; rejected: Rejection[] }
export type RawCounters = Record<string, { rx: number; tx: number }>

export type State = {
  folder: Folder
  privateKey: string
  publicKey: string
  node(): Promise<Node | undefined>
  saveNode(node: Node): Promise<void>
  /** Greater than every earlier epoch, even if the clock of the machine went backwards. */
  nextEpoch(nowMs: number): Promise<number>
  load(): Promise<PeerState>
  /** Writes all peers again. */
  save(held: PeerState): Promise<void>
  /** Appends a change. Its cost depends on the change, not on the number of peers. Durable when it resolves. */
  record(entry: Entry, whole: () => PeerState): Promise<void>
  endpoints(): Promise<Record<string, string>>
  saveEndpoints(endpoints: Record<string, string>): Promise<void>
  counters(): Promise<RawCounters | undefined>
  saveCounters(counters: RawCounters): Promise<void>
  /** Deletes the permission file if it exists: it allows the removals of one snapshot. */
  consumeRemovalPermission(): Promise<boolean>
}

type Deps = { clock: BootClock; wallMs: () => number; log: { warn(message: string): void } }

/** After this many entries all peers are written and the journal starts again. */
const journalEntriesMax = 1000

export async function openState(path: string, deps: Deps): Promise<State> {
  const folder = await openFolder(path)
  await removeLeftovers(path)
  const privateKey = await serverKey(folder)
  const sealed = sealedFiles(folder, privateKey)
  return {
    folder,
    privateKey,
    publicKey: derivePublicKey(privateKey),
    node: () => sealed.read<Node>('node'),
    saveNode: (node) => sealed.write('node', node),
    nextEpoch: async (nowMs) => {
      const epoch = Math.max(nowMs, Number((await folder.read('epoch')) ?? 0) + 1)
      await folder.write('epoch', `${epoch}\n`)
      return epoch
    },
    ...peerFiles({ folder, sealed, ...deps }),
    endpoints: async () => (await sealed.read<Record<string, string>>('endpoints')) ?? {},
    saveEndpoints: (endpoints) => sealed.write('endpoints', endpoints),
    counters: () => sealed.read<RawCounters>('counters'),
    saveCounters: (counters) => sealed.write('counters', counters),
    consumeRemovalPermission: async () => {
      const isThere = (await folder.read('allow-removals')) !== undefined
      if (isThere) await folder.remove('allow-removals')
      return isThere
    },
  }
}

/** A killed agent may have left temporary files. Older versions named them `lent-`. */
async function removeLeftovers(path: string): Promise<void> {
  const names = await readdir(path)
  await Promise.all(
    names
      .filter((name) => name.startsWith('temporary-') || name.startsWith('lent-'))
      .map((name) => rm(`${path}/${name}`)),
  )
}

async function serverKey(folder: Folder): Promise<string> {
  const found = (await folder.read('server.key'))?.trim()
  if (found === undefined) {
    const made = newPrivateKey()
    await folder.write('server.key', `${made}\n`)
    return made
  }
  if (!isKey(found))
    throw new Error(
      `${folder.path('server.key')} does not hold a WireGuard key. Delete it to make a new key, then enroll again.`,
    )
  return found
}

type SealedFiles = ReturnType<typeof sealedFiles>

function sealedFiles(folder: Folder, privateKey: string) {
  return {
    sealerOf: (name: string) => createSealer(privateKey, name),
    read: async <T>(name: string): Promise<T | undefined> => {
      const text = await folder.read(`${name}.sealed`)
      return text === undefined ? undefined : (JSON.parse(createSealer(privateKey, name).open(text)) as T)
    },
    write: (name: string, value: unknown) =>
      folder.write(`${name}.sealed`, createSealer(privateKey, name).seal(JSON.stringify(value))),
  }
}

type Whole = PeerState & { stamp: ClockReading; generation: number }
type Line = Entry & { stamp: ClockReading; generation: number }

/**
 * All peers in one file, followed by a journal of sealed lines, so that a change costs one line. A line belongs to the
 * file of its generation. A line that a crash cut off was never acknowledged, and is ignored.
 */
function peerFiles({ folder, sealed, clock, wallMs, log }: Deps & { folder: Folder; sealed: SealedFiles }) {
  const { seal, open } = sealed.sealerOf('journal')
  let generation = 0
  let entries = 0
  const stamp = () => readClocks(clock, wallMs())
  const save = async (held: PeerState) => {
    const next: Whole = { ...held, stamp: stamp(), generation: generation + 1 }
    await sealed.write('peers', next)
    generation += 1
    entries = 0
    await folder.remove('peers.journal')
  }
  return {
    save,
    record: async (entry: Entry, whole: () => PeerState) => {
      if (++entries > journalEntriesMax) return save(whole())
      const line: Line = { ...entry, stamp: stamp(), generation }
      await folder.append('peers.journal', `${seal(JSON.stringify(line))}\n`)
    },
    load: async (): Promise<PeerState> => {
      const whole = await sealed.read<Whole>('peers').catch(() => {
        log.warn('The stored peers cannot be read; fetching them again')
        return undefined
      })
      generation = whole?.generation ?? Date.now()
      const lines = whole === undefined ? [] : readLines((await folder.read('peers.journal')) ?? '', open)
      const held = replay(
        whole,
        lines.filter((line) => line.generation === generation),
        stamp(),
      )
      await save(held)
      return held
    },
  }
}

function readLines(text: string, open: (sealed: string) => string): Line[] {
  const found: Line[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    try {
      found.push(JSON.parse(open(line)) as Line)
    } catch {
      // Ignore everything after a torn line.
      break
    }
  }
  return found
}

function replay(whole: Whole | undefined, lines: Line[], now: ClockReading): PeerState {
  if (whole === undefined) return { revision: 0, peers: [], rejected: [] }
  const peers = new Map<string, HeldPeer>()
  let hasUncertainEnd = false
  const put = (stamp: ClockReading) => (peer: HeldPeer) => {
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
  // After a reboot a peer may have been removed too early; only a snapshot brings it back.
  return { revision: hasUncertainEnd ? 0 : latest.revision, peers: alive, rejected: latest.rejected }
}
