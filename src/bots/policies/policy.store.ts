import { maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Provider } from '../bot.rules.ts'
import type { CalendarChoice } from './policy.rules.ts'

export type Policy = {
  orgId: string | null
  calendar: CalendarChoice
  minimumParticipants: number
  excludeWords: string[]
  provider: Provider | null
}

/** Of an organization, or of a user. Null: nothing was said. */
export function findPolicy(scope: TenantScope, ownerId: string): Promise<Policy | null> {
  return maybeOne(
    scope,
    sql<Policy>`select org_id as "orgId", calendar, minimum_participants as "minimumParticipants", exclude_words as "excludeWords", provider
      from bot_policies where tenant_id = ${scope.tenantId} and owner_id = ${ownerId}`,
  )
}

export async function writePolicy(
  tx: TenantScope,
  { ownerId, policy, now }: { ownerId: string; policy: Policy; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`insert into bot_policies (tenant_id, owner_id, org_id, calendar, minimum_participants, exclude_words, provider, updated_at)
      values (${tx.tenantId}, ${ownerId}, ${policy.orgId}, ${policy.calendar}, ${policy.minimumParticipants}, ${policy.excludeWords}::text[],
        ${policy.provider}, ${now})
      on conflict (tenant_id, owner_id) do update set calendar = excluded.calendar, minimum_participants = excluded.minimum_participants,
        exclude_words = excluded.exclude_words, provider = excluded.provider, updated_at = excluded.updated_at`,
  )
}
