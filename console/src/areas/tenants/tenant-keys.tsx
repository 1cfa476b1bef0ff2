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
import { words } from './words.ts'

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
        label={words.apiKeys}
        queryKey={['apiKeys.list', input]}
        list={() => atrium.apiKeys.list(input)}
        rows={({ apiKeys }) => apiKeys}
        rowKey={({ id }) => id}
        empty={<Empty>{words.noKeys}</Empty>}
        columns={[
          { title: words.name, cell: ({ name }) => name },
          { title: words.beginsWith, cell: ({ keyPrefix }) => <span className="mono">{keyPrefix}</span> },
          { title: words.products, cell: ({ products }) => products.join(', ') },
          { title: words.status, cell: ({ status }) => <Status value={status} /> },
          { title: words.lastUsed, cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
          { title: words.actions, cell: (key) => <KeyActs apiKey={key} onRotate={() => rotate(key)} /> },
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
      <a {...linkProps(`/why?keyId=${keyId}`)}>{words.whyRefused}</a>
      {status === 'ACTIVE' && (
        <>
          <ActButton
            needs="OWNER"
            act={onRotate}
            confirm={{ title: words.rotateKey(name), text: words.rotateKeyEffect }}
          >
            {words.rotate}
          </ActButton>
          <ActButton
            needs="OWNER"
            isDangerous
            act={() => atrium.apiKeys.revoke({ tenantId, keyId })}
            confirm={{
              title: words.revokeKey(name),
              text: words.revokeKeyEffect,
            }}
          >
            {words.revoke}
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
      <SecretBox label={words.apiKey} secret={secret} hint={words.newKeyHint} onKept={onKept} />
      <section className="panel" aria-labelledby="try-key">
        <h2 id="try-key">{words.tryIt}</h2>
        <CopyText label={words.registerPerson} text={snippet} />
      </section>
    </>
  )
}
