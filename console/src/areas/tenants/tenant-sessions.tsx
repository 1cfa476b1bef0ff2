import { atrium } from '../../doors/atrium.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, FilterField, Filters } from '../../parts/filters.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useFilters } from '../../shell/address.ts'
import { sessionColumns, type VpnSessionRow } from '../vpn/session-list.tsx'
import { words } from './words.ts'

const statuses = [
  ['', words.anyStatus],
  ['ACTIVE', words.active],
  ['PENDING', words.pending],
  ['ENDED', words.ended],
] as const

export function TenantSessions({ tenantId }: { tenantId: string }) {
  const [{ userId, status }, change] = useFilters('userId', 'status')
  const input = { tenantId, ...(userId && { userId }), ...(status && { status: status as VpnSessionRow['status'] }) }
  return (
    <>
      <Filters>
        <FilterField label={words.userId} value={userId} onChange={(userId) => change({ userId })} />
        <FilterChoice
          label={words.status}
          value={status}
          options={statuses}
          onChange={(status) => change({ status })}
        />
      </Filters>
      <PagedList
        label={words.vpnSessions}
        queryKey={['vpn.listSessions', input]}
        list={() => atrium.vpn.listSessions(input)}
        rows={({ sessions }) => sessions}
        rowKey={({ id }) => id}
        empty={<Empty>{words.noSessions}</Empty>}
        columns={sessionColumns}
      />
      <ShowRequest method="vpn.listSessions" input={input} />
    </>
  )
}
