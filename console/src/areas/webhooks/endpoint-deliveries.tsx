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

type Ids = { tenantId: string; endpointId: string }

const statuses = [
  ['', 'Any status'],
  ['PENDING', 'Pending'],
  ['DELIVERED', 'Delivered'],
  ['FAILED', 'Failed'],
] as const
const renewMs = 10_000

/** What was sent to one endpoint, with each attempt. Renewed while visible: a test arrives here. */
export function EndpointDeliveries(ids: Ids) {
  const [{ status }, change] = useFilters('status')
  const input = { ...ids, ...(status && { status: status as WebhookDelivery['status'] }) }
  return (
    <>
      <p>
        <a {...linkProps(`/tenants/${ids.tenantId}?tab=webhooks`)}>All endpoints</a>
      </p>
      <Filters>
        <FilterChoice label="Status" value={status} options={statuses} onChange={(status) => change({ status })} />
        <Recover {...ids} />
      </Filters>
      <PagedList
        label="Deliveries"
        queryKey={['webhooks.listDeliveries', input]}
        list={() => atriumPoll.webhooks.listDeliveries(input)}
        rows={({ deliveries }) => deliveries}
        rowKey={({ messageId }) => messageId}
        renewMs={renewMs}
        empty={<Empty>Nothing was sent to it yet. Send a test, or wait for an event of the tenant.</Empty>}
        columns={[
          { title: 'Event', cell: ({ eventType }) => <span className="mono action">{eventType}</span> },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Attempts', cell: (delivery) => <Attempts delivery={delivery} /> },
          { title: 'Next attempt', cell: ({ nextAttemptAt }) => <Moment at={nextAttemptAt} none="none" /> },
          { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: 'Actions', cell: ({ messageId }) => <Resend {...ids} messageId={messageId} /> },
        ]}
      />
      <ShowRequest method="webhooks.listDeliveries" input={input} />
    </>
  )
}

const results: Record<WebhookDelivery['tries'][number]['result'], string> = {
  DELIVERED: 'delivered',
  STATUS: 'refused',
  REDIRECT: 'redirected, which is not followed',
  TIMEOUT: 'no answer in time',
  NAME: 'the host name has no address',
  ADDRESS: 'the address is not public',
  CONNECTION: 'no connection',
  TLS: 'the encrypted connection failed',
  CERTIFICATE: 'the certificate is not trusted',
  ANSWER: 'not a valid answer',
}

function Attempts({ delivery: { attempts, tries } }: { delivery: WebhookDelivery }) {
  if (tries.length === 0) return attempts
  return (
    <details className="changes">
      <summary>{attempts}</summary>
      <ol className="attempts">
        {tries.map(({ number, startedAt, durationMs, result, statusCode }) => (
          <li key={number}>
            <Moment at={startedAt} />: {statusCode === null ? results[result] : `answer ${statusCode}`}, after{' '}
            {durationMs} ms
          </li>
        ))}
      </ol>
    </details>
  )
}

function Resend(input: Ids & { messageId: string }) {
  return (
    <ActButton needs="OWNER" act={() => atrium.webhooks.resendDelivery(input)}>
      Send again
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
    setNote(`${recovered} are sent again${remaining > 0 ? `; ${remaining} are left, press again` : ''}.`)
  }
  return (
    <>
      <ActButton needs="OWNER" act={recover}>
        Send again what failed in the last day
      </ActButton>
      <span role="status">{note}</span>
    </>
  )
}
