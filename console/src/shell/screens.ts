import { type ComponentType, lazy } from 'react'
import { HomeScreen } from '../areas/home/home.screen.tsx'
import { type ScreenPath, type ScreenProps, screenList } from './screen-list.ts'
import { words } from './words.ts'

/** Each is fetched when it is opened, but for Home: people begin there, and what it needs all others need as well. */
const components: Record<ScreenPath, ComponentType<ScreenProps>> = {
  '/': HomeScreen,
  '/tenants': lazy(async () => ({ default: (await import('../areas/tenants/tenants.screen.tsx')).TenantsScreen })),
  '/tenants/new': lazy(async () => ({
    default: (await import('../areas/tenants/new-tenant.screen.tsx')).NewTenantScreen,
  })),
  '/tenants/:tenantId': lazy(async () => ({
    default: (await import('../areas/tenants/tenant.screen.tsx')).TenantScreen,
  })),
  '/users': lazy(async () => ({ default: (await import('../areas/users/users.screen.tsx')).UsersScreen })),
  '/licenses': lazy(async () => ({ default: (await import('../areas/licenses/licenses.screen.tsx')).LicensesScreen })),
  '/licenses/new': lazy(async () => ({
    default: (await import('../areas/licenses/new-license.screen.tsx')).NewLicenseScreen,
  })),
  '/licenses/:licenseId': lazy(async () => ({
    default: (await import('../areas/licenses/license.screen.tsx')).LicenseScreen,
  })),
  '/why': lazy(async () => ({ default: (await import('../areas/why/why.screen.tsx')).WhyScreen })),
  '/vpn/servers': lazy(async () => ({ default: (await import('../areas/vpn/servers.screen.tsx')).ServersScreen })),
  '/vpn/servers/new': lazy(async () => ({
    default: (await import('../areas/vpn/new-server.screen.tsx')).NewServerScreen,
  })),
  '/vpn/servers/:serverId': lazy(async () => ({
    default: (await import('../areas/vpn/server.screen.tsx')).ServerScreen,
  })),
  '/vpn/sessions': lazy(async () => ({ default: (await import('../areas/vpn/sessions.screen.tsx')).SessionsScreen })),
  '/audit': lazy(async () => ({ default: (await import('../areas/audit/audit.screen.tsx')).AuditScreen })),
  '/jobs': lazy(async () => ({ default: (await import('../areas/jobs/jobs.screen.tsx')).JobsScreen })),
  '/mail': lazy(async () => ({ default: (await import('../areas/jobs/mail.screen.tsx')).MailScreen })),
  '/access': lazy(async () => ({ default: (await import('../areas/access/access.screen.tsx')).AccessScreen })),
  '/settings': lazy(async () => ({ default: (await import('../areas/settings/settings.screen.tsx')).SettingsScreen })),
}

type Match = { title: string; Component: ComponentType<ScreenProps>; params: Record<string, string> }

export function matchScreen(path: string): Match | null {
  for (const { path: pattern } of screenList) {
    const params = matchPath(pattern, path)
    if (params) return { title: words.screens[pattern], Component: components[pattern], params }
  }
  return null
}

function matchPath(pattern: string, path: string): Record<string, string> | null {
  const expected = pattern.split('/')
  const actual = path.split('/')
  if (expected.length !== actual.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const value = actual[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return null
  }
  return params
}
