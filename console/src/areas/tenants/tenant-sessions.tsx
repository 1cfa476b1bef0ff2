import { atrium } from '../../doors/atrium.ts'
import { Empty } from '../../parts/empty.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { sessionColumns } from '../vpn/session-list.tsx'

export function TenantSessions({ tenantId }: { tenantId: string }) {
  const input = { tenantId }
  return (
    <>
      <PagedList
        label="VPN sessions"
        queryKey={['vpn.listSessions', input]}
        list={() => atrium.vpn.listSessions(input)}
        rows={({ sessions }) => sessions}
        rowKey={({ id }) => id}
        empty={<Empty>Nobody of the tenant has connected yet.</Empty>}
        columns={sessionColumns}
      />
      <ShowRequest method="vpn.listSessions" input={input} />
    </>
  )
}
