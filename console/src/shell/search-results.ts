import type { Output } from '@atrium/sdk/admin'
import { words } from './words.ts'

type PlatformResult = Output<'searchPlatform'>['results'][number]
export type Found = Omit<PlatformResult, 'kind'> & { kind: PlatformResult['kind'] | 'SCREEN' }

export const kindTitles: Record<Found['kind'], string> = {
  SCREEN: words.screen,
  TENANT: words.tenant,
  USER: words.user,
  API_KEY: words.apiKey,
  ADMIN_KEY: words.adminKey,
  LICENSE: words.license,
  DEVICE: words.device,
  VPN_SESSION: words.vpnSession,
  VPN_SERVER: words.vpnServer,
  AUDIT_ENTRIES: words.auditEntries,
}

/** Where a thing is shown. */
export function pathOf({ kind, id, tenantId, name }: Found): string {
  switch (kind) {
    case 'SCREEN':
      return id
    case 'TENANT':
      return `/tenants/${id}`
    case 'USER':
      return `/users?email=${encodeURIComponent(name)}`
    case 'API_KEY':
      return `/tenants/${tenantId}?tab=keys`
    case 'ADMIN_KEY':
      return '/access'
    case 'LICENSE':
      return `/licenses/${id}`
    case 'DEVICE':
      return `/tenants/${tenantId}?tab=devices`
    case 'VPN_SESSION':
      return `/tenants/${tenantId}?tab=sessions`
    case 'VPN_SERVER':
      return `/vpn/servers/${id}`
    case 'AUDIT_ENTRIES':
      return `/audit?requestId=${id}`
  }
}
