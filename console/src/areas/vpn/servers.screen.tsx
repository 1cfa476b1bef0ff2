import type { VpnServer } from '@atrium/sdk/admin'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { atrium, atriumPoll } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { linkProps } from '../../shell/address.ts'

const renewMs = 10_000
const input = { limit: 100 }

/** Renewed while it is visible. */
export function ServersScreen() {
  const servers = useQuery({
    queryKey: ['vpn.listServers'],
    queryFn: () => atriumPoll.vpn.listServers(input).page(),
    refetchInterval: renewMs,
  })
  const add = (
    <Button component="a" size="xs" {...linkProps('/vpn/servers/new')}>
      Add a server
    </Button>
  )
  return (
    <>
      <ScreenHead title="VPN servers" hint="Where devices connect. The agent on each reports every few seconds.">
        {add}
      </ScreenHead>
      <Answer query={servers}>
        {({ servers }) =>
          servers.length === 0 ? (
            <Empty act={add}>No server yet. Devices cannot connect without one.</Empty>
          ) : (
            <List label="VPN servers" rows={servers} rowKey={({ id }) => id} columns={columns} />
          )
        }
      </Answer>
      <ShowRequest method="vpn.listServers" input={input} />
    </>
  )
}

const columns = [
  { title: 'Name', cell: ({ id, name }: VpnServer) => <a {...linkProps(`/vpn/servers/${id}`)}>{name}</a> },
  { title: 'Region', cell: ({ region }: VpnServer) => region },
  { title: 'Devices', isNumber: true, cell: ({ activeCount, capacity }: VpnServer) => `${activeCount} of ${capacity}` },
  { title: 'Status', cell: ({ status }: VpnServer) => <Status value={status} /> },
  { title: 'Agent', cell: (server: VpnServer) => <Agent server={server} /> },
  { title: 'Last seen', cell: ({ lastSeenAt }: VpnServer) => <Moment at={lastSeenAt} /> },
  { title: 'Actions', cell: (server: VpnServer) => <ServerActs server={server} /> },
]

function Agent({ server: { health, agentVersion } }: { server: VpnServer }) {
  return (
    <>
      {health.toLowerCase()} {agentVersion && <span className="dim">{agentVersion}</span>}
    </>
  )
}

function ServerActs({ server: { id: serverId, name, status } }: { server: VpnServer }) {
  if (status !== 'ACTIVE')
    return (
      <ActButton needs="OWNER" act={() => atrium.vpn.updateServer({ serverId, status: 'ACTIVE' })}>
        Activate
      </ActButton>
    )
  return (
    <ActButton
      needs="OWNER"
      act={() => atrium.vpn.updateServer({ serverId, status: 'DRAINING' })}
      confirm={{ title: `Drain ${name}?`, text: 'It gets no new devices. Those that it has stay connected.' }}
    >
      Drain
    </ActButton>
  )
}
