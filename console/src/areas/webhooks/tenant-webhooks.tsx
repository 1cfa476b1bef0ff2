import type { WebhookEndpoint } from '@atrium/sdk/admin'
import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { SecretBox } from '../../parts/secret-box.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { linkProps, useFilters } from '../../shell/address.ts'
import { EndpointDeliveries } from './endpoint-deliveries.tsx'
import { NewEndpoint } from './new-endpoint.tsx'

/** Where a tenant's events are sent. The endpoint whose deliveries are shown is in the address. */
export function TenantWebhooks({ tenantId }: { tenantId: string }) {
  const [secret, setSecret] = useState<string | null>(null)
  const [{ endpointId }] = useFilters('endpointId')
  const input = { tenantId }
  if (endpointId) return <EndpointDeliveries tenantId={tenantId} endpointId={endpointId} />
  return (
    <>
      {secret && (
        <SecretBox
          label="Signing secret"
          secret={secret}
          hint="The receiver checks signatures with it. It cannot be shown again; rotating makes another."
          onKept={() => setSecret(null)}
        />
      )}
      <NewEndpoint tenantId={tenantId} onCreated={setSecret} />
      <PagedList
        label="Webhook endpoints"
        queryKey={['webhooks.listEndpoints', input]}
        list={() => atrium.webhooks.listEndpoints(input)}
        rows={({ endpoints }) => endpoints}
        rowKey={({ id }) => id}
        empty={<Empty>No endpoint yet. An endpoint gets the tenant's events, such as a new license, signed.</Empty>}
        columns={[
          {
            title: 'Address',
            cell: ({ id, urlHint }) => (
              <a className="mono" {...linkProps(`/tenants/${tenantId}?tab=webhooks&endpointId=${id}`)}>
                {urlHint}
              </a>
            ),
          },
          { title: 'Events', cell: ({ eventTypes }) => eventTypes.join(', ') || 'all' },
          { title: 'Status', cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
          { title: 'Failing since', cell: ({ failingSince }) => <Moment at={failingSince} none="not failing" /> },
          {
            title: 'Actions',
            cell: (endpoint) => <EndpointActs tenantId={tenantId} endpoint={endpoint} onSecret={setSecret} />,
          },
        ]}
      />
      <ShowRequest method="webhooks.listEndpoints" input={input} />
    </>
  )
}

const reasons = { GONE: 'the receiver said that it is gone', FAILING: 'it failed for too long' }

function EndpointStatus({ endpoint: { status, disabledReason } }: { endpoint: WebhookEndpoint }) {
  return (
    <>
      <Status value={status} /> {disabledReason && <span className="dim">{reasons[disabledReason]}</span>}
    </>
  )
}

type ActsProps = { tenantId: string; endpoint: WebhookEndpoint; onSecret: (secret: string) => void }

function EndpointActs({ tenantId, endpoint: { id: endpointId, status, urlHint }, onSecret }: ActsProps) {
  const input = { tenantId, endpointId }
  return (
    <div className="head-acts">
      {status === 'DISABLED' ? (
        <ActButton needs="OWNER" act={() => atrium.webhooks.enableEndpoint(input)}>
          Enable
        </ActButton>
      ) : (
        <ActButton needs="OWNER" act={() => atrium.webhooks.testEndpoint(input)}>
          Send a test
        </ActButton>
      )}
      <ActButton
        needs="OWNER"
        act={async () => onSecret((await atrium.webhooks.rotateEndpointSecret(input)).secret)}
        confirm={{
          title: 'Rotate the signing secret?',
          text: 'A new secret is made. For a day, everything is signed with both.',
        }}
      >
        Rotate secret
      </ActButton>
      <ActButton
        needs="OWNER"
        isDangerous
        act={() => atrium.webhooks.deleteEndpoint(input)}
        confirm={{ title: `Delete ${urlHint}?`, text: 'It gets no more events, and its deliveries are forgotten.' }}
      >
        Delete
      </ActButton>
    </div>
  )
}
