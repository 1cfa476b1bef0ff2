import { StringEnum } from '../../kernel/schemas.ts'
import type { AdminRole } from './access.ts'

const adminRoles = ['OWNER', 'EDITOR', 'VIEWER'] as const satisfies readonly AdminRole[]

export const AdminRoleWord = StringEnum(adminRoles, {
  description:
    'OWNER: may do everything. EDITOR: may read everything and change the catalog and content. VIEWER: may read everything.',
})
