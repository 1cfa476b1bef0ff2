import { admin } from '../../http/access/access.ts'
import { created, noContent, ok } from '../../http/answer.ts'
import { revisionETag } from '../../http/cache/precondition.ts'
import { resolveTenantScope, type TenantExists } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { toPagination } from '../../kernel/paging.ts'
import { orgAccess as access, base, tag } from '../access.ts'
import type { Organization } from '../membership.store.ts'
import { getOrganization } from '../membership.ts'
import { requireTimeZone } from './organization.rules.ts'
import {
  DeletionQuery,
  NewOrganization,
  OrganizationChange,
  OrganizationDetail,
  OrganizationList,
  OrganizationQuery,
  organizationView,
  TenantOrganizationQuery,
} from './organization.schema.ts'
import type { Organizations } from './organization.service.ts'
import { listTenantOrganizations } from './organization.store.ts'

type Deps = { organizations: Organizations; tenantExists: TenantExists }

export function organizationRoutes(deps: Deps): Route[] {
  return [listRoute(deps), createRoute(deps), getRoute(), updateRoute(deps), deleteRoute(deps), ...adminRoutes(deps)]
}

function listRoute({ organizations }: Deps): Route {
  return route({
    method: 'GET',
    path: base,
    name: 'listOrgs',
    tag,
    summary: 'List your organizations',
    description: 'Newest first. Administrators of the tenant can list all of its organizations with `scope=tenant`.',
    access,
    query: OrganizationQuery,
    answers: { 200: OrganizationList },
    refusals: ['INSUFFICIENT_ROLE'],
    handle: async ({ scope, user, query: { page = 1, limit = 20, scope: which = 'own' } }) => {
      const { items, total } = await organizations.list(scope, user, { page, limit, all: which === 'tenant' })
      return ok({ orgs: items.map(organizationView), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function createRoute({ organizations }: Deps): Route {
  return route({
    method: 'POST',
    path: base,
    name: 'createOrg',
    tag,
    summary: 'Create an organization',
    description: 'You become its owner.',
    access,
    body: NewOrganization,
    answers: { 201: OrganizationDetail },
    refusals: ['QUOTA_EXCEEDED', 'NOT_FOUND'],
    idempotent: true,
    rules: ({ body }) => [ruleFor(body.timeZone, requireTimeZone)],
    handle: async ({ scope, user, body }) => {
      const org = await organizations.create(scope, user, body)
      return withEtag({ ...created(`${base}/${org.id}`, { org: organizationView(org) }), subjectId: org.id }, org)
    },
  })
}

function getRoute(): Route {
  return route({
    method: 'GET',
    path: `${base}/:orgId`,
    name: 'getOrg',
    tag,
    summary: 'Get an organization',
    access,
    answers: { 200: OrganizationDetail },
    handle: async ({ scope, user, params }) => {
      const org = await getOrganization(scope, user, { orgId: params.orgId })
      return withEtag(ok({ org: organizationView(org) }), org)
    },
  })
}

function updateRoute({ organizations }: Deps): Route {
  return route({
    method: 'PATCH',
    path: `${base}/:orgId`,
    name: 'updateOrg',
    tag,
    summary: 'Update an organization',
    description: 'For admins and owners. Members that are absent stay unchanged.',
    access,
    body: OrganizationChange,
    answers: { 200: OrganizationDetail },
    refusals: ['INSUFFICIENT_ROLE'],
    conditional: true,
    rules: ({ body }) => [ruleFor(body.timeZone, requireTimeZone)],
    handle: async ({ scope, user, params, body, headers }) => {
      const org = await organizations.update(scope, { user, orgId: params.orgId, ifMatch: headers['if-match'] }, body)
      return withEtag(ok({ org: organizationView(org) }), org)
    },
  })
}

function deleteRoute({ organizations }: Deps): Route {
  return route({
    method: 'DELETE',
    path: `${base}/:orgId`,
    name: 'deleteOrg',
    tag,
    summary: 'Delete an organization',
    description:
      'For owners, and for administrators of the tenant. Repeat the name in `confirm`. Its members and invitations are deleted with it, at once and permanently.',
    access,
    query: DeletionQuery,
    answers: { 204: null },
    refusals: ['INSUFFICIENT_ROLE'],
    conditional: true,
    handle: async ({ scope, user, params: { orgId }, query, headers }) => {
      await organizations.remove(scope, { user, orgId, ifMatch: headers['if-match'] }, query.confirm)
      return noContent()
    },
  })
}

/** For administrators of the platform: which organizations a tenant has, but nothing of what is in them. */
function adminRoutes({ organizations, tenantExists }: Deps): Route[] {
  const adminBase = '/admin/tenants/:tenantId/orgs'
  return [
    route({
      method: 'GET',
      path: adminBase,
      name: 'listTenantOrgs',
      tag,
      summary: 'List the organizations of a tenant',
      description: 'Newest first, with their numbers of members.',
      access: admin('VIEWER'),
      query: TenantOrganizationQuery,
      answers: { 200: OrganizationList },
      refusals: ['NOT_FOUND'],
      handle: async ({ platform, params, query: { page = 1, limit = 20 } }) => {
        const scope = await resolveTenantScope(platform, params.tenantId, tenantExists)
        const { items, total } = await listTenantOrganizations(scope, null, { page, limit })
        return ok({ orgs: items.map(organizationView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'DELETE',
      path: `${adminBase}/:orgId`,
      name: 'deleteTenantOrg',
      tag,
      summary: 'Delete an organization of a tenant',
      description: 'As its owner could. Repeat the name in `confirm`.',
      access: admin('OWNER'),
      query: DeletionQuery,
      answers: { 204: null },
      conditional: true,
      handle: async ({ platform, params: { tenantId, orgId }, query, headers }) => {
        const scope = await resolveTenantScope(platform, tenantId, tenantExists)
        await organizations.remove(scope, { user: null, orgId, ifMatch: headers['if-match'] }, query.confirm)
        return noContent()
      },
    }),
  ]
}

/** Adds the ETag that a later change sends in `If-Match`. */
function withEtag<A extends { headers?: Record<string, string> }>(answer: A, org: Organization): A {
  return { ...answer, headers: { ...answer.headers, etag: revisionETag(org) } }
}
