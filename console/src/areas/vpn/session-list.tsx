import type { Output } from '@atrium/sdk/admin'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { bytesText } from '../../parts/bytes.ts'
import type { Column } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Status, stateWord } from '../../parts/status.tsx'
import { linkProps } from '../../shell/address.ts'
import { words } from './words.ts'

export type VpnSessionRow = Output<'listAllSessions'>['sessions'][number]

export const sessionColumns: Column<VpnSessionRow>[] = [
  {
    title: words.deviceAndUser,
    cell: ({ deviceName, userEmail }) => (
      <>
        {deviceName} <span className="dim">{userEmail ?? words.removed}</span>
      </>
    ),
  },
  {
    title: words.server,
    cell: ({ serverName, serverId }) => <a {...linkProps(`/vpn/servers/${serverId}`)}>{serverName}</a>,
  },
  { title: words.status, cell: ({ status }) => <Status value={status} /> },
  { title: words.connected, cell: ({ connectedAt }) => <Moment at={connectedAt} /> },
  { title: words.handshake, cell: ({ lastHandshakeAt }) => <Moment at={lastHandshakeAt} /> },
  {
    title: words.receivedAndSent,
    isNumber: true,
    cell: ({ rxBytes, txBytes }) => `${bytesText(rxBytes)}, ${bytesText(txBytes)}`,
  },
  { title: words.actions, cell: (session) => <SessionActs session={session} /> },
]

function SessionActs({ session: { id: sessionId, status, deviceName, endReason } }: { session: VpnSessionRow }) {
  if (status === 'ENDED') return <span className="dim">{endReason && stateWord(endReason)}</span>
  return (
    <ActButton
      needs="OWNER"
      isDangerous
      act={() => atrium.vpn.endSession({ sessionId })}
      confirm={{
        title: words.endSessionOf(deviceName),
        text: words.endSessionEffect,
      }}
    >
      {words.end}
    </ActButton>
  )
}
