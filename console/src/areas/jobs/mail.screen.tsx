import type { Mail } from '@atrium/sdk/admin'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, Filters } from '../../parts/filters.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { useFilters } from '../../shell/address.ts'

const statuses = [
  ['', 'Any status'],
  ['PENDING', 'Pending'],
  ['SENT', 'Sent'],
  ['FAILED', 'Failed'],
  ['DISCARDED', 'Discarded'],
] as const

export function MailScreen() {
  const [{ status }, change] = useFilters('status')
  const input = { ...(status && { status: status as Mail['status'] }) }
  return (
    <>
      <ScreenHead
        title="Mail"
        hint="What the service sends to people. Without SMTP_URL, mails wait until they expire."
      />
      <Filters>
        <FilterChoice label="Status" value={status} options={statuses} onChange={(status) => change({ status })} />
      </Filters>
      <PagedList
        label="Mails"
        queryKey={['mails.list', input]}
        list={() => atrium.mails.list(input)}
        rows={({ mails }) => mails}
        rowKey={({ id }) => id}
        empty={<Empty>No mail fits. The first is sent when somebody registers or forgets a password.</Empty>}
        columns={[
          { title: 'To', cell: ({ recipient }) => recipient },
          { title: 'Kind', cell: ({ kind }) => kind.toLowerCase().replaceAll('_', ' ') },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Last error', cell: ({ lastError }) => lastError ?? <span className="dim">none</span> },
          { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: 'Actions', cell: (mail) => <MailActs mail={mail} /> },
        ]}
      />
      <ShowRequest method="mails.list" input={input} />
    </>
  )
}

function MailActs({ mail: { id: mailId, status } }: { mail: Mail }) {
  if (status !== 'FAILED') return <span className="dim">none</span>
  return (
    <ActButton needs="OWNER" act={() => atrium.mails.retry({ mailId })}>
      Send again
    </ActButton>
  )
}
