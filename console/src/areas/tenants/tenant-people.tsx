import { UserList } from '../users/user-list.tsx'
import { words } from './words.ts'

export function TenantPeople({ tenantId }: { tenantId: string }) {
  return <UserList filter={{ tenantId }} empty={words.noPeople} />
}
