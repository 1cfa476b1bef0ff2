import { admin } from '../../http/access/access.ts'
import { created, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { type License, licenseStatus, remainingUses } from './license.rules.ts'
import {
  type LicenseAnswer,
  LicenseChanges,
  LicenseDetail,
  LicenseList,
  LicenseQuery,
  licenseKeyParam,
  NewLicense,
} from './license.schema.ts'
import type { LicenseService } from './license.service.ts'
import { openLicenseKey } from './license-issuing.ts'

type LicenseRouteDeps = { licenses: LicenseService; clock: Clock; secrets: Secrets }

export function licenseRoutes({ licenses, clock, secrets }: LicenseRouteDeps): Route[] {
  const toView = (license: License): LicenseAnswer =>
    licenseView(license, openLicenseKey(license, secrets), clock.now())
  return [...changeRoutes(licenses, toView), ...readRoutes(licenses, toView)]
}

type View = (license: License) => LicenseAnswer

function changeRoutes(licenses: LicenseService, toView: View): Route[] {
  return [
    route({
      method: 'POST',
      path: '/vault/v1/licenses',
      name: 'createLicense',
      tag: 'Licenses',
      summary: 'Create a license',
      description:
        'Creates a license for a tenant and a product, with a new key. TRIAL has 5 uses and STARTER has 100, unless `maxUses` is given. PRO and ENTERPRISE are unlimited.',
      access: admin('OWNER'),
      body: NewLicense,
      answers: { 201: LicenseDetail },
      // NOT_FOUND: a repeat, after the tenant was erased.
      refusals: ['UNKNOWN_PRODUCT', 'NOT_FOUND'],
      idempotent: true,
      rules: ({ platform, body }) => licenses.rules(platform, body),
      handle: async ({ platform, body }) => {
        const license = toView(await licenses.create(platform, body))
        // By its id, because addresses end up in logs.
        const answer = secret(created(`/vault/v1/licenses/${license.id}`, { license }))
        return { ...answer, tenantId: license.tenantId }
      },
    }),
    route({
      method: 'PATCH',
      path: '/vault/v1/licenses/:key',
      name: 'updateLicense',
      tag: 'Licenses',
      summary: 'Update a license',
      description:
        'Changes the terms of a license. Absent members keep their value. Changing a revoked license does not revive it.',
      access: admin('OWNER'),
      params: licenseKeyParam,
      body: LicenseChanges,
      answers: { 200: LicenseDetail },
      rules: ({ platform, body: { expiresAt } }) => licenses.rules(platform, { expiresAt }),
      handle: async ({ platform, params, body }) =>
        secret(ok({ license: toView(await licenses.update(platform, params.key, body)) })),
    }),
    route({
      method: 'POST',
      path: '/vault/v1/licenses/:key/revoke',
      name: 'revokeLicense',
      tag: 'Licenses',
      summary: 'Revoke a license',
      description:
        'Permanently revokes the license and ends the VPN sessions that use it. Revoking it again changes nothing and gives the same answer.',
      access: admin('OWNER'),
      params: licenseKeyParam,
      answers: { 200: LicenseDetail },
      handle: async ({ platform, params }) =>
        secret(ok({ license: toView(await licenses.revoke(platform, params.key)) })),
    }),
  ]
}

function readRoutes(licenses: LicenseService, toView: View): Route[] {
  return [
    route({
      method: 'GET',
      path: '/vault/v1/licenses',
      name: 'listLicenses',
      tag: 'Licenses',
      summary: 'List licenses',
      description: 'Lists the licenses of all tenants, newest first. Only an OWNER sees the keys.',
      access: admin('VIEWER'),
      query: LicenseQuery,
      answers: { 200: LicenseList },
      handle: async ({ platform, query: { page = 1, limit = 20, ...filter } }) => {
        const { items, total } = await licenses.list(platform, filter, { page, limit })
        return secret(ok({ licenses: items.map(toView), pagination: toPagination({ page, limit }, total) }))
      },
    }),
    route({
      method: 'GET',
      path: '/vault/v1/licenses/:key',
      name: 'getLicense',
      tag: 'Licenses',
      summary: 'Get a license',
      access: admin('VIEWER'),
      params: licenseKeyParam,
      answers: { 200: LicenseDetail },
      handle: async ({ platform, params }) => secret(ok({ license: toView(await licenses.get(platform, params.key)) })),
    }),
  ]
}

function licenseView(license: License, key: string, now: Date): LicenseAnswer {
  return {
    id: license.id,
    key,
    keyHint: license.keyHint,
    tenantId: license.tenantId,
    product: license.product,
    plan: license.plan,
    status: licenseStatus(license, now),
    maxUses: license.maxUses,
    usesCount: license.usesCount,
    usesRemaining: remainingUses(license),
    expiresAt: isoOrNull(license.expiresAt),
    label: license.label,
    createdAt: license.createdAt.toISOString(),
    updatedAt: license.updatedAt.toISOString(),
    revokedAt: isoOrNull(license.revokedAt),
    lastUsedAt: isoOrNull(license.lastUsedAt),
    lastValidatedAt: isoOrNull(license.lastValidatedAt),
  }
}
