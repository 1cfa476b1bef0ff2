import type { TenantScope } from '../../storage/scope.ts'
import { getMeeting } from '../meetings/meeting-access.ts'
import type { Summaries } from './summary.service.ts'

/** Reads a meeting with its short summary for other capabilities, as a user may read it. */
export function summaryReader(summaries: Summaries) {
  return async (scope: TenantScope, user: { id: string }, meetingId: string) => {
    const { title, startedAt, createdAt } = await getMeeting(scope, user, meetingId)
    const { summary, contributions } = await summaries.get(scope, user, { id: meetingId, mode: 'short' })
    return { title, at: startedAt ?? createdAt, summary, speakers: contributions.map(({ speaker }) => speaker) }
  }
}
