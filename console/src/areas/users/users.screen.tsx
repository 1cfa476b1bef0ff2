import { FilterField, Filters } from '../../parts/filters.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { useFilters } from '../../shell/address.ts'
import { UserList } from './user-list.tsx'

export function UsersScreen() {
  const [{ email, tenantId }, change] = useFilters('email', 'tenantId')
  const filter = { ...(email && { email }), ...(tenantId && { tenantId }) }
  return (
    <>
      <ScreenHead
        title="Users"
        hint="The people of all tenants. They register through the application of their tenant."
      />
      <Filters>
        <FilterField label="E-mail" value={email} onChange={(email) => change({ email, tenantId })} />
        <FilterField label="Tenant id" value={tenantId} onChange={(tenantId) => change({ email, tenantId })} />
      </Filters>
      <UserList filter={filter} empty="Nobody fits. People appear here once they have registered." />
    </>
  )
}
