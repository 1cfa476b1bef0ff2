import { Refusal } from './refusal.ts'

/** The limits a tenant can have; integers, or null for none. */
export const limitNames = [
  'maxUsers',
  'maxApiKeys',
  'maxDevices',
  'maxDevicesPerUser',
  'maxActiveSessions',
  'maxMeetings',
  'maxStorageBytes',
  'requestsPerWindow',
] as const

export type LimitName = (typeof limitNames)[number]

export type Limits = Record<LimitName, number | null>

/** All limits, null for those that are not set. */
export function completeLimits(some: Partial<Limits> | null): Limits {
  const entries = limitNames.map((name): [LimitName, number | null] => [name, some?.[name] ?? null])
  return Object.fromEntries(entries) as Limits
}

/** Refuses one more of what the limit counts. `current` is the count under the lock of the creating transaction. */
export function refuseOverQuota(name: LimitName, limit: number, current: number): void {
  if (current < limit) return
  throw new Refusal('QUOTA_EXCEEDED', { detail: `The tenant's limit ${name} is ${limit}, and ${current} are in use.` })
}
