import { integer, type Settings, word } from './readers.ts'

/** A tenant's own limit may be lower or higher, or none. */
const limit = (value: number) => integer(value, 1, Number.MAX_SAFE_INTEGER)

/** How much callers and tenants may do. */
export const limitSettings = {
  rateLimitMax: ['RATE_LIMIT_MAX', integer(1000, 1, 1_000_000_000), 'Requests that one caller may make in a window.'],
  rateLimitWindowSeconds: [
    'RATE_LIMIT_WINDOW_SECONDS',
    integer(900, 1, 86_400),
    'Length of the rate limit window, in seconds.',
  ],
  rateLimitAuthFailures: [
    'RATE_LIMIT_AUTH_FAILURES',
    integer(100, 1, 1_000_000_000),
    'Wrong credentials that one address may send in a window; failed logins are counted by tenant and address.',
  ],
  platformRegistration: [
    'PLATFORM_REGISTRATION',
    word('closed', ['closed', 'open']),
    'Whether anybody may register without an API key, as a user of the built-in tenant `platform`.',
  ],
  tenantMaxUsers: ['TENANT_MAX_USERS', limit(100_000), 'Users of a tenant without a limit of its own.'],
  tenantMaxApiKeys: ['TENANT_MAX_API_KEYS', limit(1000), 'The same for active API keys.'],
  tenantMaxDevices: ['TENANT_MAX_DEVICES', limit(100_000), 'The same for VPN devices.'],
  tenantMaxDevicesPerUser: ['TENANT_MAX_DEVICES_PER_USER', limit(100), 'The same for VPN devices of one user.'],
  tenantMaxActiveSessions: ['TENANT_MAX_ACTIVE_SESSIONS', limit(100_000), 'The same for open VPN sessions.'],
  tenantMaxMeetings: ['TENANT_MAX_MEETINGS', limit(1_000_000), 'The same for meetings.'],
  tenantMaxOrgs: ['TENANT_MAX_ORGS', limit(10_000), 'The same for organizations.'],
  tenantMaxOrgMembers: ['TENANT_MAX_ORG_MEMBERS', limit(10_000), 'The same for members of one organization.'],
  tenantMaxTasks: ['TENANT_MAX_TASKS', limit(100_000), 'The same for tasks of one organization.'],
  tenantMaxDocuments: ['TENANT_MAX_DOCUMENTS', limit(1_000_000), 'The same for documents.'],
  tenantMaxStorageBytes: [
    'TENANT_MAX_STORAGE_BYTES',
    limit(100 * 1024 ** 3),
    'The same for the bytes of stored mails and documents.',
  ],
  tenantMaxIntegrations: ['TENANT_MAX_INTEGRATIONS', limit(10_000), 'The same for integrations.'],
  tenantMaxLiveBots: ['TENANT_MAX_LIVE_BOTS', limit(1000), 'The same for bots that are scheduled or in meetings.'],
  tenantMaxMailsPerDay: [
    'TENANT_MAX_MAILS_PER_DAY',
    limit(1000),
    'The same for mails of conversations that are sent in a day (UTC).',
  ],
} as const satisfies Settings
