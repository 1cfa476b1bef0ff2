import type { Clock } from '../../../kernel/clock.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { RecordedMeetings } from '../../../meetings/index.ts'
import { meetingTitle } from '../../../providers/calendars/calendar-event.ts'
import type { AskLink } from '../../../providers/provider-links.ts'
import { ReadFailure } from '../../../providers/read-failure.ts'
import {
  type ListedTranscript,
  type SourceTranscript,
  type TranscriptSource,
  transcriptSources,
} from '../../../providers/transcripts/transcript-sources.ts'
import { type TenantScope, transaction } from '../../../storage/scope.ts'
import type { Integration } from '../../integrations/integration.rules.ts'
import type { CallApi } from '../../tokens/provider-calls.ts'
import { claimTranscript, listTaken, saveTranscript } from './transcript.store.ts'

export type TranscriptDeps = {
  clock: Clock
  callApi: CallApi
  askLink: AskLink
  recordings: RecordedMeetings
}

type Reading = { scope: TenantScope; integration: Integration; signal: AbortSignal }
type Entries = Awaited<ReturnType<RecordedMeetings['read']>>

const dayMs = 86_400_000
/** Providers take hours for a transcript, and we may be away for a while. */
const lookBackMs = 7 * dayMs

/** Brings the transcripts of recorded meetings over, each once. */
export function transcriptSync({ clock, callApi, askLink, recordings }: TranscriptDeps) {
  /** Throws GrantFailure, ProviderUnreachable and ReadFailure where they cannot be read. */
  async function sync(scope: TenantScope, integration: Integration, signal: AbortSignal): Promise<void> {
    const { provider, accountId } = integration
    const now = clock.now()
    const calls = {
      api: (toRequest: Parameters<CallApi>[2]) => callApi(scope, integration.id, toRequest),
      link: (url: string, headers: Record<string, string>) => askLink(provider, url, headers),
    }
    const listing = { accountId: accountId ?? '', from: new Date(now.getTime() - lookBackMs), until: now }
    const listed = await sourceOf(integration)(calls, listing)
    const taken = await listTaken(scope, { provider, keys: listed.map(({ key }) => key) })
    const refusals: Refusal[] = []
    for (const transcript of listed) {
      if (signal.aborted) throw new ReadFailure('TIMED_OUT')
      if (!taken.has(transcript.key)) refusals.push(...(await takeOne({ scope, integration, signal }, transcript)))
    }
    if (refusals[0] !== undefined) throw new ReadFailure(refusals[0].code)
  }

  /** A limit that refuses one is asked again with the next reading. */
  async function takeOne(reading: Reading, listed: ListedTranscript): Promise<Refusal[]> {
    const found = await listed.open()
    if (found === null) return []
    const entries = await read(found)
    try {
      await take(reading, found, entries)
      return []
    } catch (error) {
      if (error instanceof Refusal) return [error]
      throw error
    }
  }

  /** Null: nothing in it can be read. */
  async function read({ bytes }: SourceTranscript): Promise<Entries | null> {
    try {
      return await recordings.read(bytes)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'VALIDATION_ERROR') return null
      throw error
    }
  }

  const take = ({ scope, integration }: Reading, found: SourceTranscript, entries: Entries | null): Promise<void> =>
    transaction(scope, async (tx) => {
      const { provider, id: integrationId, orgId } = integration
      const { key, startAt: recordedAt } = found
      const userId = integration.userId ?? integration.connectedBy
      const now = clock.now()
      if (userId === null || !(await claimTranscript(tx, { provider, key, integrationId, recordedAt, now }))) return
      if (entries === null) return saveTranscript(tx, { provider, key, meetingId: null, cause: 'UNREADABLE' })
      const owner = { user: { id: userId }, orgId }
      const recorded = { ...found, key: `${provider}:${key}`, title: meetingTitle(found.title) }
      const { meetingId, cause } = await recordings.take(tx, owner, { recorded, entries })
      await saveTranscript(tx, { provider, key, meetingId, cause })
    })

  return { sync }
}

function sourceOf({ provider }: Integration): TranscriptSource {
  if (provider === 'zoom' || provider === 'microsoft') return transcriptSources[provider]
  throw new Error(`${provider} has no transcripts`)
}
