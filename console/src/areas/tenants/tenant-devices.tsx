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
import { words } from './words.ts'

const statuses = [
  ['', words.anyStatus],
  ['ACTIVE', words.active],
  ['SUSPENDED', words.suspended],
  ['REVOKED', words.revoked],
] as const

export function TenantDevices({ tenantId }: { tenantId: string }) {
  const [{ userId, status }, change] = useFilters('userId', 'status')
  const input = { tenantId, ...(userId && { userId }), ...(status && { status: status as Device['status'] }) }
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
        label={words.devices}
        queryKey={['devices.list', input]}
        list={() => atrium.devices.list(input)}
        rows={({ devices }) => devices}
        rowKey={({ id }) => id}
        empty={<Empty>{words.noDevices}</Empty>}
        columns={[
          { title: words.name, cell: ({ deviceName }) => deviceName },
          { title: words.type, cell: ({ deviceType }) => deviceType },
          { title: words.address, cell: ({ assignedIp }) => <span className="mono">{assignedIp}</span> },
          { title: words.region, cell: ({ server }) => server.region },
          { title: words.status, cell: ({ status }) => <Status value={status} /> },
          { title: words.handshake, cell: ({ lastHandshakeAt }) => <Moment at={lastHandshakeAt} /> },
          { title: words.actions, cell: (device) => <Revoke device={device} /> },
        ]}
      />
      <ShowRequest method="devices.list" input={input} />
    </>
  )
}

function Revoke({ device: { id: deviceId, tenantId, deviceName, status, confirmedAt } }: { device: Device }) {
  if (status === 'REVOKED')
    return <span className="dim">{confirmedAt ? words.confirmedByServer : words.waitsForServer}</span>
  return (
    <ActButton
      needs="OWNER"
      isDangerous
      act={() => atrium.devices.revoke({ tenantId, deviceId })}
      confirm={{
        title: words.revokeDevice(deviceName),
        text: words.revokeDeviceEffect,
      }}
    >
      {words.revoke}
    </ActButton>
  )
}
