import type { License } from '@atrium/sdk/admin'
import { Button } from '@mantine/core'
import { FilterChoice, FilterField, Filters } from '../../parts/filters.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { linkProps, useFilters } from '../../shell/address.ts'
import { LicenseList } from './license-list.tsx'
import { plans } from './plans.ts'

const statuses = [
  ['', 'Any status'],
  ['ACTIVE', 'Active'],
  ['EXPIRED', 'Expired'],
  ['REVOKED', 'Revoked'],
] as const

export function LicensesScreen() {
  const [filters, change] = useFilters('product', 'plan', 'status')
  const { product, plan, status } = filters
  const filter = {
    ...(product && { product }),
    ...(plan && { plan: plan as License['plan'] }),
    ...(status && { status: status as License['status'] }),
  }
  const issue = (
    <Button component="a" size="xs" {...linkProps('/licenses/new')}>
      Issue a license
    </Button>
  )
  return (
    <>
      <ScreenHead title="Licenses" hint="Which product a tenant may use, how often and until when.">
        {issue}
      </ScreenHead>
      <Filters>
        <FilterField label="Product" value={product} onChange={(product) => change({ ...filters, product })} />
        <FilterChoice
          label="Plan"
          value={plan}
          options={[['', 'Any plan'], ...plans]}
          onChange={(plan) => change({ ...filters, plan })}
        />
        <FilterChoice
          label="Status"
          value={status}
          options={statuses}
          onChange={(status) => change({ ...filters, status })}
        />
      </Filters>
      <LicenseList filter={filter} act={issue} />
    </>
  )
}
