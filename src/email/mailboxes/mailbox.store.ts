import { many, maybeOne, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'
import type { MailboxCause, MailboxHealth } from '../configs/mailbox-health.rules.ts'

/** A mailbox that this process may read. */
export type ClaimedMailbox = Owner & {
  tenantId: string
  /** What arrived before is not ours to read. */
  since: Date
  /** Null: never read. */
  uidValidity: string | null
  lastUid: number
}

/** Who reads a mailbox. All its statements change nothing once another process does. */
type Held = { ownerId: string; holder: string }

const health = sql`cause, detail, failures, looked_at as "lookedAt", next_look_at as "nextLookAt"`

export function findHealth(scope: TenantScope, ownerId: string): Promise<MailboxHealth | null> {
  return maybeOne(
    scope,
    sql<MailboxHealth>`select ${health} from email_mailboxes where tenant_id = ${scope.tenantId} and owner_id = ${ownerId}`,
  )
}

/**
 * Makes the mailboxes of a tenant those of its settings. Changed ones are read at once, the node that reads them now stops, and
 * those of another account begin from the start.
 */
export async function adoptSettings(tx: TenantScope, now: Date): Promise<void> {
  const isSet = sql`settings -> 'inbound' ->> 'kind' = 'imap'`
  await run(
    tx,
    sql`delete from email_mailboxes m where tenant_id = ${tx.tenantId} and not exists (
      select from email_configs c where c.tenant_id = m.tenant_id and c.owner_id = m.owner_id and ${isSet})`,
  )
  await run(
    tx,
    sql`insert into email_mailboxes as m (tenant_id, owner_id, org_id, source, fingerprint, since, next_look_at)
      select tenant_id, owner_id, org_id,
        md5(concat_ws(' ', lower(settings -> 'inbound' ->> 'host'), lower(settings -> 'inbound' ->> 'userName'))),
        md5(concat_ws(' ', settings ->> 'inbound', encode(inbound_password_sealed, 'hex'))), ${now}, ${now}
      from email_configs where tenant_id = ${tx.tenantId} and ${isSet}
      on conflict (tenant_id, owner_id) do update set source = excluded.source, fingerprint = excluded.fingerprint,
        since = case when m.source = excluded.source then m.since else excluded.since end,
        uid_validity = case when m.source = excluded.source then m.uid_validity end,
        last_uid = case when m.source = excluded.source then m.last_uid else 0 end,
        next_look_at = excluded.next_look_at, failures = 0, cause = null, detail = null, holder = null, leased_until = null
      where m.fingerprint <> excluded.fingerprint`,
  )
}

/** A mailbox that failed is read at once. */
export async function hurry(tx: TenantScope, { ownerId, now }: { ownerId: string; now: Date }): Promise<void> {
  await run(
    tx,
    sql`update email_mailboxes set next_look_at = ${now}, failures = 0
      where tenant_id = ${tx.tenantId} and owner_id = ${ownerId} and cause is not null`,
  )
}

type Claim = { holder: string; now: Date; until: Date; limit: number }

const isActive: Sql = sql`exists (select from tenants t where t.id = m.tenant_id and t.status = 'ACTIVE' and t.deleted_at is null)`

/** Those that are due and that nobody reads. Of several processes at once one gets each. */
export function claimDue(platform: PlatformScope, { holder, now, until, limit }: Claim): Promise<ClaimedMailbox[]> {
  return many(
    platform,
    sql<ClaimedMailbox>`update email_mailboxes m set holder = ${holder}, leased_until = ${until}
      where (tenant_id, owner_id) in (
          select tenant_id, owner_id from email_mailboxes
          where next_look_at <= ${now} and (leased_until is null or leased_until <= ${now})
          order by next_look_at limit ${limit} for update skip locked)
        and ${isActive}
      returning tenant_id as "tenantId", owner_id as "ownerId", org_id as "orgId", since,
        uid_validity::text as "uidValidity", last_uid::float8 as "lastUid"`,
  )
}

/** Keeps the mailboxes of this process. Those that are not returned it has to let go. */
export function renewLeases(
  platform: PlatformScope,
  { holder, now, until }: Omit<Claim, 'limit'>,
): Promise<{ tenantId: string; ownerId: string }[]> {
  return many(
    platform,
    sql<{ tenantId: string; ownerId: string }>`update email_mailboxes m set leased_until = ${until}
      where holder = ${holder} and leased_until > ${now} and ${isActive}
      returning tenant_id as "tenantId", owner_id as "ownerId"`,
  )
}

/** False where another process reads the mailbox now. */
export async function saveCursor(
  scope: TenantScope,
  { ownerId, holder, uidValidity, lastUid }: Held & { uidValidity: string; lastUid: number },
): Promise<boolean> {
  const saved = await run(
    scope,
    sql`update email_mailboxes set uid_validity = ${uidValidity}::bigint, last_uid = ${lastUid}
      where tenant_id = ${scope.tenantId} and owner_id = ${ownerId} and holder = ${holder}`,
  )
  return saved > 0
}

/** It was read to its end. False where another process reads it now. */
export async function recordLook(
  scope: TenantScope,
  { ownerId, holder, now, nextLookAt }: Held & { now: Date; nextLookAt: Date },
): Promise<boolean> {
  const recorded = await run(
    scope,
    sql`update email_mailboxes set looked_at = ${now}, next_look_at = ${nextLookAt}, failures = 0, cause = null, detail = null
      where tenant_id = ${scope.tenantId} and owner_id = ${ownerId} and holder = ${holder}`,
  )
  return recorded > 0
}

/** Returns how often it failed in a row; null where another process reads it now. */
export function recordFailure(
  scope: TenantScope,
  { ownerId, holder, cause, detail }: Held & { cause: MailboxCause; detail: string | null },
): Promise<{ failures: number } | null> {
  return maybeOne(
    scope,
    sql<{ failures: number }>`update email_mailboxes set failures = failures + 1, cause = ${cause}, detail = ${detail}
      where tenant_id = ${scope.tenantId} and owner_id = ${ownerId} and holder = ${holder} returning failures`,
  )
}

/** Lets others read it, from that time on. */
export async function release(
  scope: TenantScope,
  { ownerId, holder, nextLookAt }: Held & { nextLookAt: Date | null },
): Promise<void> {
  await run(
    scope,
    sql`update email_mailboxes set holder = null, leased_until = null, next_look_at = coalesce(${nextLookAt}, next_look_at)
      where tenant_id = ${scope.tenantId} and owner_id = ${ownerId} and holder = ${holder}`,
  )
}

/** For an installation of one process, which has just started: the process before it is gone. */
export async function releaseAll(platform: PlatformScope): Promise<void> {
  await run(platform, sql`update email_mailboxes set holder = null, leased_until = null where holder is not null`)
}
