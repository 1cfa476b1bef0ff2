import type { ApiKey, Tenant } from '@atrium/sdk/admin'
import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { SecretBox } from '../../parts/secret-box.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { linkProps } from '../../shell/address.ts'
import { NewApiKey } from './new-api-key.tsx'

export function TenantKeys({ tenant: { id: tenantId } }: { tenant: Tenant }) {
  const [secret, setSecret] = useState<string | null>(null)
  const input = { tenantId }
  const rotate = async ({ id: keyId }: ApiKey) => {
    const { apiKey } = await atrium.apiKeys.rotate({ tenantId, keyId, overlapSeconds: 86_400 })
    setSecret(apiKey.key)
  }
  return (
    <>
      {secret && <NewSecret secret={secret} onKept={() => setSecret(null)} />}
      <NewApiKey tenantId={tenantId} onCreated={setSecret} />
      <PagedList
        label="API keys"
        queryKey={['apiKeys.list', input]}
        list={() => atrium.apiKeys.list(input)}
        rows={({ apiKeys }) => apiKeys}
        rowKey={({ id }) => id}
        empty={<Empty>No key yet. The tenant's application sends one with every request.</Empty>}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Begins with', cell: ({ keyPrefix }) => <span className="mono">{keyPrefix}</span> },
          { title: 'Products', cell: ({ products }) => products.join(', ') },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
          { title: 'Actions', cell: (key) => <KeyActs apiKey={key} onRotate={() => rotate(key)} /> },
        ]}
      />
      <ShowRequest method="apiKeys.list" input={input} />
    </>
  )
}

function KeyActs({
  apiKey: { id: keyId, tenantId, name, status },
  onRotate,
}: {
  apiKey: ApiKey
  onRotate: () => Promise<void>
}) {
  return (
    <div className="head-acts">
      <a {...linkProps(`/why?keyId=${keyId}`)}>Why refused?</a>
      {status === 'ACTIVE' && (
        <>
          <ActButton
            needs="OWNER"
            act={onRotate}
            confirm={{ title: `Rotate ${name}?`, text: 'A new key is made. The old one is accepted for another day.' }}
          >
            Rotate
          </ActButton>
          <ActButton
            needs="OWNER"
            isDangerous
            act={() => atrium.apiKeys.revoke({ tenantId, keyId })}
            confirm={{
              title: `Revoke ${name}?`,
              text: 'Whoever uses the key is refused at once. This cannot be undone.',
            }}
          >
            Revoke
          </ActButton>
        </>
      )}
    </div>
  )
}

function NewSecret({ secret, onKept }: { secret: string; onKept: () => void }) {
  const snippet = `curl '${location.origin}/vault/v1/auth/register' \\\n  -H 'X-API-Key: ${secret}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"email":"ana@example.com","password":"choose-a-long-one-37"}'`
  return (
    <>
      <SecretBox
        label="API key"
        secret={secret}
        hint="The application sends it in the header X-API-Key. It cannot be shown again."
        onKept={onKept}
      />
      <section className="panel" aria-labelledby="try-key">
        <h2 id="try-key">Try it</h2>
        <CopyText label="Register a person" text={snippet} />
      </section>
    </>
  )
}
