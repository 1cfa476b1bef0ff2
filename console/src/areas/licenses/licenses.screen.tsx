import type { License } from '@atrium/sdk/admin'
import { Button } from '@mantine/core'
import { FilterChoice, FilterField, Filters } from '../../parts/filters.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { linkProps, useFilters } from '../../shell/address.ts'
import { LicenseList } from './license-list.tsx'
import { plans } from './plans.ts'
import { words } from './words.ts'

const statuses = [
  ['', words.anyStatus],
  ['ACTIVE', words.active],
  ['EXPIRED', words.expired],
  ['REVOKED', words.revoked],
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
      {words.issueALicense}
    </Button>
  )
  return (
    <>
      <ScreenHead title={words.licenses} hint={words.licensesHint}>
        {issue}
      </ScreenHead>
      <Filters>
        <FilterField label={words.product} value={product} onChange={(product) => change({ ...filters, product })} />
        <FilterChoice
          label={words.plan}
          value={plan}
          options={[['', words.anyPlan], ...plans]}
          onChange={(plan) => change({ ...filters, plan })}
        />
        <FilterChoice
          label={words.status}
          value={status}
          options={statuses}
          onChange={(status) => change({ ...filters, status })}
        />
      </Filters>
      <LicenseList filter={filter} act={issue} />
    </>
  )
}
