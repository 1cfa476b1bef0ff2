import type { Static } from 'typebox'
import { AdminRoleWord } from '../../http/access/admin-role.schema.ts'
import { Id, PaginationSchema, SingleLine, StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { KeyExpiry, KeyText, keyLifecycleFields, keyLifecycleView } from '../keys/key.schema.ts'
import type { AdminKey } from './admin-key.rules.ts'

const name = SingleLine({ lettersMax: 120, example: 'Ana, support' })

export const NewAdminKey = StrictObject({ name, role: AdminRoleWord, expiresAt: KeyExpiry })
export type NewAdminKey = Static<typeof NewAdminKey>

export const AdminKeyChange = StrictObject({ name: Type.Optional(name) })

const fields = {
  id: Id,
  name: Type.String({ examples: ['Ana, support'] }),
  role: AdminRoleWord,
  ...keyLifecycleFields('atradm_Ab3d'),
}

export const AdminKeyView = Type.Object(fields, { title: 'AdminKey' })

export function adminKeyView(key: AdminKey, now: Date): Static<typeof AdminKeyView> {
  const { id, name, role } = key
  return { id, name, role, ...keyLifecycleView(key, now) }
}

export const AdminKeyDetail = StrictObject({ adminKey: AdminKeyView })
export const AdminKeyCreated = StrictObject({
  adminKey: Type.Object(
    { ...fields, key: KeyText('atradm_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy3SxWrx') },
    { title: 'NewAdminKey' },
  ),
})
export const AdminKeyList = StrictObject({ adminKeys: Type.Array(AdminKeyView), pagination: PaginationSchema })
