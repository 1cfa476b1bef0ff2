import { Button } from '@mantine/core'
import { atrium } from '../../doors/atrium.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, FilterField, Filters } from '../../parts/filters.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { linkProps, useFilters } from '../../shell/address.ts'

const statuses = [
  ['', 'Any status'],
  ['ACTIVE', 'Active'],
  ['SUSPENDED', 'Suspended'],
] as const

export function TenantsScreen() {
  const [{ q, status }, change] = useFilters('q', 'status')
  const input = { ...(q && { q }), ...(status && { status: status as 'ACTIVE' }) }
  const create = (
    <Button component="a" size="xs" {...linkProps('/tenants/new')}>
      New tenant
    </Button>
  )
  return (
    <>
      <ScreenHead title="Tenants" hint="Your customers. What belongs to one is never seen by another.">
        {create}
      </ScreenHead>
      <Filters>
        <FilterField label="Name or slug" value={q} onChange={(q) => change({ q, status })} />
        <FilterChoice label="Status" value={status} options={statuses} onChange={(status) => change({ status, q })} />
      </Filters>
      <PagedList
        label="Tenants"
        queryKey={['tenants.list', input]}
        list={() => atrium.tenants.list(input)}
        rows={({ tenants }) => tenants}
        rowKey={({ id }) => id}
        empty={<Empty act={create}>No tenant fits. A tenant has its own users, keys, licenses and limits.</Empty>}
        columns={[
          { title: 'Name', cell: ({ id, name }) => <a {...linkProps(`/tenants/${id}`)}>{name}</a> },
          { title: 'Slug', cell: ({ slug }) => <span className="mono">{slug}</span> },
          { title: 'Products', cell: ({ products }) => products.join(', ') || <span className="dim">none</span> },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
      />
      <ShowRequest method="tenants.list" input={input} />
    </>
  )
}
