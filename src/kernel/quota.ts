import { Refusal } from './refusal.ts'

/** The limits of a tenant: integers, or null for no limit. */
export const limitNames = [
  'maxUsers',
  'maxApiKeys',
  'maxDevices',
  'maxDevicesPerUser',
  'maxActiveSessions',
  'maxMeetings',
  'maxOrgs',
  'maxOrgMembers',
  'maxStorageBytes',
  'requestsPerWindow',
] as const

export type LimitName = (typeof limitNames)[number]

export type Limits = Record<LimitName, number | null>

/** All limits, with null for those that are not set. */
export function completeLimits(some: Partial<Limits> | null): Limits {
  const entries = limitNames.map((name): [LimitName, number | null] => [name, some?.[name] ?? null])
  return Object.fromEntries(entries) as Limits
}

/** Refuses one more than the limit. `current` must be counted under the lock of the creating transaction. */
export function refuseOverQuota(name: LimitName, limit: number, current: number): void {
  if (current < limit) return
  throw new Refusal('QUOTA_EXCEEDED', { detail: `The tenant's limit ${name} is ${limit}, and ${current} are in use.` })
}
