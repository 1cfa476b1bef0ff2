import { useQuery } from '@tanstack/react-query'
import { atriumPoll } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { Status } from '../../parts/status.tsx'
import { Activity } from './activity.tsx'
import { Attention } from './attention.tsx'
import { Checklist } from './checklist.tsx'
import { LastChanges } from './last-changes.tsx'
import { Tile } from './tile.tsx'
import { Warnings } from './warnings.tsx'
import { words } from './words.ts'

const renewMs = 30_000

/** One question, renewed while the page is visible. */
export function HomeScreen() {
  const overview = useQuery({
    queryKey: ['system.getPlatformOverview'],
    queryFn: async () => (await atriumPoll.system.getPlatformOverview()).overview,
    refetchInterval: renewMs,
  })
  return (
    <>
      <ScreenHead title={words.home} hint={words.homeHint} />
      <Answer query={overview}>
        {({ counts, activity, health, deadJobs, failingEndpoints, endingLicenses, lastAuditEntries }) => (
          <>
            <div className="tiles">
              <Tile title={words.tenants} value={counts.tenants} to="/tenants" />
              <Tile title={words.users} value={counts.users} to="/users" />
              <Tile title={words.licenses} value={counts.licenses} to="/licenses" />
              <Tile title={words.vpnConnections} value={counts.openVpnSessions} to="/vpn/sessions" />
              <Tile title={words.deadJobs} value={deadJobs} to="/jobs?state=dead" isBad={deadJobs > 0} />
              <Tile
                title={words.serversOffline}
                value={counts.offlineVpnServers}
                to="/vpn/servers"
                isBad={counts.offlineVpnServers > 0}
              />
              <div className="tile">
                <span>{words.health}</span>
                <span>
                  <Status value={health.status} />
                </span>
                <span className="dim">{words.version(health.version)}</span>
              </div>
            </div>
            <Checklist counts={counts} />
            <Warnings />
            <Attention endpoints={failingEndpoints} licenses={endingLicenses} />
            <Activity activity={activity} />
            <LastChanges entries={lastAuditEntries} />
          </>
        )}
      </Answer>
    </>
  )
}
