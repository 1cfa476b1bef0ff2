import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Members } from '../members.ts'
import { emailAccess as access, type EmailUser, emailBase, emailTag as tag } from '../owner.ts'
import { getById, mayRead } from '../reading-access.ts'
import { ThreadDetail, ThreadList, ThreadQuery, threadLine, threadView } from './thread.schema.ts'
import { findThread, isCorrespondent, listThreadMessages, listThreads } from './thread.store.ts'

const base = `${emailBase}/threads` as const

export function threadRoutes(members: Members): Route[] {
  return [
    route({
      method: 'GET',
      path: base,
      name: 'listEmailThreads',
      tag,
      summary: 'List mail threads, by their newest mail',
      description: 'Admins and owners of the organization see all threads, other members those that they take part in.',
      access,
      query: ThreadQuery,
      answers: { 200: ThreadList },
      refusals: ['INSUFFICIENT_ROLE', 'NOT_FOUND'],
      handle: async ({ scope, user, query: { orgId, page = 1, limit = 20 } }) => {
        const all = await listable(members, scope, { user, orgId })
        const { items, total } = await listThreads(scope, { ...all, page, limit })
        return ok({ threads: items.map(threadLine), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: `${base}/:threadId`,
      name: 'getEmailThread',
      tag,
      summary: 'Get a mail thread with its mails',
      access,
      answers: { 200: ThreadDetail },
      handle: async ({ scope, user, params: { threadId } }) => {
        const thread = await getById(threadId, (id) => findThread(scope, id))
        const own = () => isCorrespondent(scope, { threadId, userId: user.id })
        if (!(await mayRead(members, scope, { user, orgId: thread.orgId, isCorrespondent: own }))) throw notFound()
        return ok({ thread: threadView(thread, await listThreadMessages(scope, threadId)) })
      },
    }),
  ]
}

/** Whose threads, and those of which user alone. Refuses NOT_FOUND and INSUFFICIENT_ROLE. */
async function listable(
  members: Members,
  scope: TenantScope,
  { user, orgId }: { user: EmailUser; orgId: string | undefined },
): Promise<{ ownerId: string; userId: string | null }> {
  if (orgId !== undefined) {
    const { role } = await members.get(scope, user, { orgId })
    return { ownerId: orgId, userId: role === 'owner' || role === 'admin' ? null : user.id }
  }
  if (user.role !== 'ADMIN')
    throw new Refusal('INSUFFICIENT_ROLE', { detail: 'This needs an administrator of the tenant. Or name an `orgId`.' })
  return { ownerId: scope.tenantId, userId: null }
}
