import { atriumPoll } from '../../doors/atrium.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, FilterField, Filters } from '../../parts/filters.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { linkProps, useFilters } from '../../shell/address.ts'
import { sessionColumns } from './session-list.tsx'

const statuses = [
  ['', 'Any status'],
  ['ACTIVE', 'Active'],
  ['PENDING', 'Pending: no handshake yet'],
] as const
const renewMs = 10_000

export function SessionsScreen() {
  const [filters, change] = useFilters('tenantId', 'status')
  const { tenantId, status } = filters
  const input = { ...(tenantId && { tenantId }), ...(status && { status: status as 'ACTIVE' }) }
  return (
    <>
      <ScreenHead title="VPN sessions" hint="Who is connected now. Renewed every ten seconds while you look." />
      <Filters>
        <FilterField label="Tenant id" value={tenantId} onChange={(tenantId) => change({ ...filters, tenantId })} />
        <FilterChoice
          label="Status"
          value={status}
          options={statuses}
          onChange={(status) => change({ ...filters, status })}
        />
      </Filters>
      <PagedList
        label="VPN sessions"
        queryKey={['vpn.listAllSessions', input]}
        list={() => atriumPoll.vpn.listAllSessions(input)}
        rows={({ sessions }) => sessions}
        rowKey={({ id }) => id}
        renewMs={renewMs}
        empty={<Empty>Nobody is connected. A device connects once its user has registered it.</Empty>}
        columns={[
          {
            title: 'Tenant',
            cell: ({ tenantId, tenantName }) => <a {...linkProps(`/tenants/${tenantId}`)}>{tenantName}</a>,
          },
          ...sessionColumns,
        ]}
      />
      <ShowRequest method="vpn.listAllSessions" input={input} />
    </>
  )
}
