import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { CheckedStatus, Owner } from '../configs/config.rules.ts'
import type { Step, Verification } from './verification.rules.ts'

const columns = sql`id, owner_id as "ownerId", org_id as "orgId", status, steps, token, fingerprint, deadline,
  created_at as "createdAt", ended_at as "endedAt"`

export async function insertVerification(tx: TenantScope, verification: Verification): Promise<void> {
  const { id, ownerId, orgId, token, fingerprint, deadline, createdAt } = verification
  await run(
    tx,
    sql`insert into email_verifications (tenant_id, id, owner_id, org_id, status, token, fingerprint, deadline, created_at)
      values (${tx.tenantId}, ${id}, ${ownerId}, ${orgId}, 'running', ${token}, ${fingerprint}, ${deadline}, ${createdAt})`,
  )
}

export function findVerification(
  scope: TenantScope,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<Verification | null> {
  return maybeOne(
    scope,
    sql<Verification>`select ${columns} from email_verifications
      where tenant_id = ${scope.tenantId} and id = ${id} and owner_id = ${ownerId}`,
  )
}

export function findRunningById(scope: TenantScope, id: string): Promise<Verification | null> {
  return maybeOne(
    scope,
    sql<Verification>`select ${columns} from email_verifications
      where tenant_id = ${scope.tenantId} and id = ${id} and status = 'running'`,
  )
}

/** The one that runs, locked until the transaction ends. */
export function lockRunning(tx: TenantScope, ownerId: string): Promise<Verification | null> {
  return maybeOne(
    tx,
    sql<Verification>`select ${columns} from email_verifications
      where tenant_id = ${tx.tenantId} and owner_id = ${ownerId} and status = 'running' for update`,
  )
}

/** Notes what was found so far. False if it has ended. */
export async function saveSteps(
  scope: TenantScope,
  { id, steps, deadline }: { id: string; steps: readonly Step[]; deadline: Date },
): Promise<boolean> {
  const saved = await run(
    scope,
    sql`update email_verifications set steps = ${JSON.stringify(steps)}::jsonb, deadline = ${deadline}
      where tenant_id = ${scope.tenantId} and id = ${id} and status = 'running'`,
  )
  return saved > 0
}

type End = { id: string; status: 'passed' | 'failed'; steps: readonly Step[]; now: Date }

/** False where it has ended: the first of two calls at once ends it. */
export async function endVerification(tx: TenantScope, { id, status, steps, now }: End): Promise<boolean> {
  const ended = await run(
    tx,
    sql`update email_verifications set status = ${status}, steps = ${JSON.stringify(steps)}::jsonb, ended_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id} and status = 'running'`,
  )
  return ended > 0
}

export type Overdue = { tenantId: string; ownerId: string }

export function listOverdue(platform: PlatformScope, now: Date): Promise<Overdue[]> {
  return many(
    platform,
    sql<Overdue>`select tenant_id as "tenantId", owner_id as "ownerId" from email_verifications
      where status = 'running' and deadline < ${now} order by deadline limit 200`,
  )
}

export async function deleteVerificationsBefore(platform: PlatformScope, before: Date): Promise<number> {
  return run(
    platform,
    sql`delete from email_verifications where ctid = any (array(
      select ctid from email_verifications where created_at < ${before} order by created_at limit 500))`,
  )
}

/** Sets what is known of a level. Not a change of its settings: its revision stays. */
export async function saveChecked(
  tx: TenantScope,
  { ownerId, sending, receiving }: { ownerId: string; sending: CheckedStatus; receiving: CheckedStatus },
): Promise<void> {
  await run(
    tx,
    sql`update email_configs set sending = ${sending}, receiving = ${receiving}
      where tenant_id = ${tx.tenantId} and owner_id = ${ownerId}`,
  )
}

/** A verified domain was lost, or a lost one found again. False where its level has another status or sender by now. */
export async function changeSending(
  tx: TenantScope,
  change: { ownerId: string; fromAddress: string; from: CheckedStatus; to: CheckedStatus },
): Promise<boolean> {
  const { ownerId, fromAddress, from, to } = change
  const changed = await run(
    tx,
    sql`update email_configs set sending = ${to} where tenant_id = ${tx.tenantId} and owner_id = ${ownerId}
      and sending = ${from} and settings -> 'identity' ->> 'fromAddress' = ${fromAddress}`,
  )
  return changed > 0
}

export type OwnDomain = Owner & { tenantId: string; fromAddress: string }

/** The levels with a sender of their own that was verified, after this one. */
export function listOwnDomains(platform: PlatformScope, after: OwnDomain | null, limit: number): Promise<OwnDomain[]> {
  const isNext = after === null ? sql`true` : sql`(tenant_id, owner_id) > (${after.tenantId}, ${after.ownerId})`
  return many(
    platform,
    sql<OwnDomain>`select tenant_id as "tenantId", owner_id as "ownerId", org_id as "orgId",
        settings -> 'identity' ->> 'fromAddress' as "fromAddress"
      from email_configs where sending <> 'unverified' and settings -> 'identity' ->> 'fromAddress' is not null and ${isNext}
      order by tenant_id, owner_id limit ${limit}`,
  )
}
