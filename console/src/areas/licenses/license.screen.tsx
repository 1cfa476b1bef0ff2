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
import type { ScreenProps } from '../../shell/screen-list.ts'
import { Rich } from '../../words/rich.tsx'
import { ChangeTerms } from './change-terms.tsx'
import { UsesByDay } from './license-uses.tsx'
import { words } from './words.ts'

/** Addressed by its id: keys would end up in histories and logs. */
export function LicenseScreen({ params: { licenseId = '' } }: ScreenProps) {
  const input = { key: licenseId }
  const license = useQuery({ queryKey: ['licenses.get', input], queryFn: () => atrium.licenses.get(input) })
  return (
    <>
      <ScreenHead
        title={license.data ? words.licenseWithHint(license.data.license.keyHint) : words.license}
        crumbs={[[words.licenses, '/licenses']]}
      >
        {license.data && <LicenseActs license={license.data.license} />}
      </ScreenHead>
      <Answer query={license}>
        {({ license }) => (
          <>
            <section className="panel" aria-label={words.terms}>
              <LicenseFacts license={license} />
            </section>
            <h2>{words.uses}</h2>
            <UsesByDay licenseId={licenseId} />
            <PagedList
              label={words.uses}
              queryKey={['licenses.listUses', input]}
              list={() => atrium.licenses.listUses(input)}
              rows={({ uses }) => uses}
              rowKey={({ operationId }) => operationId}
              empty={
                <Empty>
                  <Rich text={words.noUses} parts={{ consume: () => <code>consume</code> }} />
                </Empty>
              }
              columns={[
                { title: words.when, cell: ({ usedAt }) => <Moment at={usedAt} /> },
                {
                  title: words.by,
                  cell: ({ source }) => (source === 'SESSION' ? words.vpnConnection : words.validation),
                },
                { title: words.givenBack, cell: ({ refundedAt }) => <Moment at={refundedAt} none={words.no} /> },
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
      <a {...linkProps(`/why?licenseId=${license.id}`)}>{words.whyRefused}</a>
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
        [words.tenant]: <TenantLink tenantId={tenantId} />,
        [words.product]: product,
        [words.plan]: plan,
        [words.uses]: maxUses === null ? words.usesOfUnlimited(usesCount) : words.usesOf(usesCount, maxUses),
        [words.expires]: <Moment at={expiresAt} />,
        [words.label]: label ?? words.none,
        [words.issued]: <Moment at={createdAt} />,
        [words.lastUsed]: <Moment at={lastUsedAt} />,
        [words.lastValidated]: <Moment at={lastValidatedAt} />,
        [words.revoked]: <Moment at={revokedAt} none={words.no} />,
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
        title: words.revokeLicense(keyHint),
        text: words.revokeLicenseEffect,
      }}
    >
      {words.revoke}
    </ActButton>
  )
}
