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

type Filter = { tenantId?: string; product?: string; plan?: License['plan']; status?: License['status'] }

export function LicenseList({ filter, act }: { filter: Filter; act: ReactNode }) {
  return (
    <>
      <PagedList
        label="Licenses"
        queryKey={['licenses.list', filter]}
        list={() => atrium.licenses.list(filter)}
        rows={({ licenses }) => licenses}
        rowKey={({ id }) => id}
        empty={
          <Empty act={act}>
            No license fits. A license says which product a tenant may use, how often and until when.
          </Empty>
        }
        columns={[
          {
            title: 'Ends with',
            cell: ({ id, keyHint }) => (
              <a className="mono" {...linkProps(`/licenses/${id}`)}>
                {keyHint}
              </a>
            ),
          },
          ...(filter.tenantId
            ? []
            : [{ title: 'Tenant', cell: ({ tenantId }: License) => <TenantLink tenantId={tenantId} /> }]),
          { title: 'Label', cell: ({ label }) => label ?? <span className="dim">none</span> },
          { title: 'Product', cell: ({ product }) => product },
          { title: 'Plan', cell: ({ plan }) => plan },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          {
            title: 'Uses',
            isNumber: true,
            cell: ({ usesCount, maxUses }) =>
              maxUses === null ? `${usesCount}, no limit` : `${usesCount} of ${maxUses}`,
          },
          { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
        ]}
      />
      <ShowRequest method="licenses.list" input={filter} />
    </>
  )
}
