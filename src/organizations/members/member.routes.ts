import { admin } from '../../http/access/access.ts'
import { noContent, ok } from '../../http/answer.ts'
import { resolveTenantScope, type TenantExists } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { orgAccess as access, base, tag } from '../access.ts'
import { getOrganization } from '../membership.ts'
import {
  MemberDetail,
  MemberList,
  MemberQuery,
  memberView,
  NewMember,
  OwnChange,
  RemovalQuery,
  RoleChange,
} from './member.schema.ts'
import { type Members, requireStillMember } from './member.service.ts'
import { listMembers } from './member.store.ts'

type Deps = { members: Members; tenantExists: TenantExists }

const path = `${base}/:orgId/members`

export function memberRoutes(deps: Deps): Route[] {
  return [listRoute(), ...ownRoutes(deps), ...managingRoutes(deps), ...provisioningRoutes(deps)]
}

function listRoute(): Route {
  return route({
    method: 'GET',
    path,
    name: 'listOrgMembers',
    tag,
    summary: 'List the members of an organization',
    description: 'In the order in which they joined. Every member may read the list.',
    access,
    query: MemberQuery,
    answers: { 200: MemberList },
    handle: async ({ scope, user, params: { orgId }, query: { page = 1, limit = 20 } }) => {
      await getOrganization(scope, user, { orgId })
      const { items, total } = await listMembers(scope, orgId, { page, limit })
      return ok({ members: items.map(memberView), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function ownRoutes({ members }: Deps): Route[] {
  return [
    route({
      method: 'PATCH',
      path: `${path}/me`,
      name: 'updateOwnOrgMembership',
      tag,
      summary: 'Choose which mails you get from an organization',
      access,
      body: OwnChange,
      answers: { 200: MemberDetail },
      handle: async ({ scope, user, params: { orgId }, body: { notifications } }) =>
        ok({ member: memberView(await members.notify(scope, { orgId, userId: user.id, ...notifications })) }),
    }),
    route({
      method: 'DELETE',
      path: `${path}/me`,
      name: 'leaveOrg',
      tag,
      summary: 'Leave an organization',
      description:
        'Your meetings of the organization become private, what was shared with you no longer is, your tasks are unassigned, your calendar ends, and the pending invitations that you sent are revoked. The last owner cannot leave.',
      access,
      answers: { 204: null },
      refusals: ['STATE_CONFLICT'],
      handle: async ({ scope, user, params: { orgId } }) => {
        await members.leave(scope, user, orgId)
        return noContent()
      },
    }),
  ]
}

function managingRoutes({ members }: Deps): Route[] {
  return [
    route({
      method: 'PATCH',
      path: `${path}/:userId`,
      name: 'updateOrgMember',
      tag,
      summary: 'Change the role of a member',
      description:
        'Admins can change viewers and members. Only owners can appoint and change admins and owners. The last owner stays owner.',
      access,
      body: RoleChange,
      answers: { 200: MemberDetail },
      refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
      handle: async ({ scope, user, params: { orgId, userId }, body: { role } }) =>
        ok({ member: memberView(await members.changeRole(scope, user, { orgId, userId }, role)) }),
    }),
    route({
      method: 'DELETE',
      path: `${path}/:userId`,
      name: 'removeOrgMember',
      tag,
      summary: 'Remove a member from an organization',
      description:
        'For admins, and for owners where the member is an admin or an owner. The effects are the same as when a member leaves.',
      access,
      query: RemovalQuery,
      answers: { 204: null },
      refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
      handle: async ({ scope, user, params: { orgId, userId }, query }) => {
        await members.remove(scope, user, { orgId, userId }, query.meetingsTo ?? null)
        return noContent()
      },
    }),
  ]
}

const provisioning = {
  tag,
  description:
    'Without an invitation, for a user of the tenant. A member gets the given role. With `owner` you can give an organization an owner again.',
  body: NewMember,
  answers: { 200: MemberDetail, 201: MemberDetail },
} as const

function provisioningRoutes({ members, tenantExists }: Deps): Route[] {
  const answer = ({ member, isNew }: Awaited<ReturnType<Members['provision']>>) => {
    const body = { member: memberView(member) }
    return { ...(isNew ? { status: 201 as const, body } : ok(body)), subjectId: member.userId }
  }
  return [
    route({
      method: 'POST',
      path,
      name: 'addOrgMember',
      summary: 'Make a user a member of an organization (administrators of the tenant)',
      ...provisioning,
      access,
      refusals: ['INSUFFICIENT_ROLE', 'QUOTA_EXCEEDED', 'STATE_CONFLICT', 'NOT_FOUND'],
      idempotent: true,
      authorizeRepeat: async ({ scope, user, params: { orgId }, subjectId }) => {
        await members.requireAdministrator(scope, user, orgId)
        await requireStillMember(scope, orgId, subjectId)
      },
      handle: async ({ scope, user, params: { orgId }, body: { userId, role } }) =>
        answer(await members.add(scope, user, { orgId, userId }, role)),
    }),
    route({
      method: 'POST',
      path: '/admin/tenants/:tenantId/orgs/:orgId/members',
      name: 'addTenantOrgMember',
      summary: 'Make a user a member of an organization of a tenant',
      ...provisioning,
      access: admin('OWNER'),
      refusals: ['QUOTA_EXCEEDED', 'STATE_CONFLICT', 'NOT_FOUND', 'TENANT_SUSPENDED'],
      idempotent: true,
      authorizeRepeat: async ({ platform, params: { tenantId, orgId }, subjectId }) =>
        requireStillMember(await resolveTenantScope(platform, tenantId, tenantExists), orgId, subjectId),
      handle: async ({ platform, params: { tenantId, orgId }, body: { userId, role } }) => {
        const scope = await resolveTenantScope(platform, tenantId, tenantExists)
        return answer(await members.provision(scope, { orgId, userId }, role))
      },
    }),
  ]
}
