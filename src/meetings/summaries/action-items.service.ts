import type { TenantScope } from '../../storage/scope.ts'
import type { Writer } from '../../summarizer/writing/writer.ts'
import { formatTimestamp } from '../entries/entry.rules.ts'
import { findEntries } from '../entries/entry.store.ts'
import { settingsDefault } from '../meetings/meeting.rules.ts'
import { getMeeting, lockMeetingFor, requireAccess } from '../meetings/meeting-access.ts'
import { type DiscussedMeeting, findDiscussed, holdDiscussed } from './action-item.store.ts'
import { citedSeqs } from './summary.view.ts'
import { readTranscript } from './transcript-material.ts'

/** In the words of the meeting. `seqs`: the entries that say so, in their order. */
export type ActionItem = { text: string; owner: string | null; due: string | null; seqs: number[] }
export type CitedEntry = { seq: number; speaker: string; text: string; timestamp: string }

export type MeetingActionItems = { meeting: DiscussedMeeting; items: ActionItem[] }

type User = { id: string }

/** How long the items of an unchanged transcript are remembered: a long one takes a worker seconds each time. */
const rememberedMs = 60_000
/** Some ten kilobytes each. */
const rememberedMax = 100

export type ActionItems = ReturnType<typeof actionItemService>

/** What was promised or given out in a meeting, for those who make tasks of it. */
export function actionItemService({ writer }: { writer: Writer }) {
  const remembered = new Map<string, Promise<ActionItem[]>>()

  /** Refuses with NOT_FOUND, and readers who may not change the meeting with INSUFFICIENT_ROLE. */
  const requireWriter = async (scope: TenantScope, user: User, meetingId: string): Promise<void> => {
    requireAccess(await getMeeting(scope, user, meetingId), 'write')
  }

  /** By the local engine, in a worker. Null for an unknown meeting. Refuses with UNAVAILABLE. */
  async function find(scope: TenantScope, meetingId: string): Promise<MeetingActionItems | null> {
    const meeting = await findDiscussed(scope, meetingId)
    if (meeting === null) return null
    const key = JSON.stringify([scope.tenantId, meeting.id, meeting.contentRevision, meeting.title])
    const items = remembered.get(key) ?? remember(key, readItems(scope, meeting))
    return { meeting, items: await items }
  }

  async function readItems(scope: TenantScope, meeting: DiscussedMeeting): Promise<ActionItem[]> {
    const { summaryMode: mode, personality } = settingsDefault
    const { material, seqs } = await readTranscript(scope, meeting, { mode, personality })
    const { actionItems } = await writer.local(material)
    return actionItems.map((it) => ({
      text: it.text,
      owner: it.owner ?? null,
      due: it.due ?? null,
      seqs: citedSeqs(it, seqs),
    }))
  }

  /** Those who ask at the same time, or soon after, share one reading. */
  function remember(key: string, items: Promise<ActionItem[]>): Promise<ActionItem[]> {
    const forget = () => remembered.delete(key)
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= rememberedMax) remembered.delete(oldest)
    remembered.set(key, items)
    items.then(() => setTimeout(forget, rememberedMs).unref(), forget)
    return items
  }

  /**
   * The meeting as it is, with the entries that these items cite and that are still what was read then. Keeps both as they
   * are until the transaction ends. Null for an unknown meeting. With a user it refuses as `requireWriter`.
   */
  async function hold(
    tx: TenantScope,
    { user, found: { meeting, items } }: { user: User | null; found: MeetingActionItems },
  ): Promise<{ meeting: DiscussedMeeting; entries: CitedEntry[] } | null> {
    if (user !== null) await lockMeetingFor(tx, { user, id: meeting.id }, 'write')
    const current = await holdDiscussed(tx, meeting.id)
    if (current === null) return null
    const entries = await findEntries(tx, meeting.id, [...new Set(items.flatMap(({ seqs }) => seqs))])
    return {
      meeting: current,
      entries: entries
        .filter(({ changedSeq }) => changedSeq <= meeting.lastSeq)
        .map(({ seq, speaker, text, offsetSeconds }) => ({
          seq,
          speaker,
          text,
          timestamp: formatTimestamp(offsetSeconds),
        })),
    }
  }

  return { requireWriter, find, hold }
}
