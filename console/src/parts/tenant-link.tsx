import { useQuery } from '@tanstack/react-query'
import { atrium } from '../doors/atrium.ts'
import { linkProps } from '../shell/address.ts'

/** By its name, which is asked once for a tenant and not for each row. */
export function TenantLink({ tenantId }: { tenantId: string }) {
  const { data } = useQuery({
    queryKey: ['tenants.get', tenantId],
    queryFn: () => atrium.tenants.get({ tenantId }),
    staleTime: 60_000,
  })
  return <a {...linkProps(`/tenants/${tenantId}`)}>{data?.tenant.name ?? tenantId}</a>
}
