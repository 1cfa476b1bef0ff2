import { admin } from '../../http/access/access.ts'
import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { toPagination } from '../../kernel/paging.ts'
import { parseFutureTimestamp } from '../../kernel/timestamps.ts'
import { KeyQuery, Rotation } from '../keys/key.schema.ts'
import {
  AdminKeyChange,
  AdminKeyCreated,
  AdminKeyDetail,
  AdminKeyList,
  adminKeyView,
  NewAdminKey,
} from './admin-key.schema.ts'
import type { AdminKeys, CreatedAdminKey } from './admin-key.service.ts'

const tag = 'Administration'
const path = '/v1/platform/admin/keys'

type AdminKeyRouteDeps = { adminKeys: AdminKeys; clock: Clock }

export function adminKeyRoutes(deps: AdminKeyRouteDeps): Route[] {
  return [...changeRoutes(deps), ...readRoutes(deps)]
}

function readRoutes({ adminKeys, clock }: AdminKeyRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path,
      name: 'listAdminKeys',
      tag,
      summary: 'List admin keys',
      description: 'Lists the named keys, newest first. The key from the environment (`ADMIN_KEY`) is not included.',
      access: admin('VIEWER'),
      query: KeyQuery,
      answers: { 200: AdminKeyList },
      handle: async ({ platform, query: { page = 1, limit = 20, status = null } }) => {
        const { items, total } = await adminKeys.list(platform, { page, limit, status })
        return ok({
          adminKeys: items.map((key) => adminKeyView(key, clock.now())),
          pagination: toPagination({ page, limit }, total),
        })
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:keyId`,
      name: 'getAdminKey',
      tag,
      summary: 'Get an admin key',
      access: admin('VIEWER'),
      answers: { 200: AdminKeyDetail },
      handle: async ({ platform, params }) =>
        ok({ adminKey: adminKeyView(await adminKeys.get(platform, params.keyId), clock.now()) }),
    }),
  ]
}

function changeRoutes({ adminKeys, clock }: AdminKeyRouteDeps): Route[] {
  const createdAnswer = (adminKey: CreatedAdminKey) =>
    secret(
      created(`${path}/${adminKey.id}`, { adminKey: { ...adminKeyView(adminKey, clock.now()), key: adminKey.key } }),
    )

  return [
    route({
      method: 'POST',
      path,
      name: 'createAdminKey',
      tag,
      summary: 'Create an admin key',
      description:
        'Creates a named key for an administrator. Only this answer shows the key; the server stores its hash. The audit log records the name of the key with each change.',
      access: admin('OWNER'),
      isSensitive: true,
      body: NewAdminKey,
      answers: { 201: AdminKeyCreated },
      idempotent: true,
      rules: ({ body }) => [
        ruleFor(body.expiresAt, (text) => parseFutureTimestamp(text, clock.now(), '/body/expiresAt')),
      ],
      handle: async ({ platform, body }) => createdAnswer(await adminKeys.create(platform, body)),
    }),
    route({
      method: 'PATCH',
      path: `${path}/:keyId`,
      name: 'updateAdminKey',
      tag,
      summary: 'Rename an admin key',
      access: admin('OWNER'),
      body: AdminKeyChange,
      answers: { 200: AdminKeyDetail },
      handle: async ({ platform, params, body }) =>
        ok({ adminKey: adminKeyView(await adminKeys.rename(platform, params.keyId, body), clock.now()) }),
    }),
    route({
      method: 'DELETE',
      path: `${path}/:keyId`,
      name: 'revokeAdminKey',
      tag,
      summary: 'Revoke an admin key',
      description:
        'The key is refused from the next request on. It stays in the list with the status REVOKED. Revoking it again gives 404.',
      access: admin('OWNER'),
      isSensitive: true,
      answers: { 204: null },
      handle: async ({ platform, params }) => {
        await adminKeys.revoke(platform, params.keyId)
        return noContent()
      },
    }),
    route({
      method: 'POST',
      path: `${path}/:keyId/rotate`,
      name: 'rotateAdminKey',
      tag,
      summary: 'Rotate an admin key',
      description:
        'Creates a new key with the name, role and expiry of the old one. The old key stays valid until the overlap ends. A key can be rotated only once; after that, rotate its successor.',
      access: admin('OWNER'),
      isSensitive: true,
      body: Rotation,
      answers: { 201: AdminKeyCreated },
      refusals: ['KEY_NOT_ACTIVE', 'STATE_CONFLICT'],
      idempotent: true,
      handle: async ({ platform, params, body: { overlapSeconds = 86_400 } }) =>
        createdAnswer(await adminKeys.rotate(platform, params.keyId, overlapSeconds)),
    }),
  ]
}
