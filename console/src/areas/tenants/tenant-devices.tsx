import type { Device } from '@atrium/sdk/admin'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, FilterField, Filters } from '../../parts/filters.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { useFilters } from '../../shell/address.ts'

const statuses = [
  ['', 'Any status'],
  ['ACTIVE', 'Active'],
  ['SUSPENDED', 'Suspended'],
  ['REVOKED', 'Revoked'],
] as const

export function TenantDevices({ tenantId }: { tenantId: string }) {
  const [{ userId, status }, change] = useFilters('userId', 'status')
  const input = { tenantId, ...(userId && { userId }), ...(status && { status: status as Device['status'] }) }
  return (
    <>
      <Filters>
        <FilterField label="User id" value={userId} onChange={(userId) => change({ userId })} />
        <FilterChoice label="Status" value={status} options={statuses} onChange={(status) => change({ status })} />
      </Filters>
      <PagedList
        label="Devices"
        queryKey={['devices.list', input]}
        list={() => atrium.devices.list(input)}
        rows={({ devices }) => devices}
        rowKey={({ id }) => id}
        empty={<Empty>No device fits. Users register their devices through the application of the tenant.</Empty>}
        columns={[
          { title: 'Name', cell: ({ deviceName }) => deviceName },
          { title: 'Type', cell: ({ deviceType }) => deviceType },
          { title: 'Address', cell: ({ assignedIp }) => <span className="mono">{assignedIp}</span> },
          { title: 'Region', cell: ({ server }) => server.region },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Handshake', cell: ({ lastHandshakeAt }) => <Moment at={lastHandshakeAt} /> },
          { title: 'Actions', cell: (device) => <Revoke device={device} /> },
        ]}
      />
      <ShowRequest method="devices.list" input={input} />
    </>
  )
}

function Revoke({ device: { id: deviceId, tenantId, deviceName, status, confirmedAt } }: { device: Device }) {
  if (status === 'REVOKED')
    return <span className="dim">{confirmedAt ? 'confirmed by its server' : 'waits for its server'}</span>
  return (
    <ActButton
      needs="OWNER"
      isDangerous
      act={() => atrium.devices.revoke({ tenantId, deviceId })}
      confirm={{
        title: `Revoke ${deviceName}?`,
        text: 'Its tunnel ends and its keys are refused. This cannot be undone.',
      }}
    >
      Revoke
    </ActButton>
  )
}
