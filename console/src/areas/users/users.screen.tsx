import { FilterField, Filters } from '../../parts/filters.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { useFilters } from '../../shell/address.ts'
import { UserList } from './user-list.tsx'
import { words } from './words.ts'

export function UsersScreen() {
  const [{ email, tenantId }, change] = useFilters('email', 'tenantId')
  const filter = { ...(email && { email }), ...(tenantId && { tenantId }) }
  return (
    <>
      <ScreenHead title={words.users} hint={words.usersHint} />
      <Filters>
        <FilterField label={words.email} value={email} onChange={(email) => change({ email, tenantId })} />
        <FilterField label={words.tenantId} value={tenantId} onChange={(tenantId) => change({ email, tenantId })} />
      </Filters>
      <UserList filter={filter} empty={words.noUsers} />
    </>
  )
}
