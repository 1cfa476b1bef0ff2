import { Refusal } from './refusal.ts'

/** The names of a tenant's limits. */
export const limitNames = [
  'maxUsers',
  'maxApiKeys',
  'maxDevices',
  'maxDevicesPerUser',
  'maxActiveSessions',
  'maxMeetings',
  'maxOrgs',
  'maxOrgMembers',
  'maxTasks',
  'maxDocuments',
  'maxStorageBytes',
  'maxIntegrations',
  'maxLiveBots',
  'maxMailsPerDay',
  'requestsPerWindow',
] as const

export type LimitName = (typeof limitNames)[number]

/** The limits that hold: integers, or null for no limit. */
export type Limits = Record<LimitName, number | null>

/** The limits that an administrator has set for a tenant: integers, or null for no limit. The defaults hold for all others. */
export type OwnLimits = Partial<Limits>

/** `requestsPerWindow` has none: without one the rate limit of the installation holds. */
export type DefaultLimits = Record<Exclude<LimitName, 'requestsPerWindow'>, number>

export function effectiveLimits(own: OwnLimits, defaults: DefaultLimits): Limits {
  const all: Limits = { ...defaults, requestsPerWindow: null, ...own }
  return Object.fromEntries(limitNames.map((name) => [name, all[name]])) as Limits
}

/** Refuses one more than the limit. `current` must be counted under the lock of the creating transaction. */
export function refuseOverQuota(name: LimitName, limit: number, current: number): void {
  if (current >= limit) throw overQuota(name, limit, current)
}

export function overQuota(name: LimitName, limit: number, current: number): Refusal {
  return new Refusal('QUOTA_EXCEEDED', { detail: `The tenant's limit ${name} is ${limit}, and ${current} are in use.` })
}
