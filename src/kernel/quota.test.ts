import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectiveLimits } from './quota.ts'

const defaults = {
  maxUsers: 1,
  maxApiKeys: 2,
  maxDevices: 3,
  maxDevicesPerUser: 4,
  maxActiveSessions: 5,
  maxMeetings: 6,
  maxOrgs: 7,
  maxOrgMembers: 8,
  maxTasks: 10,
  maxDocuments: 10,
  maxIntegrations: 10,
  maxStorageBytes: 9,
  maxLiveBots: 11,
  maxMailsPerDay: 12,
}

test('a tenant has a finite limit of everything unless an administrator has set another one, or none', () => {
  assert.deepEqual(effectiveLimits({}, defaults), { ...defaults, requestsPerWindow: null })
  const own = { maxUsers: 0, maxDevices: null, maxMeetings: 1_000_000, requestsPerWindow: 50 }
  assert.deepEqual(effectiveLimits(own, defaults), { ...defaults, ...own })
})

test('members that are no limits are dropped', () => {
  const own = { maxUsers: 9, ...{ maxSheep: 7 } }
  assert.deepEqual(effectiveLimits(own, defaults), { ...defaults, maxUsers: 9, requestsPerWindow: null })
})
