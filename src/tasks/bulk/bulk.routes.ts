import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { taskAccess as access, base, tag } from '../access.ts'
import { BulkChange, BulkChanged } from './bulk.schema.ts'
import type { Bulk } from './bulk.service.ts'

export function bulkRoute({ bulk, members }: { bulk: Bulk; members: OrganizationMembers }): Route {
  return route({
    method: 'POST',
    path: `${base}/bulk`,
    name: 'changeOrgTasks',
    tag,
    summary: 'Change many tasks at once',
    description: 'All of them or none: `errors` names each task that refuses the change.',
    access,
    body: BulkChange,
    answers: { 200: BulkChanged },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'QUOTA_EXCEEDED', 'NOT_FOUND'],
    idempotent: true,
    authorizeRepeat: ({ scope, user, params: { orgId } }) => members.get(scope, user, { orgId }),
    handle: async ({ scope, user, params: { orgId }, body }) => {
      const changed = await bulk.change(scope, user, { orgId, ...body })
      const tasks = changed.map(({ id, status, revision }) => ({ id, status, revision }))
      return { ...ok({ tasks }), subjectId: orgId }
    },
  })
}
