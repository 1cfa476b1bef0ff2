import { noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { toPagination } from '../../kernel/paging.ts'
import { orgAccess as access, base, tag } from '../access.ts'
import { findPerson } from '../membership.store.ts'
import { getOrganization } from '../membership.ts'
import { OrganizationDetail, organizationView } from '../organizations/organization.schema.ts'
import {
  InvitationAnswered,
  InvitationDetail,
  InvitationList,
  InvitationQuery,
  invitationView,
  NewInvitation,
  ReceivedList,
  ReceivedQuery,
  receivedView,
} from './invitation.schema.ts'
import type { Invitations } from './invitation.service.ts'
import { listInvitations, listReceived } from './invitation.store.ts'

type Deps = { invitations: Invitations; clock: Clock }

const path = `${base}/:orgId/invitations`
const received = '/assistant/v1/invitations'
const refusals = ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'QUOTA_EXCEEDED', 'RATE_LIMITED'] as const

export function invitationRoutes(deps: Deps): Route[] {
  return [...listRoutes(deps), ...sendingRoutes(deps), revokeRoute(deps), ...answeringRoutes(deps)]
}

function listRoutes({ clock }: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path,
      name: 'listOrgInvitations',
      tag,
      summary: 'List the invitations of an organization',
      description: 'For admins and owners, newest first. Ended ones are listed for 90 days.',
      access,
      query: InvitationQuery,
      answers: { 200: InvitationList },
      refusals: ['INSUFFICIENT_ROLE'],
      handle: async ({ scope, user, params: { orgId }, query: { page = 1, limit = 20, status = null } }) => {
        await getOrganization(scope, user, { orgId, least: 'admin' })
        const now = clock.now()
        const { items, total } = await listInvitations(scope, { orgId, status, now }, { page, limit })
        const invitations = items.map((invitation) => invitationView(invitation, now))
        return ok({ invitations, pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: received,
      name: 'listReceivedInvitations',
      tag,
      summary: 'List the invitations that you have received',
      description: 'Pending ones, newest first. None while your e-mail address is not verified.',
      access,
      query: ReceivedQuery,
      answers: { 200: ReceivedList },
      handle: async ({ scope, user, query: { page = 1, limit = 20 } }) => {
        const own = await findPerson(scope, user.id)
        const { items, total } = own?.emailVerified
          ? await listReceived(scope, { email: own.email, now: clock.now() }, { page, limit })
          : { items: [], total: 0 }
        return ok({ invitations: items.map(receivedView), pagination: toPagination({ page, limit }, total) })
      },
    }),
  ]
}

function sendingRoutes({ invitations, clock }: Deps): Route[] {
  return [
    route({
      method: 'POST',
      path,
      name: 'createOrgInvitation',
      tag,
      summary: 'Invite somebody to an organization by mail',
      description:
        'For admins and owners; only owners invite admins and owners. If the address has a pending invitation, that one gets the new role and another seven days, and its earlier token stops working. Whether the address has an account makes no difference.',
      access,
      body: NewInvitation,
      answers: { 200: InvitationDetail, 201: InvitationDetail },
      refusals: [...refusals, 'NOT_FOUND'],
      idempotent: true,
      authorizeRepeat: ({ scope, user, params: { orgId } }) => getOrganization(scope, user, { orgId, least: 'admin' }),
      rules: ({ body }) => [ruleFor(body.email, invitations.parseEmail)],
      handle: async ({ scope, user, params: { orgId }, body }) => {
        const { invitation, isNew } = await invitations.invite(scope, user, { orgId, ...body })
        const view = { invitation: invitationView(invitation, clock.now()) }
        const answer = isNew ? { status: 201 as const, body: view } : ok(view)
        return { ...answer, subjectId: orgId }
      },
    }),
    route({
      method: 'POST',
      path: `${path}/:invitationId/resend`,
      name: 'resendOrgInvitation',
      tag,
      summary: 'Send an invitation again',
      description: 'With a new token and another seven days. The earlier token stops working.',
      access,
      answers: { 200: InvitationDetail },
      refusals: [...refusals, 'NOT_FOUND'],
      idempotent: true,
      authorizeRepeat: ({ scope, user, params: { orgId } }) => getOrganization(scope, user, { orgId, least: 'admin' }),
      handle: async ({ scope, user, params: { orgId, invitationId: id } }) => {
        const invitation = await invitations.resend(scope, user, { orgId, id })
        return { ...ok({ invitation: invitationView(invitation, clock.now()) }), subjectId: orgId }
      },
    }),
  ]
}

function revokeRoute({ invitations }: Deps): Route {
  return route({
    method: 'DELETE',
    path: `${path}/:invitationId`,
    name: 'revokeOrgInvitation',
    tag,
    summary: 'Revoke an invitation',
    description: 'Its token stops working. Repeating the request changes nothing.',
    access,
    answers: { 204: null },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
    handle: async ({ scope, user, params: { orgId, invitationId: id } }) => {
      await invitations.revoke(scope, user, { orgId, id })
      return noContent()
    },
  })
}

type Answered = { token?: string; invitationId?: string }

function answeringRoutes({ invitations }: Deps): Route[] {
  // The schema lets exactly one of both through.
  const by = ({ token, invitationId = '' }: Answered) => (token === undefined ? { invitationId } : { token })
  return [
    route({
      method: 'POST',
      path: `${received}/accept`,
      name: 'acceptInvitation',
      tag,
      summary: 'Accept an invitation',
      description:
        'By the token from the mail, or by the id with a verified e-mail address. Your address must be the invited one. An invitation is accepted once.',
      access,
      body: InvitationAnswered,
      answers: { 200: OrganizationDetail },
      refusals: ['STATE_CONFLICT', 'INSUFFICIENT_ROLE', 'QUOTA_EXCEEDED', 'NOT_FOUND'],
      idempotent: true,
      authorizeRepeat: async ({ scope, user, subjectId }) =>
        subjectId !== null && getOrganization(scope, user, { orgId: subjectId }),
      handle: async ({ scope, user, body }) => {
        const org = await invitations.accept(scope, user, by(body))
        return { ...ok({ org: organizationView(org) }), subjectId: org.id }
      },
    }),
    route({
      method: 'POST',
      path: `${received}/decline`,
      name: 'declineInvitation',
      tag,
      summary: 'Decline an invitation',
      access,
      body: InvitationAnswered,
      answers: { 204: null },
      refusals: ['STATE_CONFLICT', 'INSUFFICIENT_ROLE', 'NOT_FOUND'],
      handle: async ({ scope, user, body }) => {
        await invitations.decline(scope, user, by(body))
        return noContent()
      },
    }),
  ]
}
