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
export type MeetingChangeNotice = { tenantId: string; meetingId: string; lastSeq: number | null }

const channel = 'assistant.meetings'

export function meetingChangeNotifier(fanOut: FanOut): NotifyMeetingChange {
  return (tx, { id: meetingId, lastSeq = null }) => {
    const notice: MeetingChangeNotice = { tenantId: tx.tenantId, meetingId, lastSeq }
    tx.handle.afterCommit(() => fanOut.publish(channel, JSON.stringify(notice)))
  }
}

/** Returns the function that ends the subscription. */
export function subscribeToMeetingChanges(
  fanOut: FanOut,
  { notice, gap }: { notice(notice: MeetingChangeNotice): void; gap: Listener['gap'] },
): () => void {
  return fanOut.subscribe(channel, { gap, message: (text) => notice(JSON.parse(text) as MeetingChangeNotice) })
}
