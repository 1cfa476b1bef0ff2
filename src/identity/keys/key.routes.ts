import { admin } from '../../http/access/access.ts'
import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import { type ApiKey, keyStatus } from './key.rules.ts'
import { KeyCreated, KeyDetail, KeyList, KeyQuery, type KeyView, NewKey, Rotation, RotationEnd } from './key.schema.ts'
import type { CreatedKey, Keys } from './key.service.ts'

const tag = 'API keys'

export function keyRoutes({ keys, clock }: { keys: Keys; clock: Clock }): Route[] {
  const viewOf = (key: ApiKey): KeyView => ({
    id: key.id,
    tenantId: key.tenantId,
    name: key.name,
    products: key.products,
    keyPrefix: key.keyPrefix,
    status: keyStatus(key, clock.now()),
    expiresAt: isoOrNull(key.expiresAt),
    lastUsedAt: isoOrNull(key.lastUsedAt),
    createdAt: key.createdAt.toISOString(),
    revokedAt: isoOrNull(key.revokedAt),
  })
  const shown = (made: CreatedKey) =>
    secret(
      created(`/admin/tenants/${made.tenantId}/api-keys/${made.id}`, { apiKey: { ...viewOf(made), key: made.key } }),
    )

  return [
    route({
      method: 'POST',
      path: '/admin/tenants/:tenantId/api-keys',
      name: 'createApiKey',
      tag,
      summary: 'Create an API key of a tenant',
      description: 'The key itself is in this answer alone; what is kept is a hash.',
      access: admin('OWNER'),
      body: NewKey,
      answers: { 201: KeyCreated },
      refusals: ['UNKNOWN_PRODUCT', 'QUOTA_EXCEEDED'],
      idempotent: true,
      handle: async ({ platform, params, body }) => shown(await keys.create(platform, params.tenantId, body)),
    }),
    route({
      method: 'GET',
      path: '/admin/tenants/:tenantId/api-keys',
      name: 'listApiKeys',
      tag,
      summary: 'List the API keys of a tenant, newest first',
      access: admin('VIEWER'),
      query: KeyQuery,
      answers: { 200: KeyList },
      handle: async ({ platform, params, query: { page = 1, limit = 20, status = null } }) => {
        const { items, total } = await keys.list(platform, params.tenantId, { page, limit, status })
        return ok({ apiKeys: items.map(viewOf), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: '/admin/tenants/:tenantId/api-keys/:keyId',
      name: 'getApiKey',
      tag,
      summary: 'Get an API key',
      access: admin('VIEWER'),
      answers: { 200: KeyDetail },
      handle: async ({ platform, params }) => ok({ apiKey: viewOf(await keys.get(platform, params)) }),
    }),
    route({
      method: 'DELETE',
      path: '/admin/tenants/:tenantId/api-keys/:keyId',
      name: 'revokeApiKey',
      tag,
      summary: 'Revoke an API key',
      description: 'The key is refused from the next request on and stays in the list as REVOKED. A second time: 404.',
      access: admin('OWNER'),
      answers: { 204: null },
      handle: async ({ platform, params }) => {
        await keys.revoke(platform, params)
        return noContent()
      },
    }),
    route({
      method: 'POST',
      path: '/admin/tenants/:tenantId/api-keys/:keyId/rotate',
      name: 'rotateApiKey',
      tag,
      summary: 'Replace an API key by a new one',
      description:
        'The new key has the name, products and expiry of the old one. The old one works until the overlap ends. A key is rotated once; after that, its successor.',
      access: admin('OWNER'),
      body: Rotation,
      answers: { 201: KeyCreated },
      refusals: ['KEY_NOT_ACTIVE', 'STATE_CONFLICT'],
      idempotent: true,
      handle: async ({ platform, params, body: { overlapSeconds = 86_400 } }) =>
        shown(await keys.rotate(platform, params, overlapSeconds)),
    }),
    route({
      method: 'POST',
      path: '/admin/tenants/:tenantId/api-keys/:keyId/finish-rotation',
      name: 'finishApiKeyRotation',
      tag,
      summary: 'End the old key of a rotation before its overlap does',
      description:
        'Refused with the moment of the last use while the old key was used in the last 15 minutes, unless `force` is true. In its last seven days a key says so itself: every answer to it carries `X-API-Key-Expires-At`.',
      access: admin('OWNER'),
      body: RotationEnd,
      answers: { 200: KeyDetail },
      refusals: ['KEY_NOT_ACTIVE', 'STATE_CONFLICT'],
      handle: async ({ platform, params, body: { force = false } }) =>
        ok({ apiKey: viewOf(await keys.finishRotation(platform, params, force)) }),
    }),
  ]
}
