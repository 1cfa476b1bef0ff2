import { UserList } from '../users/user-list.tsx'

export function TenantPeople({ tenantId }: { tenantId: string }) {
  return (
    <UserList
      filter={{ tenantId }}
      empty="Nobody has registered yet. The tenant's application registers people with its API key: see the Keys tab."
    />
  )
}
