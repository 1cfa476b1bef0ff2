import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { FeatureName, ProviderName } from '../../providers/provider.ts'
import { listPage, many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { Action, ActionStatus } from './action.rules.ts'

const columns = sql`a.tenant_id as "tenantId", a.id, a.integration_id as "integrationId", a.action, a.subject_id as "subjectId", a.target,
  a.target_key as "targetKey", a.user_id as "userId", a.status, a.attempts, a.sent_at as "sentAt", a.leased_until as "leasedUntil",
  a.next_try_at as "nextTryAt", a.external_id as "externalId", a.external_url as "externalUrl", a.cause, a.created_at as "createdAt",
  a.updated_at as "updatedAt"`

/** False: the same was asked for before. */
export async function insertAction(tx: TenantScope, action: Action): Promise<boolean> {
  const it = action
  const inserted = await run(
    tx,
    sql`insert into integration_actions (tenant_id, id, integration_id, action, subject_id, target, target_key, user_id, status, created_at,
        updated_at)
      values (${tx.tenantId}, ${it.id}, ${it.integrationId}, ${it.action}, ${it.subjectId}, ${JSON.stringify(it.target)}::jsonb,
        ${it.targetKey}, ${it.userId}, 'queued', ${it.createdAt}, ${it.createdAt})
      on conflict (tenant_id, integration_id, action, subject_id, target_key) do nothing`,
  )
  return inserted === 1
}

export type ActionKey = Pick<Action, 'integrationId' | 'action' | 'subjectId' | 'targetKey'>

export function findByKey(scope: TenantScope, key: ActionKey): Promise<Action | null> {
  return maybeOne(scope, byKey(scope, key))
}

export function lockByKey(tx: TenantScope, key: ActionKey): Promise<Action | null> {
  return maybeOne(tx, sql<Action>`${byKey(tx, key)} for no key update`)
}

const byKey = ({ tenantId }: TenantScope, key: ActionKey) =>
  sql<Action>`select ${columns} from integration_actions a where a.tenant_id = ${tenantId} and a.integration_id = ${key.integrationId}
    and a.action = ${key.action} and a.subject_id = ${key.subjectId} and a.target_key = ${key.targetKey}`

export function findAction(scope: TenantScope, id: string): Promise<Action | null> {
  return maybeOne(
    scope,
    sql<Action>`select ${columns} from integration_actions a where a.tenant_id = ${scope.tenantId} and a.id = ${id}`,
  )
}

export function lockAction(tx: TenantScope, id: string): Promise<Action | null> {
  return maybeOne(
    tx,
    sql<Action>`select ${columns} from integration_actions a
      where a.tenant_id = ${tx.tenantId} and a.id = ${id} for no key update`,
  )
}

export type ActionSearch = {
  owner: { userId: string } | { orgId: string }
  integrationId: string | undefined
  status: ActionStatus | undefined
}

export function listActions(
  scope: TenantScope,
  { owner, integrationId, status }: ActionSearch,
  page: PageRequest,
): Promise<Page<Action>> {
  const owned = 'userId' in owner ? sql`i.user_id = ${owner.userId}` : sql`i.org_id = ${owner.orgId}`
  const conditions = [
    sql`a.tenant_id = ${scope.tenantId} and ${owned}`,
    ...(integrationId === undefined ? [] : [sql`a.integration_id::text = ${integrationId}`]),
    ...(status === undefined ? [] : [sql`a.status = ${status}`]),
  ]
  return listPage<Action>(scope, page, {
    columns,
    from: sql`from integration_actions a join integrations i on i.tenant_id = a.tenant_id and i.id = a.integration_id
      where ${sql.join(conditions, sql` and `)}`,
    orderBy: sql`a.created_at desc, a.id desc`,
  })
}

/** Writes what a step of sending changes. */
export async function saveAction(tx: TenantScope, action: Action, now: Date): Promise<void> {
  const it = action
  await run(
    tx,
    sql`update integration_actions set status = ${it.status}, attempts = ${it.attempts}, sent_at = ${it.sentAt},
        leased_until = ${it.leasedUntil}, next_try_at = ${it.nextTryAt}, external_id = ${it.externalId}, external_url = ${it.externalUrl},
        cause = ${it.cause}, user_id = ${it.userId}, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${it.id}`,
  )
}

/** Those that wait for their integration, or for anything else. */
export function listWaiting(tx: TenantScope, integrationId: string): Promise<{ id: string }[]> {
  return many(
    tx,
    sql<{
      id: string
    }>`select id from integration_actions where tenant_id = ${tx.tenantId} and integration_id = ${integrationId}
      and status in ('queued', 'uncertain')`,
  )
}

export function deleteActionsBefore(platform: PlatformScope, before: Date): Promise<number> {
  return run(
    platform,
    sql`delete from integration_actions where updated_at < ${before} and status in ('done', 'failed', 'cancelled')
      and action not in ('export_meeting', 'create_issue')`,
  )
}

export type Rule = {
  integrationId: string
  provider: ProviderName
  feature: FeatureName
  target: Record<string, string>
}

/** The rules of an organization that make the action at this moment. */
export function listRules(
  tx: TenantScope,
  { orgId, when }: { orgId: string; when: 'completed' | 'accepted' },
): Promise<Rule[]> {
  return many(
    tx,
    sql<Rule>`select i.id as "integrationId", i.provider, f.feature ->> 'name' as feature,
        coalesce(f.feature -> 'settings' -> 'target', '{}'::jsonb) as target
      from integrations i cross join lateral jsonb_array_elements(i.features) as f(feature)
      where i.tenant_id = ${tx.tenantId} and i.org_id = ${orgId} and i.status in ('active', 'reauth_required')
        and f.feature ->> 'status' = 'on' and f.feature -> 'settings' ->> 'when' = ${when}`,
  )
}

/**
 * What rules of organizations have exported of these meetings, or are about to: what is read for one that waits may be what was there
 * before this transaction.
 */
export function listRuledExports(tx: TenantScope, meetingIds: readonly string[]): Promise<Action[]> {
  return many(
    tx,
    sql<Action>`select ${columns}
      from integration_actions a join integrations i on i.tenant_id = a.tenant_id and i.id = a.integration_id
        cross join lateral jsonb_array_elements(i.features) as f(feature)
      where a.tenant_id = ${tx.tenantId} and a.subject_id = any (${meetingIds}::uuid[]) and a.action = 'export_meeting'
        and a.status in ('queued', 'sending', 'uncertain', 'done') and a.user_id is not null and i.org_id is not null and f.feature ->> 'name' = 'export'
        and f.feature ->> 'status' = 'on' and f.feature -> 'settings' ->> 'when' = 'completed'
      order by a.id`,
  )
}

/**
 * An account of the provider that may answer in chats. `accountId`: the workspace; null where accounts are people. `owner`: whose it
 * has to be; null: anybody's.
 */
export async function findAnswering(
  scope: TenantScope,
  {
    provider,
    accountId,
    owner,
  }: {
    provider: ProviderName
    accountId: string | null
    owner: { userId: string | null; orgId: string | null } | null
  },
): Promise<string | null> {
  const isOn = JSON.stringify([{ name: 'answer', status: 'on' }])
  const conditions = [
    sql`tenant_id = ${scope.tenantId} and provider = ${provider} and status in ('active', 'reauth_required')`,
    sql`features @> ${isOn}::jsonb`,
    ...(accountId === null ? [] : [sql`account_id = ${accountId}`]),
    ...(owner === null ? [] : [owner.orgId === null ? sql`user_id = ${owner.userId}` : sql`org_id = ${owner.orgId}`]),
  ]
  const found = await maybeOne(
    scope,
    sql<{ id: string }>`select id from integrations where ${sql.join(conditions, sql` and `)}
      order by status = 'active' desc, created_at, id limit 1`,
  )
  return found?.id ?? null
}

export async function forgetActor(tx: TenantScope, userId: string): Promise<void> {
  await run(
    tx,
    sql`update integration_actions set user_id = null where tenant_id = ${tx.tenantId} and user_id = ${userId}`,
  )
}

/** What is erased here is no longer written anywhere. */
export async function deleteOfSubjects(tx: TenantScope, subjectIds: string[]): Promise<void> {
  await run(
    tx,
    sql`delete from integration_actions where tenant_id = ${tx.tenantId}
      and subject_id in (select id::uuid from jsonb_array_elements_text(${JSON.stringify(subjectIds)}::jsonb) as erased(id))`,
  )
}
