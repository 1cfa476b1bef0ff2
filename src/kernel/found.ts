export const foundKinds = [
  'TENANT',
  'USER',
  'API_KEY',
  'ADMIN_KEY',
  'LICENSE',
  'DEVICE',
  'VPN_SESSION',
  'VPN_SERVER',
  'AUDIT_ENTRIES',
] as const

/** One thing that a search has found. */
export type Found = {
  kind: (typeof foundKinds)[number]
  /** Of the audit log: the id of the request. */
  id: string
  tenantId: string | null
  name: string
  /** What tells it from others with the same name. Never a secret. */
  detail: string | null
}

/** How many of one kind a search returns. */
export const foundMax = 10
