import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CloseCode } from '../../http/sockets/close-codes.ts'
import type { Connection } from '../../http/sockets/socket-part.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Meeting, MeetingStatus } from '../meetings/meeting.rules.ts'
import { findMeeting } from '../meetings/meeting.store.ts'
import type { Entry } from '../transcripts/entry.rules.ts'
import { entryView } from '../transcripts/entry.schema.ts'
import { listChanges } from '../transcripts/transcript.store.ts'
import { type EncodedEntry, keptFrames } from './kept-frames.ts'

type Member = {
  connection: Connection
  /** What the client has been given: everything up to it, in order, once. */
  cursor: number
  isCatchingUp: boolean
}

export type MeetingFeed = ReturnType<typeof meetingFeed>

export type FeedParts = {
  scope: TenantScope
  meeting: Pick<Meeting, 'id' | 'lastSeq' | 'status'>
  /** How much of the transcript may be kept in memory for those who follow it. */
  keptBytesMax: () => number
  /** Few at a time: for those who are far behind. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** It has nobody left, or the meeting is gone. */
  onEmpty(): void
}

const gone: CloseCode = 4404
const pageEntries = 500
// What a client has no room for is read again later: entries may be long.
const catchUpEntries = 200
// What a client is given before the next one has its turn.
const portionBytes = 64 * 1024
// Longer than this nobody else waits for a thousand clients to be served.
const sliceMs = 8

/**
 * One meeting on one node: reads each new entry once, whoever wrote it and on whichever node, and gives it to everybody
 * who follows, each at their own pace.
 */
export function meetingFeed({ scope, meeting, keptBytesMax, inTurn, onEmpty }: FeedParts) {
  const { id: meetingId } = meeting
  const members = new Map<Connection, Member>()
  const kept = keptFrames(meeting.lastSeq, keptBytesMax)
  let status: MeetingStatus = meeting.status
  let looking: 'not' | 'once' | 'again' = 'not'
  let isServing = false
  let isUnserved = false

  const encode = (entry: Entry): EncodedEntry => {
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

  /** Gives what is kept to everybody who has room, a portion each in turn. */
  const serve = async (): Promise<void> => {
    isUnserved = true
    if (isServing) return
    isServing = true
    let startedMs = performance.now()
    while (isUnserved) {
      isUnserved = false
      for (const member of members.values()) {
        if (give(member)) isUnserved = true
        if (performance.now() - startedMs < sliceMs) continue
        await nextTurn()
        startedMs = performance.now()
      }
    }
    isServing = false
  }

  /** Whether there is more for it. */
  const give = (member: Member): boolean => {
    const { connection, cursor } = member
    if (member.isCatchingUp || cursor >= kept.end() || connection.isFull()) return false
    if (!kept.has(cursor)) {
      void catchUp(member)
      return false
    }
    send(member, kept.after(cursor, portionBytes))
    return true
  }

  const send = (member: Member, entries: EncodedEntry[]): void => {
    const last = entries.at(-1)
    if (last === undefined) return
    member.cursor = last.seq
    member.connection.sendEncoded(entries.map(({ bytes }) => bytes))
  }

  const sendWhileRoom = (member: Member, entries: Entry[]): void => {
    let portion: EncodedEntry[] = []
    let size = 0
    for (const encoded of entries.map(encode)) {
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

  /** From the database, a page at a time, until what is kept goes on from there or the client has enough. */
  const catchUp = async (member: Member): Promise<void> => {
    member.isCatchingUp = true
    try {
      while (isMember(member) && !member.connection.isFull() && !kept.has(member.cursor)) {
        const { entries } = await inTurn(() =>
          listChanges(scope, meetingId, { afterSeq: member.cursor, limit: catchUpEntries }),
        )
        if (entries.length === 0) break
        sendWhileRoom(member, entries)
      }
    } catch {
      // The database is away: the next look tries again.
    }
    member.isCatchingUp = false
    if (kept.has(member.cursor)) void serve()
  }
  const isMember = (member: Member): boolean => members.get(member.connection) === member

  const refresh = async (): Promise<void> => {
    const now = await findMeeting(scope, meetingId)
    if (now === null) return end()
    while (kept.end() < now.lastSeq) {
      const { entries } = await listChanges(scope, meetingId, { afterSeq: kept.end(), limit: pageEntries })
      if (entries.length === 0) break
      for (const entry of entries) kept.push(encode(entry))
      void serve()
    }
    if (now.status === status) return
    status = now.status
    for (const { connection } of members.values()) connection.send({ type: 'meeting.status', meetingId, status })
  }

  const end = (): void => {
    const left = [...members.keys()]
    members.clear()
    onEmpty()
    for (const connection of left) connection.close(gone, 'NOT_FOUND')
  }

  /** Reads what is new, once however many ask meanwhile. */
  const look = async (): Promise<void> => {
    if (looking !== 'not') {
      looking = 'again'
      return
    }
    do {
      looking = 'once'
      // The database is away: whoever looks regularly tries again.
      await refresh().catch(() => undefined)
    } while (stillLooking() === 'again' && members.size > 0)
    looking = 'not'
    void serve()
  }
  const stillLooking = () => looking

  return {
    meetingId,
    tenantId: scope.tenantId,
    look,
    serve,
    /** Whether there is anything here that a reader of the database would not know. */
    differs: (now: { lastSeq: number; status: MeetingStatus }) => now.lastSeq > kept.end() || now.status !== status,
    isBehind: (lastSeq: number) => lastSeq > kept.end(),
    add: (connection: Connection, cursor: number): void => {
      members.set(connection, { connection, cursor, isCatchingUp: false })
      void serve()
    },
    /** It has read what it was given. */
    drained: (connection: Connection): void => {
      const member = members.get(connection)
      while (member !== undefined && give(member));
    },
    remove: (connection: Connection): void => {
      if (members.delete(connection) && members.size === 0) onEmpty()
    },
  }
}
