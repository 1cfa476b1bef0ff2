import type { User } from '@atrium/sdk/admin'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { linkProps } from '../../shell/address.ts'

type Props = { filter: { tenantId?: string; email?: string }; empty: string }

export function UserList({ filter, empty }: Props) {
  return (
    <>
      <PagedList
        label="Users"
        queryKey={['users.list', filter]}
        list={() => atrium.users.list(filter)}
        rows={({ users }) => users}
        rowKey={({ id }) => id}
        empty={<Empty>{empty}</Empty>}
        columns={[
          { title: 'E-mail', cell: ({ email, emailVerified }) => <Email address={email} isVerified={emailVerified} /> },
          { title: 'Name', cell: ({ name }) => name ?? <span className="dim">none</span> },
          { title: 'Role', cell: ({ role }) => role },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Last login', cell: ({ lastLoginAt }) => <Moment at={lastLoginAt} /> },
          { title: 'Actions', cell: (user) => <UserActs user={user} hasTenant={filter.tenantId === undefined} /> },
        ]}
      />
      <ShowRequest method="users.list" input={filter} />
    </>
  )
}

function Email({ address, isVerified }: { address: string; isVerified: boolean }) {
  return (
    <>
      {address} {!isVerified && <span className="dim">(not verified)</span>}
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
      {hasTenant && <a {...linkProps(`/tenants/${tenantId}?tab=people`)}>Tenant</a>}
      <a {...linkProps(`/tenants/${tenantId}?tab=devices&userId=${userId}`)}>Devices</a>
      <a {...linkProps(`/tenants/${tenantId}?tab=sessions&userId=${userId}`)}>Sessions</a>
      <a {...linkProps(`/why?userId=${userId}`)}>Why refused?</a>
      <ActButton
        needs="OWNER"
        act={() => atrium.users.update({ userId, role: role === 'ADMIN' ? 'USER' : 'ADMIN' })}
        confirm={{
          title: role === 'ADMIN' ? `Make ${email} a plain user?` : `Make ${email} an administrator?`,
          text: 'An administrator of a tenant manages its organizations, webhooks and limits.',
        }}
      >
        {role === 'ADMIN' ? 'Make user' : 'Make admin'}
      </ActButton>
      <ActButton
        needs="OWNER"
        act={() => atrium.users.update({ userId, status: isSuspended ? 'ACTIVE' : 'SUSPENDED' })}
        {...(isSuspended
          ? {}
          : { confirm: { title: `Suspend ${email}?`, text: 'All their sessions end at once. Nothing is lost.' } })}
      >
        {isSuspended ? 'Activate' : 'Suspend'}
      </ActButton>
      <ActButton
        needs="OWNER"
        isDangerous
        act={() => atrium.users.remove({ userId })}
        confirm={{
          title: `Remove ${email}?`,
          text: 'The account and its devices are removed. This cannot be undone.',
          name: email,
        }}
      >
        Remove
      </ActButton>
    </div>
  )
}
