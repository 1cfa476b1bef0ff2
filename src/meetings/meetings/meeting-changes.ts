import type { FanOut, Listener } from '../../storage/fan-out.ts'
import type { TenantScope } from '../../storage/scope.ts'

/**
 * Called in the transaction of every change of a meeting: with its commit those who follow the meeting, on all nodes,
 * are told to look again. The news say nothing else: who may see what is the database's to say.
 */
export type NotifyMeetingChange = (tx: TenantScope, meeting: { id: string; lastSeq?: number }) => void

/** `lastSeq`: where its transcript ends at least; null: something else may have changed, or it is gone. */
export type MeetingChangeNotice = { tenantId: string; meetingId: string; lastSeq: number | null }

const channel = 'assistant.meetings'

export function meetingChangeNotifier(fanOut: FanOut): NotifyMeetingChange {
  return (tx, { id: meetingId, lastSeq = null }) => {
    const news: MeetingChangeNotice = { tenantId: tx.tenantId, meetingId, lastSeq }
    tx.handle.afterCommit(() => fanOut.publish(channel, JSON.stringify(news)))
  }
}

/** Gives the function that ends it. */
export function subscribeToMeetingChanges(
  fanOut: FanOut,
  { news, gap }: { news(news: MeetingChangeNotice): void; gap: Listener['gap'] },
): () => void {
  return fanOut.subscribe(channel, { gap, message: (text) => news(JSON.parse(text) as MeetingChangeNotice) })
}
