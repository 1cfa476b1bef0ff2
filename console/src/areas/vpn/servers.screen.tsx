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
import { Status, stateWord } from '../../parts/status.tsx'
import { linkProps } from '../../shell/address.ts'
import { words } from './words.ts'

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
      {words.addAServer}
    </Button>
  )
  return (
    <>
      <ScreenHead title={words.vpnServers} hint={words.serversHint}>
        {add}
      </ScreenHead>
      <Answer query={servers}>
        {({ servers }) =>
          servers.length === 0 ? (
            <Empty act={add}>{words.noServers}</Empty>
          ) : (
            <List label={words.vpnServers} rows={servers} rowKey={({ id }) => id} columns={columns} />
          )
        }
      </Answer>
      <ShowRequest method="vpn.listServers" input={input} />
    </>
  )
}

const columns = [
  { title: words.name, cell: ({ id, name }: VpnServer) => <a {...linkProps(`/vpn/servers/${id}`)}>{name}</a> },
  { title: words.region, cell: ({ region }: VpnServer) => region },
  {
    title: words.devices,
    isNumber: true,
    cell: ({ activeCount, capacity }: VpnServer) => words.devicesOf(activeCount, capacity),
  },
  { title: words.status, cell: ({ status }: VpnServer) => <Status value={status} /> },
  { title: words.agent, cell: (server: VpnServer) => <Agent server={server} /> },
  { title: words.lastSeen, cell: ({ lastSeenAt }: VpnServer) => <Moment at={lastSeenAt} /> },
  { title: words.actions, cell: (server: VpnServer) => <ServerActs server={server} /> },
]

function Agent({ server: { health, agentVersion } }: { server: VpnServer }) {
  return (
    <>
      {stateWord(health)} {agentVersion && <span className="dim">{agentVersion}</span>}
    </>
  )
}

function ServerActs({ server: { id: serverId, name, status } }: { server: VpnServer }) {
  if (status !== 'ACTIVE')
    return (
      <ActButton needs="OWNER" act={() => atrium.vpn.updateServer({ serverId, status: 'ACTIVE' })}>
        {words.activate}
      </ActButton>
    )
  return (
    <ActButton
      needs="OWNER"
      act={() => atrium.vpn.updateServer({ serverId, status: 'DRAINING' })}
      confirm={{ title: words.drainServer(name), text: words.drainServerEffect }}
    >
      {words.drain}
    </ActButton>
  )
}
