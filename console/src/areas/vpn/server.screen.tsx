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
import { Status, stateWord } from '../../parts/status.tsx'
import { navigate } from '../../shell/address.ts'
import type { ScreenProps } from '../../shell/screen-list.ts'
import { Rich } from '../../words/rich.tsx'
import { words } from './words.ts'

const renewMs = 5000

export function ServerScreen({ params: { serverId = '' } }: ScreenProps) {
  const server = useQuery({
    queryKey: ['vpn.getServer', serverId],
    queryFn: () => atriumPoll.vpn.getServer({ serverId }),
    refetchInterval: renewMs,
  })
  return (
    <>
      <ScreenHead title={server.data?.server.name ?? words.vpnServer} crumbs={[[words.vpnServers, '/vpn/servers']]}>
        {server.data && <Status value={server.data.server.status} />}
      </ScreenHead>
      <Answer query={server}>
        {({ server }) => (
          <>
            {server.lastSeenAt === null && <Enroll server={server} />}
            <section className="panel" aria-label={words.facts}>
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
      <h2 id="enroll">{words.enrollAgent}</h2>
      <p>
        <Rich text={words.enrollHint} parts={{ manual: () => <code>docs/vpn-operators.md</code> }} />
      </p>
      {token === null ? (
        <ActButton needs="OWNER" act={create}>
          {words.makeEnrollmentToken}
        </ActButton>
      ) : (
        <CopyText
          label={words.onServerOnce}
          text={`ATRIUM_ENROLLMENT_TOKEN=${token} npm run agent -- --url ${location.origin} --interface atrium --state /var/lib/atrium-agent`}
        />
      )}
    </section>
  )
}

function RetireServer({ server: { id: serverId, name, lastSeenAt } }: { server: VpnServer }) {
  return (
    <section className="panel panel-after" aria-labelledby="retire">
      <h2 id="retire">{words.retire}</h2>
      <div className="head-acts">
        {lastSeenAt !== null && (
          <ActButton
            needs="OWNER"
            isDangerous
            act={() => atrium.vpn.revokeNodeToken({ serverId })}
            confirm={{
              title: words.lockAgentOut(name),
              text: words.revokeAgentEffect,
            }}
          >
            {words.revokeAgent}
          </ActButton>
        )}
        <ActButton
          needs="OWNER"
          isDangerous
          act={async () => {
            await atrium.vpn.deleteServer({ serverId })
            navigate('/vpn/servers')
          }}
          confirm={{ title: words.deleteServer(name), text: words.deleteServerCondition }}
        >
          {words.delete}
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
        [words.region]: region,
        [words.endpoint]: <span className="mono">{`${endpointHost}:${endpointPort}`}</span>,
        [words.addresses]: <span className="mono">{`${subnet4}, ${subnet6}`}</span>,
        [words.devices]: words.devicesOf(activeCount, capacity),
        [words.agent]: `${stateWord(health)}${agentVersion ? `, ${agentVersion}` : ''}`,
        [words.lastSeen]: <Moment at={lastSeenAt} />,
        [words.publicKey]: <span className="mono">{server.publicKey ?? words.notKnownYet}</span>,
        [words.configuration]: words.revisionApplied(server.appliedRevision, server.revision),
        [words.refusedDevices]: String(server.rejectedPeers.length),
      }}
    />
  )
}
