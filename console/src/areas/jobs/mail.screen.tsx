import type { Mail } from '@atrium/sdk/admin'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, Filters } from '../../parts/filters.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status, stateWord } from '../../parts/status.tsx'
import { useFilters } from '../../shell/address.ts'
import { words } from './words.ts'

const statuses = [
  ['', words.anyStatus],
  ['PENDING', words.pending],
  ['SENT', words.sent],
  ['FAILED', words.failed],
  ['DISCARDED', words.discarded],
] as const

export function MailScreen() {
  const [{ status }, change] = useFilters('status')
  const input = { ...(status && { status: status as Mail['status'] }) }
  return (
    <>
      <ScreenHead title={words.mail} hint={words.mailHint} />
      <Filters>
        <FilterChoice
          label={words.status}
          value={status}
          options={statuses}
          onChange={(status) => change({ status })}
        />
      </Filters>
      <PagedList
        label={words.mails}
        queryKey={['mails.list', input]}
        list={() => atrium.mails.list(input)}
        rows={({ mails }) => mails}
        rowKey={({ id }) => id}
        empty={<Empty>{words.noMails}</Empty>}
        columns={[
          { title: words.to, cell: ({ recipient }) => recipient },
          { title: words.kind, cell: ({ kind }) => stateWord(kind) },
          { title: words.status, cell: ({ status }) => <Status value={status} /> },
          { title: words.lastError, cell: ({ lastError }) => lastError ?? <span className="dim">{words.none}</span> },
          { title: words.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: words.actions, cell: (mail) => <MailActs mail={mail} /> },
        ]}
      />
      <ShowRequest method="mails.list" input={input} />
    </>
  )
}

function MailActs({ mail: { id: mailId, status } }: { mail: Mail }) {
  if (status !== 'FAILED') return <span className="dim">{words.none}</span>
  return (
    <ActButton needs="OWNER" act={() => atrium.mails.retry({ mailId })}>
      {words.sendAgain}
    </ActButton>
  )
}
