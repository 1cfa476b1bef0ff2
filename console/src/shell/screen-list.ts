// Every screen of the console. The tests visit each of them; what is not here has no address.

export const navigationGroups = ['', 'Customers', 'VPN', 'System'] as const

type ScreenEntry = {
  /** Below `/console`; `:name` is a parameter. */
  path: string
  title: string
  /** Where it stands in the navigation; null: reached from another screen. */
  group: (typeof navigationGroups)[number] | null
  /** Pressed after `g`. */
  letter?: string
}

export const screenList = [
  { path: '/', title: 'Home', group: '', letter: 'h' },
  { path: '/tenants', title: 'Tenants', group: 'Customers', letter: 't' },
  { path: '/tenants/new', title: 'New tenant', group: null },
  { path: '/tenants/:tenantId', title: 'Tenant', group: null },
  { path: '/users', title: 'Users', group: 'Customers', letter: 'u' },
  { path: '/licenses', title: 'Licenses', group: 'Customers', letter: 'l' },
  { path: '/licenses/new', title: 'Issue a license', group: null },
  { path: '/licenses/:licenseId', title: 'License', group: null },
  { path: '/why', title: 'Why refused?', group: 'Customers', letter: 'w' },
  { path: '/vpn/servers', title: 'Servers', group: 'VPN', letter: 'v' },
  { path: '/vpn/servers/new', title: 'Add a VPN server', group: null },
  { path: '/vpn/servers/:serverId', title: 'VPN server', group: null },
  { path: '/vpn/sessions', title: 'Sessions', group: 'VPN', letter: 's' },
  { path: '/audit', title: 'Audit', group: 'System', letter: 'a' },
  { path: '/jobs', title: 'Jobs', group: 'System', letter: 'j' },
  { path: '/mail', title: 'Mail', group: 'System', letter: 'm' },
  { path: '/access', title: 'Access', group: 'System', letter: 'k' },
  { path: '/settings', title: 'Settings', group: 'System', letter: 'e' },
] as const satisfies ScreenEntry[]

export type ScreenPath = (typeof screenList)[number]['path']
