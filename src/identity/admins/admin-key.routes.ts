import { admin } from '../../http/access/access.ts'
import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import { keyStatus } from '../keys/key.rules.ts'
import { KeyQuery, Rotation } from '../keys/key.schema.ts'
import type { AdminKey } from './admin-key.rules.ts'
import {
  AdminKeyChange,
  AdminKeyCreated,
  AdminKeyDetail,
  AdminKeyList,
  type AdminKeyView,
  NewAdminKey,
} from './admin-key.schema.ts'
import type { AdminKeys, CreatedAdminKey } from './admin-key.service.ts'

const tag = 'Administration'
const path = '/v1/platform/admin/keys'

export function adminKeyRoutes({ adminKeys, clock }: { adminKeys: AdminKeys; clock: Clock }): Route[] {
  const viewOf = (key: AdminKey): AdminKeyView => ({
    id: key.id,
    name: key.name,
    role: key.role,
    keyPrefix: key.keyPrefix,
    status: keyStatus(key, clock.now()),
    expiresAt: isoOrNull(key.expiresAt),
    lastUsedAt: isoOrNull(key.lastUsedAt),
    createdAt: key.createdAt.toISOString(),
    revokedAt: isoOrNull(key.revokedAt),
  })
  const shown = (made: CreatedAdminKey) =>
    secret(created(`${path}/${made.id}`, { adminKey: { ...viewOf(made), key: made.key } }))

  return [...changes({ adminKeys, shown, viewOf }), ...reads({ adminKeys, viewOf })]
}

type Views = { adminKeys: AdminKeys; viewOf(key: AdminKey): AdminKeyView }

function reads({ adminKeys, viewOf }: Views): Route[] {
  return [
    route({
      method: 'GET',
      path,
      name: 'listAdminKeys',
      tag,
      summary: 'List the named admin keys, newest first',
      description: 'The key of the environment is not among them.',
      access: admin('VIEWER'),
      query: KeyQuery,
      answers: { 200: AdminKeyList },
      handle: async ({ platform, query: { page = 1, limit = 20, status = null } }) => {
        const { items, total } = await adminKeys.list(platform, { page, limit, status })
        return ok({ adminKeys: items.map(viewOf), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:keyId`,
      name: 'getAdminKey',
      tag,
      summary: 'Get a named admin key',
      access: admin('VIEWER'),
      answers: { 200: AdminKeyDetail },
      handle: async ({ platform, params }) => ok({ adminKey: viewOf(await adminKeys.get(platform, params.keyId)) }),
    }),
  ]
}

type Shown = (made: CreatedAdminKey) => {
  status: 201
  body: { adminKey: AdminKeyView & { key: string } }
  headers?: Record<string, string>
}

function changes({ adminKeys, viewOf, shown }: Views & { shown: Shown }): Route[] {
  return [
    route({
      method: 'POST',
      path,
      name: 'createAdminKey',
      tag,
      summary: 'Create a named admin key',
      description: 'The key itself is in this answer alone; what is kept is a hash. The audit log names the key.',
      access: admin('OWNER'),
      body: NewAdminKey,
      answers: { 201: AdminKeyCreated },
      idempotent: true,
      handle: async ({ platform, body }) => shown(await adminKeys.create(platform, body)),
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
        ok({ adminKey: viewOf(await adminKeys.rename(platform, params.keyId, body)) }),
    }),
    route({
      method: 'DELETE',
      path: `${path}/:keyId`,
      name: 'revokeAdminKey',
      tag,
      summary: 'Revoke an admin key',
      description: 'The key is refused from the next request on and stays in the list as REVOKED. A second time: 404.',
      access: admin('OWNER'),
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
      summary: 'Replace an admin key by a new one',
      description:
        'The new key has the name, role and expiry of the old one. The old one works until the overlap ends. A key is rotated once; after that, its successor.',
      access: admin('OWNER'),
      body: Rotation,
      answers: { 201: AdminKeyCreated },
      refusals: ['KEY_NOT_ACTIVE', 'STATE_CONFLICT'],
      idempotent: true,
      handle: async ({ platform, params, body: { overlapSeconds = 86_400 } }) =>
        shown(await adminKeys.rotate(platform, params.keyId, overlapSeconds)),
    }),
  ]
}
