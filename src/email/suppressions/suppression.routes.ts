import { created, noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { toPagination } from '../../kernel/paging.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import type { Members } from '../members.ts'
import { emailAccess as access, emailBase, managedOwner, emailTag as tag } from '../owner.ts'
import {
  NewSuppression,
  OwnerQuery,
  SuppressionDetail,
  SuppressionList,
  SuppressionQuery,
  suppressionView,
} from './suppression.schema.ts'
import type { Suppressions } from './suppression.service.ts'
import { getSuppression, listSuppressions } from './suppression.store.ts'

type Deps = {
  suppressions: Suppressions
  members: Pick<Members, 'get'>
  clock: Clock
  parseEmail(text: string, path?: string): string
}

const path = `${emailBase}/suppressions` as const
const one = `${path}/:suppressionId` as const
const refusals: RefusalCode[] = ['INSUFFICIENT_ROLE', 'NOT_FOUND']
const parseAddress = (parseEmail: Deps['parseEmail']) => (text: string) => parseEmail(text, '/body/address')

/** For admins of an organization, and for administrators of the tenant. */
export function suppressionRoutes(deps: Deps): Route[] {
  return [listRoute(deps), createRoute(deps), getRoute(deps), deleteRoute(deps)]
}

function listRoute({ members, clock, parseEmail }: Deps): Route {
  return route({
    method: 'GET',
    path,
    name: 'listEmailSuppressions',
    tag,
    summary: 'List addresses that get no mail',
    description:
      'Newest first: those that the mails of the organization led to, or those of the tenant. An address gets no mail of the whole tenant, wherever it is listed.',
    access,
    query: SuppressionQuery,
    answers: { 200: SuppressionList },
    refusals,
    handle: async ({ scope, user, query: { page = 1, limit = 20, orgId, address } }) => {
      const { ownerId } = await managedOwner(members, scope, { user, orgId })
      const asked = address === undefined ? undefined : parseEmail(address, '/query/address')
      const search = { ownerId, address: asked, now: clock.now() }
      const { items, total } = await listSuppressions(scope, search, { page, limit })
      return ok({ suppressions: items.map(suppressionView), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function createRoute({ suppressions, members, parseEmail }: Deps): Route {
  return route({
    method: 'POST',
    path,
    name: 'createEmailSuppression',
    tag,
    summary: 'Send no more mail to an address',
    description: 'An address that is listed already stays as it is, and is answered with 200.',
    access,
    query: OwnerQuery,
    body: NewSuppression,
    answers: { 200: SuppressionDetail, 201: SuppressionDetail },
    refusals,
    idempotent: true,
    authorizeRepeat: ({ scope, user, query: { orgId } }) => managedOwner(members, scope, { user, orgId }),
    rules: ({ body }) => [ruleFor(body.address, parseAddress(parseEmail))],
    handle: async ({ scope, user, query: { orgId }, body }) => {
      const owner = await managedOwner(members, scope, { user, orgId })
      const { suppression, isNew } = await suppressions.create(scope, owner, parseAddress(parseEmail)(body.address))
      const detail = { suppression: suppressionView(suppression) }
      const ofOrg = orgId === undefined ? '' : `?orgId=${orgId}`
      const answer = isNew ? created(`${path}/${suppression.id}${ofOrg}`, detail) : ok(detail)
      return { ...answer, subjectId: suppression.id }
    },
  })
}

function getRoute({ members, clock }: Deps): Route {
  return route({
    method: 'GET',
    path: one,
    name: 'getEmailSuppression',
    tag,
    summary: 'Get an address that gets no mail',
    access,
    query: OwnerQuery,
    answers: { 200: SuppressionDetail },
    refusals,
    handle: async ({ scope, user, params: { suppressionId: id }, query: { orgId } }) => {
      const { ownerId } = await managedOwner(members, scope, { user, orgId })
      return ok({ suppression: suppressionView(await getSuppression(scope, { ownerId, id, now: clock.now() })) })
    },
  })
}

function deleteRoute({ suppressions, members }: Deps): Route {
  return route({
    method: 'DELETE',
    path: one,
    name: 'deleteEmailSuppression',
    tag,
    summary: 'Send mail to an address again',
    description: 'Unless another organization of the tenant, or the tenant itself, lists it, too.',
    access,
    query: OwnerQuery,
    answers: { 204: null },
    refusals,
    handle: async ({ scope, user, params: { suppressionId }, query: { orgId } }) => {
      await suppressions.remove(scope, await managedOwner(members, scope, { user, orgId }), suppressionId)
      return noContent()
    },
  })
}
