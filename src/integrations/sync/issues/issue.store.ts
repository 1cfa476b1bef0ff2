import type { ProviderName, Target } from '../../../providers/provider.ts'
import { many, maybeOne, readPipelined, run, sql } from '../../../storage/query.ts'
import type { TenantScope } from '../../../storage/scope.ts'
import type { CommonState } from './issue-merge.rules.ts'

/** The issue that a task became, or becomes. */
export type IssueLink = {
  /** That of its action `create_issue`. */
  id: string
  integrationId: string
  provider: ProviderName
  taskId: string
  container: string
  target: Target
  externalId: string | null
  externalKey: string | null
  common: CommonState | null
  version: number
}

const columns = sql`l.id, l.integration_id as "integrationId", i.provider, l.task_id as "taskId", l.container, l.target,
  l.external_id as "externalId", l.external_key as "externalKey", l.common, l.version`
const from = sql`integration_issues l join integrations i on i.tenant_id = l.tenant_id and i.id = l.integration_id`

type NewLink = Pick<IssueLink, 'id' | 'integrationId' | 'taskId' | 'container' | 'target' | 'externalId'>

export async function insertLink(tx: TenantScope, link: NewLink, now: Date): Promise<void> {
  await run(
    tx,
    sql`insert into integration_issues (tenant_id, id, integration_id, task_id, container, target, external_id, created_at)
      values (${tx.tenantId}, ${link.id}, ${link.integrationId}, ${link.taskId}, ${link.container},
        ${JSON.stringify(link.target)}::jsonb, ${link.externalId}, ${now})
      on conflict (tenant_id, id) do nothing`,
  )
}

export function findLink(scope: TenantScope, id: string): Promise<IssueLink | null> {
  return maybeOne(
    scope,
    sql<IssueLink>`select ${columns} from ${from} where l.tenant_id = ${scope.tenantId} and l.id = ${id}`,
  )
}

export type ReportedIssue = { provider: ProviderName; marker: string | null; externalId: string; externalKey: string }

/** The link of an issue that a delivery tells of, by the marker that we wrote, its id or its key. */
export function findReported(scope: TenantScope, { provider, marker, externalId, externalKey }: ReportedIssue) {
  return readPipelined(
    scope,
    sql<IssueLink>`select ${columns} from ${from} where l.tenant_id = ${scope.tenantId} and i.provider = ${provider}
        and (l.external_id = ${externalId} or (l.external_id is null and (l.id::text = ${marker} or l.external_key = ${externalKey})))
      order by l.created_at limit 1`,
  )
}

/** Those of these tasks whose issues exist. */
export function listLinksOfTasks(scope: TenantScope, taskIds: string[]): Promise<IssueLink[]> {
  return many(
    scope,
    sql<IssueLink>`select ${columns} from ${from} where l.tenant_id = ${scope.tenantId} and l.task_id = any (${taskIds}::uuid[])
      and l.common is not null and l.external_key is not null and i.status in ('active', 'reauth_required')
      and i.features @> '[{"name": "tasks", "status": "on"}]' order by l.id`,
  )
}

/** Those of a user's own integrations. */
export function listLinksOfUser(scope: TenantScope, userId: string): Promise<IssueLink[]> {
  return many(
    scope,
    sql<IssueLink>`select ${columns} from ${from} where l.tenant_id = ${scope.tenantId} and i.user_id = ${userId} order by l.id`,
  )
}

export async function deleteLinkRow(tx: TenantScope, id: string): Promise<void> {
  await run(tx, sql`delete from integration_issues where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function listLinksOfIntegration(scope: TenantScope, integrationId: string): Promise<IssueLink[]> {
  return many(
    scope,
    sql<IssueLink>`select ${columns} from ${from} where l.tenant_id = ${scope.tenantId} and l.integration_id = ${integrationId}
      order by l.id`,
  )
}

/** Those of these issues of the tracker that tasks became. */
export function listLinksOfIssues(
  scope: TenantScope,
  { integrationId, externalIds }: { integrationId: string; externalIds: string[] },
): Promise<IssueLink[]> {
  return many(
    scope,
    sql<IssueLink>`select ${columns} from ${from} where l.tenant_id = ${scope.tenantId} and l.integration_id = ${integrationId}
      and l.external_id = any (${externalIds}::text[])`,
  )
}

/** One at a time compares both sides of an issue. Null: somebody else does. */
export async function leaseLink(
  scope: TenantScope,
  { id, now, until }: { id: string; now: Date; until: Date },
): Promise<IssueLink | null> {
  const leased = await run(
    scope,
    sql`update integration_issues set leased_until = ${until}, version = version + 1, is_hinted = false
      where tenant_id = ${scope.tenantId} and id = ${id} and external_key is not null and common is not null
        and (leased_until is null or leased_until <= ${now})`,
  )
  return leased === 1 ? findLink(scope, id) : null
}

/** Only while the caller still has the lease. */
export async function releaseLink(
  scope: TenantScope,
  { id, version }: Pick<IssueLink, 'id' | 'version'>,
): Promise<void> {
  await run(
    scope,
    sql`update integration_issues set leased_until = null
      where tenant_id = ${scope.tenantId} and id = ${id} and version = ${version}`,
  )
}

type Saved = Pick<IssueLink, 'id' | 'version' | 'externalId' | 'externalKey'> & { common: CommonState }

/** False: the lease has ended, and somebody else has it. */
export async function saveCommon(tx: TenantScope, saved: Saved): Promise<boolean> {
  const written = await run(
    tx,
    sql`update integration_issues set common = ${JSON.stringify(saved.common)}::jsonb, external_id = ${saved.externalId},
        external_key = ${saved.externalKey}
      where tenant_id = ${tx.tenantId} and id = ${saved.id} and version = ${saved.version}`,
  )
  return written === 1
}

/** What is being written as a new issue is common as soon as it is there. */
export async function saveWritten(tx: TenantScope, id: string, common: CommonState): Promise<void> {
  await run(
    tx,
    sql`update integration_issues set common = ${JSON.stringify(common)}::jsonb
      where tenant_id = ${tx.tenantId} and id = ${id} and external_key is null`,
  )
}

export async function saveKey(
  tx: TenantScope,
  id: string,
  { externalId, key }: { externalId: string | null; key: string },
) {
  await run(
    tx,
    sql`update integration_issues set external_key = ${key}, external_id = coalesce(${externalId}, external_id)
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** False: a job will read the issue already. */
export async function markHinted(tx: TenantScope, id: string): Promise<boolean> {
  const marked = await run(
    tx,
    sql`update integration_issues set is_hinted = true where tenant_id = ${tx.tenantId} and id = ${id} and not is_hinted`,
  )
  return marked === 1
}

/** A removed user is named no more, and their former assignment still counts as changed. */
export async function forgetAssigneeOfIssues(tx: TenantScope, userId: string): Promise<void> {
  await run(
    tx,
    sql`update integration_issues set common = jsonb_set(common, '{ours,assigneeId}', '"removed"')
      where tenant_id = ${tx.tenantId} and common -> 'ours' ->> 'assigneeId' = ${userId}`,
  )
}

/** Of the user's own connected account: its name at the provider. */
export async function findOwnAccountName(
  scope: TenantScope,
  { provider, userId }: { provider: ProviderName; userId: string },
): Promise<string | null> {
  const found = await maybeOne(
    scope,
    sql<{ name: string | null }>`select account_name as name from integrations where tenant_id = ${scope.tenantId}
      and provider = ${provider} and user_id = ${userId} and status in ('active', 'reauth_required')
      order by created_at limit 1`,
  )
  return found?.name ?? null
}

/** Whose own connected account has this name at the provider. Null: nobody's, or several people's. */
export async function findUserOfAccount(
  scope: TenantScope,
  { provider, name }: { provider: ProviderName; name: string },
): Promise<string | null> {
  const found = await many(
    scope,
    sql<{ userId: string }>`select distinct user_id as "userId" from integrations where tenant_id = ${scope.tenantId}
      and provider = ${provider} and account_name = ${name} and user_id is not null
      and status in ('active', 'reauth_required') limit 2`,
  )
  return found.length === 1 ? (found[0]?.userId ?? null) : null
}
