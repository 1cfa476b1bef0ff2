import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Connection } from '../../http/sockets/socket-declaration.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Entry } from '../entries/entry.rules.ts'
import { entryView } from '../entries/entry.schema.ts'
import { listChanges } from '../entries/entry.store.ts'
import type { EncodedEntry, entryBuffer } from './entry-buffer.ts'

/** A client that follows a meeting. `onLost`: the meeting was deleted, or the user may no longer read it. */
export type FeedListener = { connection: Connection; userId: string; onLost(): void }

type Follower = FeedListener & {
  /** The last entry that may be sent: the user could read the meeting after the entry was written. */
  allowedSeq: number
  /** The client was sent every entry up to this number, in order and once. */
  cursor: number
  isCatchingUp: boolean
}

type FollowersDeps = {
  scope: TenantScope
  meetingId: string
  buffer: ReturnType<typeof entryBuffer>
  /** Whether a user may read the meeting now. */
  mayRead(userId: string): Promise<boolean>
  /** Limits concurrent reads for clients that are far behind. */
  limitReads: <T>(work: () => Promise<T>) => Promise<T>
  /** Called when the last follower has left. */
  onEmpty(): void
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
export function feedFollowers({ scope, meetingId, buffer, mayRead, limitReads, onEmpty }: FollowersDeps) {
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
    const lastSeq = Math.min(follower.allowedSeq, buffer.lastSeq())
    if (follower.isCatchingUp || cursor >= lastSeq || connection.isFull()) return false
    if (!buffer.covers(cursor)) {
      void catchUp(follower)
      return false
    }
    const entries = buffer.readBetween(cursor, lastSeq, portionBytes)
    // Numbers have gaps: there may be nothing up to the last one that is allowed.
    if (entries.length === 0) follower.cursor = lastSeq
    send(follower, entries)
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
        if (!(await limitReads(() => mayRead(follower.userId)))) {
          lose([follower])
          break
        }
        if (!isFollowing(follower)) break
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
  const lose = (lost: Follower[]): void => {
    for (const { connection, onLost } of lost) if (remove(connection)) onLost()
  }
  const remove = (connection: Connection): boolean => {
    const wasFollowing = followers.delete(connection)
    if (wasFollowing && followers.size === 0) onEmpty()
    return wasFollowing
  }
  const isFollowing = (follower: Follower): boolean => followers.get(follower.connection) === follower

  return {
    serve,
    size: () => followers.size,
    userIds: () => [...new Set(followers.values().map(({ userId }) => userId))],
    /**
     * `asked` are users who were asked about, and `readers` those of them who can read the meeting. They may be sent the
     * entries that were written before: up to `lastSeq`. The others are removed.
     */
    admit: ({ asked, readers, lastSeq }: { asked: Set<string>; readers: Set<string>; lastSeq: number }): void => {
      const known = [...followers.values()].filter(({ userId }) => asked.has(userId))
      lose(known.filter(({ userId }) => !readers.has(userId)))
      for (const follower of known) follower.allowedSeq = Math.max(follower.allowedSeq, lastSeq)
    },
    /** Sends a frame to the clients of these users. */
    tell: (readers: Set<string>, frame: object): void => {
      for (const { connection, userId } of followers.values()) if (readers.has(userId)) connection.send(frame)
    },
    /** Of entries after `cursor` the client may be sent those up to `lastSeq` at once, for its user could just read them. */
    add: (listener: FeedListener, { cursor, lastSeq }: { cursor: number; lastSeq: number }): void => {
      followers.set(listener.connection, { ...listener, cursor, allowedSeq: lastSeq, isCatchingUp: false })
      void serve()
    },
    drained: (connection: Connection): void => {
      const follower = followers.get(connection)
      while (follower !== undefined && sendNext(follower));
    },
    remove,
    loseAll: (): void => lose([...followers.values()]),
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
