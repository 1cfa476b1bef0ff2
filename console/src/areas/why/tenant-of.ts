import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import type { Ids } from './ids.ts'

/** The tenant of the user or the license. Undefined while it is not known. */
export function useTenantOf({ userId, licenseId }: Pick<Ids, 'userId' | 'licenseId'>): string | undefined {
  return useQuery({
    queryKey: ['why', 'tenant', userId, licenseId],
    queryFn: async () =>
      userId
        ? (await atrium.users.get({ userId })).user.tenantId
        : (await atrium.licenses.get({ key: licenseId })).license.tenantId,
    enabled: userId !== '' || licenseId !== '',
  }).data
}

/** The API keys of a tenant, those that are used first. Undefined while they are not known. */
export function useKeysOf(tenantId: string | undefined) {
  return useQuery({
    queryKey: ['why', 'keys', tenantId],
    queryFn: async () => {
      const { apiKeys } = await atrium.apiKeys.list({ tenantId: tenantId ?? '', limit: 100 }).page()
      return apiKeys.toSorted((one, other) => Number(other.status === 'ACTIVE') - Number(one.status === 'ACTIVE'))
    },
    enabled: tenantId !== undefined,
  }).data
}
