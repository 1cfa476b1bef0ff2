import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useSession } from '../../shell/session-context.ts'
import { words } from './words.ts'

export function BrowserSessions() {
  const own = useSession()
  return (
    <>
      <PagedList
        label={words.browserSessions}
        queryKey={['browserSessions.list']}
        list={() => atrium.browserSessions.list()}
        rows={({ sessions }) => sessions}
        rowKey={({ id }) => id}
        empty={<Empty>{words.nobodySignedIn}</Empty>}
        columns={[
          { title: words.key, cell: ({ id, keyName }) => (id === own.id ? words.thisBrowser(keyName) : keyName) },
          { title: words.role, cell: ({ role }) => role },
          { title: words.address, cell: ({ ip }) => ip ?? words.unknown },
          { title: words.signedIn, cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: words.active, cell: ({ lastActiveAt }) => <Moment at={lastActiveAt} /> },
          {
            title: words.actions,
            cell: ({ id }) => (id === own.id ? <span className="dim">{words.none}</span> : <End sessionId={id} />),
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
      {words.signOut}
    </ActButton>
  )
}
