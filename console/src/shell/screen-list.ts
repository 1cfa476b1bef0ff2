// Every screen of the console. The tests visit each of them; what is not here has no address. The titles are in `words.ts`.

export const navigationGroups = ['', 'customers', 'vpn', 'system'] as const

export type Group = (typeof navigationGroups)[number]

type ScreenEntry = {
  /** Below `/console`; `:name` is a parameter. */
  path: string
  /** Where it stands in the navigation; null: reached from another screen. */
  group: Group | null
  /** Pressed after `g`. */
  letter?: string
}

export const screenList = [
  { path: '/', group: '', letter: 'h' },
  { path: '/tenants', group: 'customers', letter: 't' },
  { path: '/tenants/new', group: null },
  { path: '/tenants/:tenantId', group: null },
  { path: '/users', group: 'customers', letter: 'u' },
  { path: '/licenses', group: 'customers', letter: 'l' },
  { path: '/licenses/new', group: null },
  { path: '/licenses/:licenseId', group: null },
  { path: '/why', group: 'customers', letter: 'w' },
  { path: '/vpn/servers', group: 'vpn', letter: 'v' },
  { path: '/vpn/servers/new', group: null },
  { path: '/vpn/servers/:serverId', group: null },
  { path: '/vpn/sessions', group: 'vpn', letter: 's' },
  { path: '/audit', group: 'system', letter: 'a' },
  { path: '/jobs', group: 'system', letter: 'j' },
  { path: '/mail', group: 'system', letter: 'm' },
  { path: '/access', group: 'system', letter: 'k' },
  { path: '/settings', group: 'system', letter: 'e' },
] as const satisfies ScreenEntry[]

export type ScreenPath = (typeof screenList)[number]['path']

/** What the address gives to a screen. */
export type ScreenProps = { params: Record<string, string> }
