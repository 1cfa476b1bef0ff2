import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Connection } from '../../http/sockets/socket-part.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Entry } from '../entries/entry.rules.ts'
import { entryView } from '../entries/entry.schema.ts'
import { listChanges } from '../entries/entry.store.ts'
import type { EncodedEntry, entryBuffer } from './entry-buffer.ts'

type Follower = {
  connection: Connection
  /** What the client has been given: everything up to it, in order, once. */
  cursor: number
  isCatchingUp: boolean
}

type FollowersDeps = {
  scope: TenantScope
  meetingId: string
  kept: ReturnType<typeof entryBuffer>
  /** Few at a time: for those who are far behind. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

// What a client has no room for is read again later: entries may be long.
const catchUpEntries = 200
// What a client is given before the next one has its turn.
const portionBytes = 64 * 1024
// Longer than this nobody else waits for a thousand clients to be served.
const sliceMs = 8

/** Those who follow one meeting on one node, each given what is kept of it, or what the database has, at their own pace. */
export function feedFollowers({ scope, meetingId, kept, inTurn }: FollowersDeps) {
  const members = new Map<Connection, Follower>()
  let isServing = false
  let isUnserved = false

  /** Gives what is kept to everybody who has room, a portion each in turn. */
  const serve = async (): Promise<void> => {
    isUnserved = true
    if (isServing) return
    isServing = true
    let startedMs = performance.now()
    while (isUnserved) {
      isUnserved = false
      for (const member of members.values()) {
        if (sendNext(member)) isUnserved = true
        if (performance.now() - startedMs < sliceMs) continue
        await yieldToEventLoop()
        startedMs = performance.now()
      }
    }
    isServing = false
  }

  /** Whether there is more for it. */
  const sendNext = (member: Follower): boolean => {
    const { connection, cursor } = member
    if (member.isCatchingUp || cursor >= kept.end() || connection.isFull()) return false
    if (!kept.has(cursor)) {
      void catchUp(member)
      return false
    }
    send(member, kept.after(cursor, portionBytes))
    return true
  }

  /** From the database, a page at a time, until what is kept goes on from there or the client has enough. */
  const catchUp = async (member: Follower): Promise<void> => {
    member.isCatchingUp = true
    try {
      while (isFollowing(member) && !member.connection.isFull() && !kept.has(member.cursor)) {
        const { entries } = await inTurn(() =>
          listChanges(scope, meetingId, { afterSeq: member.cursor, limit: catchUpEntries }),
        )
        if (entries.length === 0) break
        sendUntilFull(
          member,
          entries.map((entry) => encodeEntry(meetingId, entry)),
        )
      }
    } catch {
      // The database is away: the next look tries again.
    }
    member.isCatchingUp = false
    if (kept.has(member.cursor)) void serve()
  }
  const isFollowing = (member: Follower): boolean => members.get(member.connection) === member

  return {
    serve,
    size: () => members.size,
    connections: () => members.keys(),
    add: (connection: Connection, cursor: number): void => {
      members.set(connection, { connection, cursor, isCatchingUp: false })
      void serve()
    },
    drained: (connection: Connection): void => {
      const member = members.get(connection)
      while (member !== undefined && sendNext(member));
    },
    remove: (connection: Connection): boolean => members.delete(connection),
    removeAll: (): Connection[] => {
      const left = [...members.keys()]
      members.clear()
      return left
    },
  }
}

function send(member: Follower, entries: EncodedEntry[]): void {
  const last = entries.at(-1)
  if (last === undefined) return
  member.cursor = last.seq
  member.connection.sendEncoded(entries.map(({ bytes }) => bytes))
}

function sendUntilFull(member: Follower, entries: EncodedEntry[]): void {
  let portion: EncodedEntry[] = []
  let size = 0
  for (const encoded of entries) {
    portion.push(encoded)
    size += encoded.bytes.length
    if (size < portionBytes) continue
    send(member, portion)
    if (member.connection.isFull()) return
    portion = []
    size = 0
  }
  send(member, portion)
}

/** As it goes to everybody who follows. */
export function encodeEntry(meetingId: string, entry: Entry): EncodedEntry {
  const { seq, changedSeq } = entry
  const frame = {
    type: 'transcript.entry',
    meetingId,
    seq: changedSeq,
    replaced: seq !== changedSeq,
    entry: entryView(entry),
  }
  return { seq: changedSeq, bytes: Buffer.from(JSON.stringify(frame)) }
}
