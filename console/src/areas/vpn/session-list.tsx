import type { Output } from '@atrium/sdk/admin'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { bytesText } from '../../parts/bytes.ts'
import type { Column } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Status } from '../../parts/status.tsx'
import { linkProps } from '../../shell/address.ts'

export type VpnSessionRow = Output<'listAllSessions'>['sessions'][number]

export const sessionColumns: Column<VpnSessionRow>[] = [
  {
    title: 'Device, user',
    cell: ({ deviceName, userEmail }) => (
      <>
        {deviceName} <span className="dim">{userEmail ?? 'removed'}</span>
      </>
    ),
  },
  {
    title: 'Server',
    cell: ({ serverName, serverId }) => <a {...linkProps(`/vpn/servers/${serverId}`)}>{serverName}</a>,
  },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  { title: 'Connected', cell: ({ connectedAt }) => <Moment at={connectedAt} /> },
  { title: 'Handshake', cell: ({ lastHandshakeAt }) => <Moment at={lastHandshakeAt} /> },
  {
    title: 'Received, sent',
    isNumber: true,
    cell: ({ rxBytes, txBytes }) => `${bytesText(rxBytes)}, ${bytesText(txBytes)}`,
  },
  { title: 'Actions', cell: (session) => <SessionActs session={session} /> },
]

function SessionActs({ session: { id: sessionId, status, deviceName, endReason } }: { session: VpnSessionRow }) {
  if (status === 'ENDED') return <span className="dim">{endReason?.toLowerCase().replaceAll('_', ' ')}</span>
  return (
    <ActButton
      needs="OWNER"
      isDangerous
      act={() => atrium.vpn.endSession({ sessionId })}
      confirm={{
        title: `End the session of ${deviceName}?`,
        text: 'The device may connect again. To keep it out, revoke it.',
      }}
    >
      End
    </ActButton>
  )
}
