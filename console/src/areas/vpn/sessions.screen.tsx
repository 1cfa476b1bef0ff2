import { atriumPoll } from '../../doors/atrium.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, FilterField, Filters } from '../../parts/filters.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { linkProps, useFilters } from '../../shell/address.ts'
import { sessionColumns } from './session-list.tsx'
import { words } from './words.ts'

const statuses = [
  ['', words.anyStatus],
  ['ACTIVE', words.active],
  ['PENDING', words.pending],
] as const
const renewMs = 10_000

export function SessionsScreen() {
  const [filters, change] = useFilters('tenantId', 'status')
  const { tenantId, status } = filters
  const input = { ...(tenantId && { tenantId }), ...(status && { status: status as 'ACTIVE' }) }
  return (
    <>
      <ScreenHead title={words.vpnSessions} hint={words.sessionsHint} />
      <Filters>
        <FilterField
          label={words.tenantId}
          value={tenantId}
          onChange={(tenantId) => change({ ...filters, tenantId })}
        />
        <FilterChoice
          label={words.status}
          value={status}
          options={statuses}
          onChange={(status) => change({ ...filters, status })}
        />
      </Filters>
      <PagedList
        label={words.vpnSessions}
        queryKey={['vpn.listAllSessions', input]}
        list={() => atriumPoll.vpn.listAllSessions(input)}
        rows={({ sessions }) => sessions}
        rowKey={({ id }) => id}
        renewMs={renewMs}
        empty={<Empty>{words.noSessions}</Empty>}
        columns={[
          {
            title: words.tenant,
            cell: ({ tenantId, tenantName }) => <a {...linkProps(`/tenants/${tenantId}`)}>{tenantName}</a>,
          },
          ...sessionColumns,
        ]}
      />
      <ShowRequest method="vpn.listAllSessions" input={input} />
    </>
  )
}
