import type { Actor } from '../../kernel/caller.ts'
import type { Page as ListPage, PageRequest } from '../../kernel/paging.ts'
import { listPage, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { PageCopy, PageStatus } from './page.rules.ts'
import type { PageAction } from './page-revision.schema.ts'

/** Older revisions are deleted when a new one is written. */
const keptMax = 50

export type RevisionRow = {
  number: number
  action: PageAction
  isDraft: boolean
  slug: string
  title: string
  status: PageStatus
  note: string | null
  actorType: Actor['type']
  actorId: string | null
  actorLabel: string
  createdAt: Date
}

export type NewRevision = Omit<RevisionRow, 'title' | 'actorType' | 'actorId' | 'actorLabel'> & {
  pageId: string
  snapshot: PageCopy
}

const columns = sql`number, action, is_draft as "isDraft", slug, snapshot->>'title' as title, status, note,
  actor_type as "actorType", actor_id as "actorId", actor_label as "actorLabel", created_at as "createdAt"`

/** With the caller as its author. */
export async function addRevision(tx: PlatformScope, revision: NewRevision): Promise<void> {
  const { pageId, number, action, isDraft, slug, status, note, snapshot, createdAt } = revision
  const { type, id, label } = tx.caller.actor
  await run(
    tx,
    sql`insert into page_revisions (page_id, number, action, is_draft, slug, status, note, actor_type, actor_id, actor_label, snapshot, created_at)
      values (${pageId}, ${number}, ${action}, ${isDraft}, ${slug}, ${status}, ${note}, ${type}, ${id}, ${label},
        ${JSON.stringify(snapshot)}::jsonb, ${createdAt})`,
  )
  if (number > keptMax)
    await run(tx, sql`delete from page_revisions where page_id = ${pageId} and number <= ${number - keptMax}`)
}

export async function listRevisions(
  platform: PlatformScope,
  pageId: string,
  page: PageRequest,
): Promise<ListPage<RevisionRow>> {
  return listPage<RevisionRow>(platform, page, {
    columns,
    from: sql`from page_revisions where page_id = ${pageId}`,
    orderBy: sql`number desc`,
  })
}

/** Refuses with NOT_FOUND, also for a revision that was deleted. */
export function getRevision(
  platform: PlatformScope,
  { pageId, number }: { pageId: string; number: number },
): Promise<RevisionRow & { snapshot: PageCopy }> {
  return one(
    platform,
    sql<
      RevisionRow & { snapshot: PageCopy }
    >`select ${columns}, snapshot from page_revisions where page_id = ${pageId} and number = ${number}`,
  )
}
