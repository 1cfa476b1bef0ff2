import { useQuery } from '@tanstack/react-query'
import { atriumPoll } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { AuditList } from '../audit/audit-list.tsx'
import { Checklist } from './checklist.tsx'
import { HealthTile } from './health-tile.tsx'
import { Tile } from './tile.tsx'

const renewMs = 30_000

/** Five questions: the counts of four lists, and the last audit entries. */
export function HomeScreen() {
  const one = { limit: 1 }
  const counts = useQuery({
    queryKey: ['home'],
    queryFn: async () => {
      const [tenants, users, licenses, dead] = await Promise.all([
        atriumPoll.tenants.list(one).page(),
        atriumPoll.users.list(one).page(),
        atriumPoll.licenses.list({ ...one, status: 'ACTIVE' }).page(),
        atriumPoll.jobs.list({ ...one, state: 'dead' }).page(),
      ])
      const total = (answer: { pagination: { total: number } }) => answer.pagination.total
      return { tenants: total(tenants), users: total(users), licenses: total(licenses), deadJobs: total(dead) }
    },
    refetchInterval: renewMs,
  })
  const audit = useQuery({ queryKey: ['home', 'audit'], queryFn: () => atriumPoll.audit.list({ limit: 5 }).page() })
  return (
    <>
      <ScreenHead title="Home" hint="What runs, what needs attention, and what to do next." />
      <Answer query={counts}>
        {({ tenants, users, licenses, deadJobs }) => (
          <>
            <div className="tiles">
              <Tile title="Tenants" value={tenants} to="/tenants" />
              <Tile title="Users" value={users} to="/users" />
              <Tile title="Active licenses" value={licenses} to="/licenses?status=ACTIVE" />
              <Tile title="Dead jobs" value={deadJobs} to="/jobs?state=dead" isBad={deadJobs > 0} />
              <HealthTile />
            </div>
            <Checklist counts={{ tenants, users, licenses }} />
          </>
        )}
      </Answer>
      <section className="panel" aria-labelledby="last-changes">
        <h2 id="last-changes">Last changes</h2>
        <Answer query={audit}>{({ auditLogs }) => <AuditList entries={auditLogs} />}</Answer>
      </section>
    </>
  )
}
