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
import { navigate } from '../../shell/address.ts'
import type { ScreenProps } from '../../shell/screens.ts'

const renewMs = 5000

export function ServerScreen({ params: { serverId = '' } }: ScreenProps) {
  const server = useQuery({
    queryKey: ['vpn.getServer', serverId],
    queryFn: () => atriumPoll.vpn.getServer({ serverId }),
    refetchInterval: renewMs,
  })
  return (
    <>
      <ScreenHead title={server.data?.server.name ?? 'VPN server'} crumbs={[['VPN servers', '/vpn/servers']]}>
        {server.data && <Status value={server.data.server.status} />}
      </ScreenHead>
      <Answer query={server}>
        {({ server }) => (
          <>
            {server.lastSeenAt === null && <Enroll server={server} />}
            <section className="panel" aria-label="Facts">
              <ServerFacts server={server} />
            </section>
            <ShowRequest method="vpn.getServer" input={{ serverId }} />
            <RetireServer server={server} />
          </>
        )}
      </Answer>
    </>
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
          text={`ATRIUM_ENROLLMENT_TOKEN=${token} npm run agent -- --url ${location.origin} --interface atrium --state /var/lib/atrium-agent`}
        />
      )}
    </section>
  )
}

function RetireServer({ server: { id: serverId, name, lastSeenAt } }: { server: VpnServer }) {
  return (
    <section className="panel panel-after" aria-labelledby="retire">
      <h2 id="retire">Lost, stolen or no longer needed</h2>
      <div className="head-acts">
        {lastSeenAt !== null && (
          <ActButton
            needs="OWNER"
            isDangerous
            act={() => atrium.vpn.revokeNodeToken({ serverId })}
            confirm={{
              title: `Lock the agent of ${name} out?`,
              text: 'Its token stops working at once. The machine keeps the peers that it has: rotate or revoke the devices whose keys it knew, and enroll another agent.',
            }}
          >
            Revoke the agent’s token
          </ActButton>
        )}
        <ActButton
          needs="OWNER"
          isDangerous
          act={async () => {
            await atrium.vpn.deleteServer({ serverId })
            navigate('/vpn/servers')
          }}
          confirm={{ title: `Delete ${name}?`, text: 'Only a server without devices can be deleted.' }}
        >
          Delete
        </ActButton>
      </div>
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
