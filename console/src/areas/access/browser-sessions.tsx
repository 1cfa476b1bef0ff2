import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useSession } from '../../shell/session-context.ts'

export function BrowserSessions() {
  const own = useSession()
  return (
    <>
      <PagedList
        label="Browser sessions"
        queryKey={['browserSessions.list']}
        list={() => atrium.browserSessions.list()}
        rows={({ sessions }) => sessions}
        rowKey={({ id }) => id}
        empty={<Empty>Nobody is signed in.</Empty>}
        columns={[
          { title: 'Key', cell: ({ id, keyName }) => (id === own.id ? `${keyName} (this browser)` : keyName) },
          { title: 'Role', cell: ({ role }) => role },
          { title: 'Address', cell: ({ ip }) => ip ?? 'unknown' },
          { title: 'Signed in', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: 'Active', cell: ({ lastActiveAt }) => <Moment at={lastActiveAt} /> },
          {
            title: 'Actions',
            cell: ({ id }) => (id === own.id ? <span className="dim">none</span> : <End sessionId={id} />),
          },
        ]}
      />
      <ShowRequest method="browserSessions.list" />
    </>
  )
}

function End({ sessionId }: { sessionId: string }) {
  return (
    <ActButton needs="OWNER" isDangerous act={() => atrium.browserSessions.end({ sessionId })}>
      Sign out
    </ActButton>
  )
}
