import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Connection } from '../../http/sockets/socket-declaration.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Entry } from '../entries/entry.rules.ts'
import { entryView } from '../entries/entry.schema.ts'
import { listChanges } from '../entries/entry.store.ts'
import type { EncodedEntry, entryBuffer } from './entry-buffer.ts'

/** A client that follows a meeting. `onDeleted`: the meeting is gone, and the client was removed from its feed. */
export type FeedListener = { connection: Connection; onDeleted(): void }

type Follower = FeedListener & {
  /** The client was sent every entry up to this number, in order and once. */
  cursor: number
  isCatchingUp: boolean
}

type FollowersDeps = {
  scope: TenantScope
  meetingId: string
  buffer: ReturnType<typeof entryBuffer>
  /** Limits concurrent reads for clients that are far behind. */
  limitReads: <T>(work: () => Promise<T>) => Promise<T>
}

// Entries may be long, and what a client has no room for is read again later: so pages are short.
const catchUpEntries = 200
// One client gets at most this much before the next one.
const portionBytes = 64 * 1024
// Serving a thousand clients must not block the event loop for longer than this.
const sliceMs = 8

/**
 * The clients of this node that follow one meeting. Each is sent entries from the buffer or from the database, at its
 * own pace.
 */
export function feedFollowers({ scope, meetingId, buffer, limitReads }: FollowersDeps) {
  const followers = new Map<Connection, Follower>()
  let isServing = false
  let hasMore = false

  /** Sends entries from the buffer to every client that has room, one portion at a time. */
  const serve = async (): Promise<void> => {
    hasMore = true
    if (isServing) return
    isServing = true
    let startedMs = performance.now()
    while (hasMore) {
      hasMore = false
      for (const follower of followers.values()) {
        if (sendNext(follower)) hasMore = true
        if (performance.now() - startedMs < sliceMs) continue
        await yieldToEventLoop()
        startedMs = performance.now()
      }
    }
    isServing = false
  }

  /** Returns whether there is more to send. */
  const sendNext = (follower: Follower): boolean => {
    const { connection, cursor } = follower
    if (follower.isCatchingUp || cursor >= buffer.lastSeq() || connection.isFull()) return false
    if (!buffer.covers(cursor)) {
      void catchUp(follower)
      return false
    }
    send(follower, buffer.readAfter(cursor, portionBytes))
    return true
  }

  /** Sends pages from the database until the buffer covers the rest or the client has no room. */
  const catchUp = async (follower: Follower): Promise<void> => {
    follower.isCatchingUp = true
    try {
      while (isFollowing(follower) && !follower.connection.isFull() && !buffer.covers(follower.cursor)) {
        const { entries } = await limitReads(() =>
          listChanges(scope, meetingId, { afterSeq: follower.cursor, limit: catchUpEntries }),
        )
        if (entries.length === 0) break
        sendUntilFull(
          follower,
          entries.map((entry) => encodeEntry(meetingId, entry)),
        )
      }
    } catch {
      // The database is not available. The next refresh tries again.
    }
    follower.isCatchingUp = false
    if (buffer.covers(follower.cursor)) void serve()
  }
  const isFollowing = (follower: Follower): boolean => followers.get(follower.connection) === follower

  return {
    serve,
    size: () => followers.size,
    connections: () => followers.keys(),
    add: (listener: FeedListener, cursor: number): void => {
      followers.set(listener.connection, { ...listener, cursor, isCatchingUp: false })
      void serve()
    },
    drained: (connection: Connection): void => {
      const follower = followers.get(connection)
      while (follower !== undefined && sendNext(follower));
    },
    remove: (connection: Connection): boolean => followers.delete(connection),
    removeAll: (): FeedListener[] => {
      const left = [...followers.values()]
      followers.clear()
      return left
    },
  }
}

function send(follower: Follower, entries: EncodedEntry[]): void {
  const last = entries.at(-1)
  if (last === undefined) return
  follower.cursor = last.seq
  follower.connection.sendEncoded(entries.map(({ bytes }) => bytes))
}

function sendUntilFull(follower: Follower, entries: EncodedEntry[]): void {
  let portion: EncodedEntry[] = []
  let size = 0
  for (const encoded of entries) {
    portion.push(encoded)
    size += encoded.bytes.length
    if (size < portionBytes) continue
    send(follower, portion)
    if (follower.connection.isFull()) return
    portion = []
    size = 0
  }
  send(follower, portion)
}

/** The frame that every follower gets. */
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
