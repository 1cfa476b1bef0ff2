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
import { words } from './words.ts'

const statuses = [
  ['', words.anyStatus],
  ['ACTIVE', words.active],
  ['SUSPENDED', words.suspended],
] as const

export function TenantsScreen() {
  const [{ q, status }, change] = useFilters('q', 'status')
  const input = { ...(q && { q }), ...(status && { status: status as 'ACTIVE' }) }
  const create = (
    <Button component="a" size="xs" {...linkProps('/tenants/new')}>
      {words.newTenant}
    </Button>
  )
  return (
    <>
      <ScreenHead title={words.tenants} hint={words.tenantsHint}>
        {create}
      </ScreenHead>
      <Filters>
        <FilterField label={words.nameOrSlug} value={q} onChange={(q) => change({ q, status })} />
        <FilterChoice
          label={words.status}
          value={status}
          options={statuses}
          onChange={(status) => change({ status, q })}
        />
      </Filters>
      <PagedList
        label={words.tenants}
        queryKey={['tenants.list', input]}
        list={() => atrium.tenants.list(input)}
        rows={({ tenants }) => tenants}
        rowKey={({ id }) => id}
        empty={<Empty act={create}>{words.noTenants}</Empty>}
        columns={[
          { title: words.name, cell: ({ id, name }) => <a {...linkProps(`/tenants/${id}`)}>{name}</a> },
          { title: words.slug, cell: ({ slug }) => <span className="mono">{slug}</span> },
          {
            title: words.products,
            cell: ({ products }) => products.join(', ') || <span className="dim">{words.none}</span>,
          },
          { title: words.status, cell: ({ status }) => <Status value={status} /> },
          { title: words.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
      />
      <ShowRequest method="tenants.list" input={input} />
    </>
  )
}
