import { Button } from '@mantine/core'
import { linkProps } from '../../shell/address.ts'
import { LicenseList } from '../licenses/license-list.tsx'
import { words } from './words.ts'

export function TenantLicenses({ tenantId }: { tenantId: string }) {
  const issue = (
    <Button component="a" size="xs" {...linkProps(`/licenses/new?tenantId=${tenantId}`)}>
      {words.issueALicense}
    </Button>
  )
  return (
    <>
      <div className="filters">{issue}</div>
      <LicenseList filter={{ tenantId }} act={issue} />
    </>
  )
}
