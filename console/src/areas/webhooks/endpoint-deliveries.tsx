import type { WebhookDelivery } from '@atrium/sdk/admin'
import { useState } from 'react'
import { atrium, atriumPoll } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, Filters } from '../../parts/filters.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { linkProps, useFilters } from '../../shell/address.ts'
import { Rich } from '../../words/rich.tsx'
import { words } from './words.ts'

type Ids = { tenantId: string; endpointId: string }

const statuses = [
  ['', words.anyStatus],
  ['PENDING', words.pending],
  ['DELIVERED', words.delivered],
  ['FAILED', words.failed],
] as const
const renewMs = 10_000

/** What was sent to one endpoint, with each attempt. Renewed while visible: a test arrives here. */
export function EndpointDeliveries(ids: Ids) {
  const [{ status }, change] = useFilters('status')
  const input = { ...ids, ...(status && { status: status as WebhookDelivery['status'] }) }
  return (
    <>
      <p>
        <a {...linkProps(`/tenants/${ids.tenantId}?tab=webhooks`)}>{words.allEndpoints}</a>
      </p>
      <Filters>
        <FilterChoice
          label={words.status}
          value={status}
          options={statuses}
          onChange={(status) => change({ status })}
        />
        <Recover {...ids} />
      </Filters>
      <PagedList
        label={words.deliveries}
        queryKey={['webhooks.listDeliveries', input]}
        list={() => atriumPoll.webhooks.listDeliveries(input)}
        rows={({ deliveries }) => deliveries}
        rowKey={({ messageId }) => messageId}
        renewMs={renewMs}
        empty={<Empty>{words.noDeliveries}</Empty>}
        columns={[
          { title: words.event, cell: ({ eventType }) => <span className="mono action">{eventType}</span> },
          { title: words.status, cell: ({ status }) => <Status value={status} /> },
          { title: words.attempts, cell: (delivery) => <Attempts delivery={delivery} /> },
          { title: words.nextAttempt, cell: ({ nextAttemptAt }) => <Moment at={nextAttemptAt} none={words.none} /> },
          { title: words.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: words.actions, cell: ({ messageId }) => <Resend {...ids} messageId={messageId} /> },
        ]}
      />
      <ShowRequest method="webhooks.listDeliveries" input={input} />
    </>
  )
}

function Attempts({ delivery: { attempts, tries } }: { delivery: WebhookDelivery }) {
  if (tries.length === 0) return attempts
  return (
    <details className="changes">
      <summary>{attempts}</summary>
      <ol className="attempts">
        {tries.map(({ number, startedAt, durationMs, result, statusCode }) => (
          <li key={number}>
            <Rich
              text={words.attempt(statusCode === null ? words.results[result] : words.answer(statusCode), durationMs)}
              parts={{ moment: () => <Moment at={startedAt} /> }}
            />
          </li>
        ))}
      </ol>
    </details>
  )
}

function Resend(input: Ids & { messageId: string }) {
  return (
    <ActButton needs="OWNER" act={() => atrium.webhooks.resendDelivery(input)}>
      {words.sendAgain}
    </ActButton>
  )
}

const dayMs = 86_400_000

/** What failed while the receiver was away. */
function Recover(ids: Ids) {
  const [note, setNote] = useState('')
  const recover = async () => {
    const since = new Date(Date.now() - dayMs).toISOString()
    const { recovered, remaining } = await atrium.webhooks.recoverEndpoint({ ...ids, since })
    setNote(remaining > 0 ? words.partlyRecovered(recovered, remaining) : words.recovered(recovered))
  }
  return (
    <>
      <ActButton needs="OWNER" act={recover}>
        {words.recover}
      </ActButton>
      <span role="status">{note}</span>
    </>
  )
}
