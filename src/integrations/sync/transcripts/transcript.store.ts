import type { ProviderName } from '../../../providers/provider.ts'
import { many, run, sql } from '../../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../../storage/scope.ts'

export type TranscriptRow = {
  provider: ProviderName
  key: string
  integrationId: string
  meetingId: string | null
  cause: string | null
  recordedAt: Date
  now: Date
}

/** Those of the transcripts that were taken before. */
export async function listTaken(
  scope: TenantScope,
  { provider, keys }: { provider: ProviderName; keys: string[] },
): Promise<Set<string>> {
  const rows = await many(
    scope,
    sql<{ key: string }>`select transcript_key as key from integration_transcripts
      where tenant_id = ${scope.tenantId} and provider = ${provider} and transcript_key = any(${keys}::text[])`,
  )
  return new Set(rows.map(({ key }) => key))
}

/** False: it was taken before. Of two transactions that race for it, the second waits for the first. */
export async function claimTranscript(
  tx: TenantScope,
  { provider, key, integrationId, recordedAt, now }: Omit<TranscriptRow, 'meetingId' | 'cause'>,
): Promise<boolean> {
  const written = await run(
    tx,
    sql`insert into integration_transcripts (tenant_id, provider, transcript_key, integration_id, recorded_at, created_at)
      values (${tx.tenantId}, ${provider}, ${key}, ${integrationId}, ${recordedAt}, ${now}) on conflict do nothing`,
  )
  return written > 0
}

export async function saveTranscript(
  tx: TenantScope,
  { provider, key, meetingId, cause }: Pick<TranscriptRow, 'provider' | 'key' | 'meetingId' | 'cause'>,
): Promise<void> {
  await run(
    tx,
    sql`update integration_transcripts set meeting_id = ${meetingId}, cause = ${cause}
      where tenant_id = ${tx.tenantId} and provider = ${provider} and transcript_key = ${key}`,
  )
}

/** Long after their providers named them for the last time. */
export async function deleteTranscriptsBefore(scope: PlatformScope, before: Date): Promise<void> {
  await run(scope, sql`delete from integration_transcripts where created_at < ${before}`)
}
