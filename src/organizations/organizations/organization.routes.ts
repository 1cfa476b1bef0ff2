import { admin } from '../../http/access/access.ts'
import { created, noContent, ok, raw, secret } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { resolveTenantScope, type TenantExists } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { toPagination } from '../../kernel/paging.ts'
import { orgAccess as access, base, tag } from '../access.ts'
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
  return [
    listRoute(deps),
    createRoute(deps),
    getRoute(),
    exportRoute(deps),
    updateRoute(deps),
    deleteRoute(deps),
    ...adminRoutes(deps),
  ]
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
    authorizeRepeat: async ({ scope, user, subjectId }) =>
      subjectId !== null && getOrganization(scope, user, { orgId: subjectId }),
    rules: ({ body }) => [ruleFor(body.timeZone, requireTimeZone)],
    handle: async ({ scope, user, body }) => {
      const org = await organizations.create(scope, user, body)
      return withETag({ ...created(`${base}/${org.id}`, { org: organizationView(org) }), subjectId: org.id }, org)
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
      return withETag(ok({ org: organizationView(org) }), org)
    },
  })
}

function exportRoute({ organizations }: Deps): Route {
  return route({
    method: 'GET',
    path: `${base}/:orgId/export`,
    name: 'exportOrg',
    tag,
    summary: 'Export an organization',
    description:
      'For owners. Returns what is open to all members as one file: JSON lines, compressed with gzip, on PostgreSQL from one consistent snapshot. The first line describes the file, each further line is a row, and the last line has the row counts and the SHA-256 of all lines before it. Meetings that are private or shared with listed members are not in it, nor are proposed tasks and the quotes of tasks. On each node, an organization and an owner have one export at a time, until it is downloaded.',
    access,
    answers: { 200: { rawTypes: ['application/gzip'], description: 'The file.' } },
    refusals: ['INSUFFICIENT_ROLE', 'UNAVAILABLE'],
    handle: async ({ scope, user, params: { orgId } }) => {
      const { content, sizeBytes } = await organizations.exportFile(scope, user, orgId)
      return secret(
        raw('application/gzip', content, {
          'content-length': String(sizeBytes),
          'content-disposition': `attachment; filename="organization-${orgId}.ndjson.gz"`,
        }),
      )
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
      return withETag(ok({ org: organizationView(org) }), org)
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
      'For owners, and for administrators of the tenant. Repeat the name in `confirm`. Its members, invitations and tasks, with their comments and history, are deleted with it, at once and permanently. Its meetings become private.',
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
