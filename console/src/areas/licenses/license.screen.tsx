import type { License } from '@atrium/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { TenantLink } from '../../parts/tenant-link.tsx'
import { linkProps } from '../../shell/address.ts'
import type { ScreenProps } from '../../shell/screens.ts'
import { ChangeTerms } from './change-terms.tsx'
import { UsesByDay } from './license-uses.tsx'

/** Addressed by its id: keys would end up in histories and logs. */
export function LicenseScreen({ params: { licenseId = '' } }: ScreenProps) {
  const input = { key: licenseId }
  const license = useQuery({ queryKey: ['licenses.get', input], queryFn: () => atrium.licenses.get(input) })
  return (
    <>
      <ScreenHead
        title={license.data ? `License ${license.data.license.keyHint}` : 'License'}
        crumbs={[['Licenses', '/licenses']]}
      >
        {license.data && <LicenseActs license={license.data.license} />}
      </ScreenHead>
      <Answer query={license}>
        {({ license }) => (
          <>
            <section className="panel" aria-label="Terms">
              <LicenseFacts license={license} />
            </section>
            <h2>Uses</h2>
            <UsesByDay licenseId={licenseId} />
            <PagedList
              label="Uses"
              queryKey={['licenses.listUses', input]}
              list={() => atrium.licenses.listUses(input)}
              rows={({ uses }) => uses}
              rowKey={({ operationId }) => operationId}
              empty={
                <Empty>
                  Not used yet. A use is taken by a VPN connection, or by a validation with <code>consume</code>.
                </Empty>
              }
              columns={[
                { title: 'When', cell: ({ usedAt }) => <Moment at={usedAt} /> },
                { title: 'By', cell: ({ source }) => (source === 'SESSION' ? 'VPN connection' : 'validation') },
                { title: 'Given back', cell: ({ refundedAt }) => <Moment at={refundedAt} none="no" /> },
              ]}
            />
            <ShowRequest method="licenses.get" input={input} />
          </>
        )}
      </Answer>
    </>
  )
}

function LicenseActs({ license }: { license: License }) {
  return (
    <>
      <Status value={license.status} />
      <a {...linkProps(`/why?licenseId=${license.id}`)}>Why refused?</a>
      {license.status !== 'REVOKED' && (
        <>
          <ChangeTerms license={license} />
          <Revoke license={license} />
        </>
      )}
    </>
  )
}

function LicenseFacts({ license }: { license: License }) {
  const {
    tenantId,
    product,
    plan,
    usesCount,
    maxUses,
    expiresAt,
    label,
    createdAt,
    lastUsedAt,
    lastValidatedAt,
    revokedAt,
  } = license
  return (
    <Facts
      facts={{
        Tenant: <TenantLink tenantId={tenantId} />,
        Product: product,
        Plan: plan,
        Uses: `${usesCount} of ${maxUses ?? 'unlimited'}`,
        Expires: <Moment at={expiresAt} />,
        Label: label ?? 'none',
        Issued: <Moment at={createdAt} />,
        'Last used': <Moment at={lastUsedAt} />,
        'Last validated': <Moment at={lastValidatedAt} />,
        Revoked: <Moment at={revokedAt} none="no" />,
      }}
    />
  )
}

function Revoke({ license: { id, keyHint } }: { license: License }) {
  return (
    <ActButton
      needs="OWNER"
      isDangerous
      act={() => atrium.licenses.revoke({ key: id })}
      confirm={{
        title: `Revoke ${keyHint}?`,
        text: 'It is refused from now on, and its VPN sessions end. This cannot be undone.',
      }}
    >
      Revoke
    </ActButton>
  )
}
