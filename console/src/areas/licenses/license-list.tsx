import type { License } from '@atrium/sdk/admin'
import type { ReactNode } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { TenantLink } from '../../parts/tenant-link.tsx'
import { linkProps } from '../../shell/address.ts'
import { words } from './words.ts'

type Filter = { tenantId?: string; product?: string; plan?: License['plan']; status?: License['status'] }

export function LicenseList({ filter, act }: { filter: Filter; act: ReactNode }) {
  return (
    <>
      <PagedList
        label={words.licenses}
        queryKey={['licenses.list', filter]}
        list={() => atrium.licenses.list(filter)}
        rows={({ licenses }) => licenses}
        rowKey={({ id }) => id}
        empty={<Empty act={act}>{words.noLicenses}</Empty>}
        columns={[
          {
            title: words.endsWith,
            cell: ({ id, keyHint }) => (
              <a className="mono" {...linkProps(`/licenses/${id}`)}>
                {keyHint}
              </a>
            ),
          },
          ...(filter.tenantId
            ? []
            : [{ title: words.tenant, cell: ({ tenantId }: License) => <TenantLink tenantId={tenantId} /> }]),
          { title: words.label, cell: ({ label }) => label ?? <span className="dim">{words.none}</span> },
          { title: words.product, cell: ({ product }) => product },
          { title: words.plan, cell: ({ plan }) => plan },
          { title: words.status, cell: ({ status }) => <Status value={status} /> },
          {
            title: words.uses,
            isNumber: true,
            cell: ({ usesCount, maxUses }) =>
              maxUses === null ? words.usesWithoutLimit(usesCount) : words.usesOf(usesCount, maxUses),
          },
          { title: words.expires, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
        ]}
      />
      <ShowRequest method="licenses.list" input={filter} />
    </>
  )
}
