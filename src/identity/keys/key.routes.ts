import { admin } from '../../http/access/access.ts'
import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { KeyCreated, KeyDetail, KeyList, KeyQuery, keyView, NewKey, Rotation, RotationEnd } from './key.schema.ts'
import type { CreatedKey, Keys } from './key.service.ts'

const tag = 'API keys'

export function keyRoutes({ keys, clock }: { keys: Keys; clock: Clock }): Route[] {
  const createdAnswer = (apiKey: CreatedKey) =>
    secret(
      created(`/admin/tenants/${apiKey.tenantId}/api-keys/${apiKey.id}`, {
        apiKey: { ...keyView(apiKey, clock.now()), key: apiKey.key },
      }),
    )

  return [
    route({
      method: 'POST',
      path: '/admin/tenants/:tenantId/api-keys',
      name: 'createApiKey',
      tag,
      summary: 'Create an API key',
      description:
        'Only this answer shows the key; the server stores its hash. Send it with each request in the header `X-API-Key`.',
      access: admin('OWNER'),
      body: NewKey,
      answers: { 201: KeyCreated },
      refusals: ['UNKNOWN_PRODUCT', 'QUOTA_EXCEEDED'],
      idempotent: true,
      rules: ({ platform, body }) => keys.rules(platform, body),
      handle: async ({ platform, params, body }) => createdAnswer(await keys.create(platform, params.tenantId, body)),
    }),
    route({
      method: 'GET',
      path: '/admin/tenants/:tenantId/api-keys',
      name: 'listApiKeys',
      tag,
      summary: 'List the API keys of a tenant',
      description: 'Newest first.',
      access: admin('VIEWER'),
      query: KeyQuery,
      answers: { 200: KeyList },
      handle: async ({ platform, params, query: { page = 1, limit = 20, status = null } }) => {
        const { items, total } = await keys.list(platform, params.tenantId, { page, limit, status })
        return ok({
          apiKeys: items.map((key) => keyView(key, clock.now())),
          pagination: toPagination({ page, limit }, total),
        })
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
      handle: async ({ platform, params }) => ok({ apiKey: keyView(await keys.get(platform, params), clock.now()) }),
    }),
    route({
      method: 'DELETE',
      path: '/admin/tenants/:tenantId/api-keys/:keyId',
      name: 'revokeApiKey',
      tag,
      summary: 'Revoke an API key',
      description:
        'The key is refused from the next request on. It stays in the list with the status REVOKED. Revoking it again gives 404.',
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
      summary: 'Rotate an API key',
      description:
        'Creates a new key with the name, products and expiry of the old one. The old key stays valid until the overlap ends. A key can be rotated only once; after that, rotate its successor.',
      access: admin('OWNER'),
      body: Rotation,
      answers: { 201: KeyCreated },
      refusals: ['KEY_NOT_ACTIVE', 'STATE_CONFLICT'],
      idempotent: true,
      handle: async ({ platform, params, body: { overlapSeconds = 86_400 } }) =>
        createdAnswer(await keys.rotate(platform, params, overlapSeconds)),
    }),
    route({
      method: 'POST',
      path: '/admin/tenants/:tenantId/api-keys/:keyId/finish-rotation',
      name: 'finishApiKeyRotation',
      tag,
      summary: 'Finish a key rotation early',
      description:
        'Revokes the old key of a rotation before the overlap ends. If the old key was used in the last 15 minutes, the request is refused with the time of the last use, unless `force` is true. During the last seven days of a key, every answer to it carries the header `X-API-Key-Expires-At`.',
      access: admin('OWNER'),
      body: RotationEnd,
      answers: { 200: KeyDetail },
      refusals: ['KEY_NOT_ACTIVE', 'STATE_CONFLICT'],
      handle: async ({ platform, params, body: { force = false } }) =>
        ok({ apiKey: keyView(await keys.finishRotation(platform, params, force), clock.now()) }),
    }),
  ]
}
