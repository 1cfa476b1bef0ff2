import { maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Task, TaskLink } from '../tasks/task.rules.ts'
import { taskColumns } from '../tasks/task.store.ts'

/** Null for a task that is gone, or on no board. */
export async function findOrganizationOf(scope: TenantScope, id: string): Promise<string | null> {
  const found = await maybeOne(
    scope,
    sql<{
      orgId: string | null
    }>`select org_id as "orgId" from tasks where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
  return found?.orgId ?? null
}

/** The organization must be locked. */
export function lockTaskOf(tx: TenantScope, { orgId, id }: { orgId: string; id: string }): Promise<Task | null> {
  return maybeOne(
    tx,
    sql<Task>`select ${taskColumns} from tasks t
      where t.tenant_id = ${tx.tenantId} and t.id = ${id} and t.org_id = ${orgId} for no key update`,
  )
}

export type LinkChange = { id: string; link: TaskLink; formerKey: string | null }

/** Shows the issue of a task. Of several the first one is shown. */
export async function saveLink(tx: TenantScope, { id, link, formerKey }: LinkChange): Promise<void> {
  const { provider, key, url, sync } = link
  await run(
    tx,
    sql`update tasks set provider = ${provider}, external_key = ${key}, external_url = ${url}, link_sync = ${sync}
      where tenant_id = ${tx.tenantId} and id = ${id} and connection_id is null
        and (link_sync is null or (provider = ${provider} and external_key in (${key}, ${formerKey})))
        and (provider, external_key, external_url, link_sync) is distinct from (${provider}, ${key}, ${url}, ${sync})`,
  )
}

export type IssueOfTask = { id: string; provider: string; key: string }

export async function setSync(
  scope: TenantScope,
  { id, provider, key, sync }: IssueOfTask & { sync: TaskLink['sync'] },
): Promise<void> {
  await run(
    scope,
    sql`update tasks set link_sync = ${sync} where tenant_id = ${scope.tenantId} and id = ${id} and connection_id is null
      and provider = ${provider} and external_key = ${key} and link_sync <> ${sync}`,
  )
}

export async function deleteLink(tx: TenantScope, { id, provider, key }: IssueOfTask): Promise<void> {
  await run(
    tx,
    sql`update tasks set provider = null, external_key = null, external_url = null, link_sync = null, conflicts = '[]'::jsonb
      where tenant_id = ${tx.tenantId} and id = ${id} and connection_id is null and provider = ${provider}
        and external_key = ${key}`,
  )
}
