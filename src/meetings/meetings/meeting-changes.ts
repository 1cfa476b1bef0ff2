import type { FanOut, Listener } from '../../storage/fan-out.ts'
import type { TenantScope } from '../../storage/scope.ts'

/**
 * Called in the transaction of each change of a meeting. After its commit the followers of the meeting, on all nodes,
 * read it again. The notice says nothing else, because only the database decides who may see what.
 */
export type NotifyMeetingChange = (tx: TenantScope, meeting: { id: string; lastSeq?: number }) => void

/**
 * `lastSeq`: the transcript reaches at least to this number. Null: anything else may have changed, or the meeting was
 * deleted.
 */
export type MeetingChangeNotice = {
  tenantId: string
  /** Null: who may read meetings of the tenant has changed. */
  meetingId: string | null
  lastSeq: number | null
}

const channel = 'assistant.meetings'

export function meetingChangeNotifier(fanOut: FanOut): NotifyMeetingChange {
  return (tx, { id: meetingId, lastSeq = null }) => publishAfterCommit(fanOut, tx, { meetingId, lastSeq })
}

/** Called in the transaction in which people lose access to meetings, of which there may be any number. */
export type NotifyReadersChange = (tx: TenantScope) => void

export function meetingReadersNotifier(fanOut: FanOut): NotifyReadersChange {
  return (tx) => publishAfterCommit(fanOut, tx, { meetingId: null, lastSeq: null })
}

function publishAfterCommit(fanOut: FanOut, tx: TenantScope, change: Omit<MeetingChangeNotice, 'tenantId'>): void {
  const notice: MeetingChangeNotice = { tenantId: tx.tenantId, ...change }
  tx.handle.afterCommit(() => fanOut.publish(channel, JSON.stringify(notice)))
}

/** Returns the function that ends the subscription. */
export function subscribeToMeetingChanges(
  fanOut: FanOut,
  { notice, gap }: { notice(notice: MeetingChangeNotice): void; gap: Listener['gap'] },
): () => void {
  return fanOut.subscribe(channel, { gap, message: (text) => notice(JSON.parse(text) as MeetingChangeNotice) })
}
