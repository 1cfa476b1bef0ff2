import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { orgAccess as access, base, tag } from '../access.ts'
import { MemberDetail, memberView, Transfer } from '../members/member.schema.ts'
import { type Members, requireStillMember } from '../members/member.service.ts'
import { getOrganization } from '../membership.ts'

export function transferRoute(members: Members): Route {
  return route({
    method: 'POST',
    path: `${base}/:orgId/transfer`,
    name: 'transferOrg',
    tag,
    summary: 'Hand an organization to another member',
    description: 'For owners. The member becomes owner and you become admin.',
    access,
    body: Transfer,
    answers: { 200: MemberDetail },
    refusals: ['INSUFFICIENT_ROLE', 'NOT_FOUND'],
    idempotent: true,
    authorizeRepeat: async ({ scope, user, params: { orgId }, subjectId }) => {
      await getOrganization(scope, user, { orgId })
      await requireStillMember(scope, orgId, subjectId)
    },
    handle: async ({ scope, user, params: { orgId }, body: { userId } }) => {
      const member = await members.transfer(scope, user, { orgId, userId })
      return { ...ok({ member: memberView(member) }), subjectId: member.userId }
    },
  })
}
