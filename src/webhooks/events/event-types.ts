const id = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'
const other = '0193b6a0-61aa-7c02-8a5e-0f4d2c9b7e31'

/**
 * Everything a tenant can be told of, with what `data` holds. Thin: ids, and the path where the rest can be read by
 * whoever may; never a text, an address, a key or a secret.
 */
export const eventTypes = {
  'tenant.suspended': { means: 'The tenant was suspended: its keys and users are refused.', data: { tenantId: id } },
  'tenant.activated': { means: 'The tenant is active again.', data: { tenantId: id } },
  'tenant.removed': {
    means: 'The tenant was deleted with its keys, users and licenses. Nothing is sent after it.',
    data: { tenantId: id },
  },
  'tenant.user.created': { means: 'A user registered.', data: { userId: id } },
  'tenant.user.suspended': { means: 'A user was suspended.', data: { userId: id } },
  'tenant.user.activated': { means: 'A suspended user is active again.', data: { userId: id } },
  'tenant.user.removed': { means: 'A user was removed, with all that belonged to them.', data: { userId: id } },
  'vault.device.registered': {
    means: 'A device was registered.',
    data: { deviceId: id, userId: other, path: `/vault/v1/devices/${id}` },
  },
  'vault.device.revoked': { means: 'A device was revoked.', data: { deviceId: id } },
  'vault.session.started': {
    means: 'A VPN session began.',
    data: { sessionId: id, deviceId: other, path: `/vault/v1/vpn/sessions/${id}` },
  },
  'vault.session.ended': {
    means: 'A VPN session ended, and why.',
    data: { sessionId: id, deviceId: other, reason: 'CLIENT', path: `/vault/v1/vpn/sessions/${id}` },
  },
  'license.issued': { means: 'The tenant was given a license.', data: { licenseId: id, product: 'vault-vpn' } },
  'license.exhausted': {
    means: 'A license has no uses left: the last one was taken, or an administrator lowered how many there are.',
    data: { licenseId: id },
  },
  'license.expiring': {
    means: 'A license ends within a week. Once a term: when its end is changed, of that one again.',
    data: { licenseId: id, expiresAt: '2026-11-28T12:00:00.000Z' },
  },
  'license.expired': {
    means: 'A license has ended. Once a term.',
    data: { licenseId: id, expiresAt: '2026-11-28T12:00:00.000Z' },
  },
  'license.revoked': { means: 'A license was revoked.', data: { licenseId: id } },
  'meeting.created': { means: 'A meeting was made.', data: { meetingId: id, path: `/assistant/v1/meetings/${id}` } },
  'meeting.completed': { means: 'A meeting ended.', data: { meetingId: id, path: `/assistant/v1/meetings/${id}` } },
  'meeting.deleted': { means: 'A meeting was erased with all that was said in it.', data: { meetingId: id } },
  'meeting.transcript.updated': {
    means:
      'Something was said or brought in: at most one such event a meeting and minute, sent when the minute is over.',
    data: { meetingId: id, path: `/assistant/v1/meetings/${id}/transcript` },
  },
  'meeting.summary.ready': {
    means: 'A summary was made of what has been said so far.',
    data: { meetingId: id, mode: 'short', path: `/assistant/v1/meetings/${id}/summary?mode=short` },
  },
  'webhook.endpoint.disabled': {
    means: 'Another endpoint of the tenant was disabled, because it is gone or has been failing for days.',
    data: { endpointId: id, reason: 'FAILING', path: `/v1/webhooks/endpoints/${id}` },
  },
  'webhook.test': { means: 'Asked for by the tenant, to try an endpoint.', data: { endpointId: id } },
} as const satisfies Record<string, { means: string; data: Record<string, string> }>

export type EventType = keyof typeof eventTypes

export const eventTypeNames = Object.keys(eventTypes) as EventType[]
