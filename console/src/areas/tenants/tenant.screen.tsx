import type { Tenant } from '@atrium/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { Status } from '../../parts/status.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useFilters } from '../../shell/address.ts'
import type { ScreenProps } from '../../shell/screen-list.ts'
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
import { words } from './words.ts'

const tabs: [key: string, title: string, content: (tenant: Tenant) => ReactNode][] = [
  ['overview', words.overview, (tenant) => <TenantOverview tenant={tenant} />],
  ['people', words.people, (tenant) => <TenantPeople tenantId={tenant.id} />],
  ['keys', words.keys, (tenant) => <TenantKeys tenant={tenant} />],
  ['licenses', words.licenses, (tenant) => <TenantLicenses tenantId={tenant.id} />],
  ['devices', words.devices, (tenant) => <TenantDevices tenantId={tenant.id} />],
  ['sessions', words.sessions, (tenant) => <TenantSessions tenantId={tenant.id} />],
  ['webhooks', words.webhooks, (tenant) => <TenantWebhooks tenantId={tenant.id} />],
  ['usage', words.usage, (tenant) => <TenantUsage tenantId={tenant.id} />],
  ['limits', words.limits, (tenant) => <TenantLimits tenant={tenant} />],
  ['branding', words.branding, (tenant) => <TenantBranding tenant={tenant} />],
  ['audit', words.audit, (tenant) => <TenantAudit tenantId={tenant.id} />],
]

export function TenantScreen({ params: { tenantId = '' } }: ScreenProps) {
  const [{ tab }] = useFilters('tab')
  const tenant = useQuery({ queryKey: ['tenants.get', tenantId], queryFn: () => atrium.tenants.get({ tenantId }) })
  const [current = '', , content] = tabs.find(([key]) => key === tab) ?? tabs[0] ?? []
  return (
    <>
      <ScreenHead title={tenant.data?.tenant.name ?? words.tenant} crumbs={[[words.tenants, '/tenants']]}>
        {tenant.data && <Status value={tenant.data.tenant.status} />}
      </ScreenHead>
      <Answer query={tenant}>
        {({ tenant }) => (
          <>
            <Tabs
              label={words.tenantParts}
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
