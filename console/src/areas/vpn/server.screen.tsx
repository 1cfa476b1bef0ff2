import type { VpnServer } from '@atrium/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { atrium, atriumPoll } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Answer } from '../../parts/answer.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import type { ScreenProps } from '../../shell/screens.ts'

const renewMs = 5000

export function ServerScreen({ params: { serverId = '' } }: ScreenProps) {
  const server = useQuery({
    queryKey: ['vpn.getServer', serverId],
    queryFn: () => atriumPoll.vpn.getServer({ serverId }),
    refetchInterval: renewMs,
  })
  return (
    <Answer query={server}>
      {({ server }) => (
        <>
          <ScreenHead title={server.name} crumbs={[['VPN servers', '/vpn/servers']]}>
            <Status value={server.status} />
          </ScreenHead>
          {server.lastSeenAt === null && <Enroll server={server} />}
          <section className="panel" aria-label="Facts">
            <ServerFacts server={server} />
          </section>
          <ShowRequest method="vpn.getServer" input={{ serverId }} />
        </>
      )}
    </Answer>
  )
}

/** Waits until the agent has reported: the screen asks every few seconds. */
function Enroll({ server: { id: serverId } }: { server: VpnServer }) {
  const [token, setToken] = useState<string | null>(null)
  const create = async () => setToken((await atrium.vpn.createEnrollmentToken({ serverId })).enrollmentToken)
  return (
    <section className="panel" aria-labelledby="enroll">
      <h2 id="enroll">Enroll the agent</h2>
      <p>
        Install the agent on the server as <code>docs/vpn-operators.md</code> says, then start it with a token. This
        page shows when it has reported.
      </p>
      {token === null ? (
        <ActButton needs="OWNER" act={create}>
          Make an enrollment token
        </ActButton>
      ) : (
        <CopyText
          label="On the VPN server, once"
          text={`ATRIUM_ENROLLMENT_TOKEN=${token} npm run agent -- --url ${location.origin}`}
        />
      )}
    </section>
  )
}

function ServerFacts({ server }: { server: VpnServer }) {
  const {
    region,
    endpointHost,
    endpointPort,
    subnet4,
    subnet6,
    activeCount,
    capacity,
    health,
    lastSeenAt,
    agentVersion,
  } = server
  return (
    <Facts
      facts={{
        Region: region,
        Endpoint: <span className="mono">{`${endpointHost}:${endpointPort}`}</span>,
        Addresses: <span className="mono">{`${subnet4}, ${subnet6}`}</span>,
        Devices: `${activeCount} of ${capacity}`,
        Agent: `${health.toLowerCase()}${agentVersion ? `, ${agentVersion}` : ''}`,
        'Last seen': <Moment at={lastSeenAt} />,
        'Public key': <span className="mono">{server.publicKey ?? 'not known yet'}</span>,
        Configuration: `revision ${server.appliedRevision} of ${server.revision} applied`,
        'Refused devices': String(server.rejectedPeers.length),
      }}
    />
  )
}
