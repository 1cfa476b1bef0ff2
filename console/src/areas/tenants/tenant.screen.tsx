import type { Tenant } from '@atrium/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { Status } from '../../parts/status.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useFilters } from '../../shell/address.ts'
import type { ScreenProps } from '../../shell/screens.ts'
import { TenantWebhooks } from '../webhooks/tenant-webhooks.tsx'
import { TenantAudit } from './tenant-audit.tsx'
import { TenantBranding } from './tenant-branding.tsx'
import { TenantDevices } from './tenant-devices.tsx'
import { TenantKeys } from './tenant-keys.tsx'
import { TenantLicenses } from './tenant-licenses.tsx'
import { TenantLimits } from './tenant-limits.tsx'
import { TenantOverview } from './tenant-overview.tsx'
import { TenantPeople } from './tenant-people.tsx'
import { TenantSessions } from './tenant-sessions.tsx'
import { TenantUsage } from './tenant-usage.tsx'

const tabs: [key: string, title: string, content: (tenant: Tenant) => ReactNode][] = [
  ['overview', 'Overview', (tenant) => <TenantOverview tenant={tenant} />],
  ['people', 'People', (tenant) => <TenantPeople tenantId={tenant.id} />],
  ['keys', 'Keys', (tenant) => <TenantKeys tenant={tenant} />],
  ['licenses', 'Licenses', (tenant) => <TenantLicenses tenantId={tenant.id} />],
  ['devices', 'Devices', (tenant) => <TenantDevices tenantId={tenant.id} />],
  ['sessions', 'Sessions', (tenant) => <TenantSessions tenantId={tenant.id} />],
  ['webhooks', 'Webhooks', (tenant) => <TenantWebhooks tenantId={tenant.id} />],
  ['usage', 'Usage', (tenant) => <TenantUsage tenantId={tenant.id} />],
  ['limits', 'Limits', (tenant) => <TenantLimits tenant={tenant} />],
  ['branding', 'Branding', (tenant) => <TenantBranding tenant={tenant} />],
  ['audit', 'Audit', (tenant) => <TenantAudit tenantId={tenant.id} />],
]

export function TenantScreen({ params: { tenantId = '' } }: ScreenProps) {
  const [{ tab }] = useFilters('tab')
  const tenant = useQuery({ queryKey: ['tenants.get', tenantId], queryFn: () => atrium.tenants.get({ tenantId }) })
  const [current = '', , content] = tabs.find(([key]) => key === tab) ?? tabs[0] ?? []
  return (
    <>
      <ScreenHead title={tenant.data?.tenant.name ?? 'Tenant'} crumbs={[['Tenants', '/tenants']]}>
        {tenant.data && <Status value={tenant.data.tenant.status} />}
      </ScreenHead>
      <Answer query={tenant}>
        {({ tenant }) => (
          <>
            <Tabs
              label="Parts of the tenant"
              path={`/tenants/${tenant.id}`}
              current={current}
              tabs={tabs.map(([key, title]) => [key, title])}
            />
            {content?.(tenant)}
          </>
        )}
      </Answer>
    </>
  )
}
