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
import { words } from './words.ts'

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
          label={words.signingSecret}
          secret={secret}
          hint={words.signingSecretHint}
          onKept={() => setSecret(null)}
        />
      )}
      <NewEndpoint tenantId={tenantId} onCreated={setSecret} />
      <PagedList
        label={words.webhookEndpoints}
        queryKey={['webhooks.listEndpoints', input]}
        list={() => atrium.webhooks.listEndpoints(input)}
        rows={({ endpoints }) => endpoints}
        rowKey={({ id }) => id}
        empty={<Empty>{words.noEndpoints}</Empty>}
        columns={[
          {
            title: words.address,
            cell: ({ id, urlHint }) => (
              <a className="mono" {...linkProps(`/tenants/${tenantId}?tab=webhooks&endpointId=${id}`)}>
                {urlHint}
              </a>
            ),
          },
          { title: words.events, cell: ({ eventTypes }) => eventTypes.join(', ') || words.all },
          { title: words.status, cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
          {
            title: words.failingSince,
            cell: ({ failingSince }) => <Moment at={failingSince} none={words.notFailing} />,
          },
          {
            title: words.actions,
            cell: (endpoint) => <EndpointActs tenantId={tenantId} endpoint={endpoint} onSecret={setSecret} />,
          },
        ]}
      />
      <ShowRequest method="webhooks.listEndpoints" input={input} />
    </>
  )
}

const reasons = { GONE: words.receiverGone, FAILING: words.failedTooLong }

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
          {words.enable}
        </ActButton>
      ) : (
        <ActButton needs="OWNER" act={() => atrium.webhooks.testEndpoint(input)}>
          {words.sendTest}
        </ActButton>
      )}
      <ActButton
        needs="OWNER"
        act={async () => onSecret((await atrium.webhooks.rotateEndpointSecret(input)).secret)}
        confirm={{
          title: words.rotateSigningSecret,
          text: words.rotateSecretEffect,
        }}
      >
        {words.rotateSecret}
      </ActButton>
      <ActButton
        needs="OWNER"
        isDangerous
        act={() => atrium.webhooks.deleteEndpoint(input)}
        confirm={{ title: words.deleteEndpoint(urlHint), text: words.deleteEndpointEffect }}
      >
        {words.delete}
      </ActButton>
    </div>
  )
}
