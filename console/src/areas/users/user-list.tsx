import type { User } from '@atrium/sdk/admin'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { linkProps } from '../../shell/address.ts'
import { words } from './words.ts'

type Props = { filter: { tenantId?: string; email?: string }; empty: string }

export function UserList({ filter, empty }: Props) {
  return (
    <>
      <PagedList
        label={words.users}
        queryKey={['users.list', filter]}
        list={() => atrium.users.list(filter)}
        rows={({ users }) => users}
        rowKey={({ id }) => id}
        empty={<Empty>{empty}</Empty>}
        columns={[
          {
            title: words.email,
            cell: ({ email, emailVerified }) => <Email address={email} isVerified={emailVerified} />,
          },
          { title: words.name, cell: ({ name }) => name ?? <span className="dim">{words.none}</span> },
          { title: words.role, cell: ({ role }) => role },
          { title: words.status, cell: ({ status }) => <Status value={status} /> },
          { title: words.lastLogin, cell: ({ lastLoginAt }) => <Moment at={lastLoginAt} /> },
          { title: words.actions, cell: (user) => <UserActs user={user} hasTenant={filter.tenantId === undefined} /> },
        ]}
      />
      <ShowRequest method="users.list" input={filter} />
    </>
  )
}

function Email({ address, isVerified }: { address: string; isVerified: boolean }) {
  return (
    <>
      {address} {!isVerified && <span className="dim">{words.notVerified}</span>}
    </>
  )
}

function UserActs({
  user: { id: userId, tenantId, email, role, status },
  hasTenant,
}: {
  user: User
  hasTenant: boolean
}) {
  const isSuspended = status === 'SUSPENDED'
  return (
    <div className="head-acts">
      {hasTenant && <a {...linkProps(`/tenants/${tenantId}?tab=people`)}>{words.tenant}</a>}
      <a {...linkProps(`/tenants/${tenantId}?tab=devices&userId=${userId}`)}>{words.devices}</a>
      <a {...linkProps(`/tenants/${tenantId}?tab=sessions&userId=${userId}`)}>{words.sessions}</a>
      <a {...linkProps(`/why?userId=${userId}`)}>{words.whyRefused}</a>
      <ActButton
        needs="OWNER"
        act={() => atrium.users.update({ userId, role: role === 'ADMIN' ? 'USER' : 'ADMIN' })}
        confirm={{
          title: role === 'ADMIN' ? words.makePlainUser(email) : words.makeAdministrator(email),
          text: words.administratorRights,
        }}
      >
        {role === 'ADMIN' ? words.makeUser : words.makeAdmin}
      </ActButton>
      <ActButton
        needs="OWNER"
        act={() => atrium.users.update({ userId, status: isSuspended ? 'ACTIVE' : 'SUSPENDED' })}
        {...(isSuspended ? {} : { confirm: { title: words.suspendUser(email), text: words.suspendUserEffect } })}
      >
        {isSuspended ? words.activate : words.suspend}
      </ActButton>
      <ActButton
        needs="OWNER"
        isDangerous
        act={() => atrium.users.remove({ userId })}
        confirm={{
          title: words.removeUser(email),
          text: words.removeUserEffect,
          name: email,
        }}
      >
        {words.remove}
      </ActButton>
    </div>
  )
}
