const id = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'
const other = '0193b6a0-61aa-7c02-8a5e-0f4d2c9b7e31'

/** The members of an event. */
export type EventData = Record<string, string | number | Record<string, string>>

/**
 * All event types, each with an example of `data`. Events are thin: they hold ids and the path where an authorized
 * client can read the rest, never a text, an address, a key or a secret.
 */
export const eventTypes = {
  'tenant.suspended': {
    description: 'The tenant was suspended: its keys and users are refused.',
    data: { tenantId: id },
  },
  'tenant.activated': { description: 'The tenant is active again.', data: { tenantId: id } },
  'tenant.removed': {
    description: 'The tenant was deleted with its keys, users and licenses. No further event is sent.',
    data: { tenantId: id },
  },
  'tenant.user.created': { description: 'A user registered.', data: { userId: id } },
  'tenant.user.suspended': { description: 'A user was suspended.', data: { userId: id } },
  'tenant.user.activated': { description: 'A suspended user is active again.', data: { userId: id } },
  'tenant.user.removed': {
    description: 'A user was removed with everything that belonged to them.',
    data: { userId: id },
  },
  'vault.device.registered': {
    description: 'A device was registered.',
    data: { deviceId: id, userId: other, path: `/vault/v1/devices/${id}` },
  },
  'vault.device.revoked': { description: 'A device was revoked.', data: { deviceId: id } },
  'vault.session.started': {
    description: 'A VPN session started.',
    data: { sessionId: id, deviceId: other, path: `/vault/v1/vpn/sessions/${id}` },
  },
  'vault.session.ended': {
    description: 'A VPN session ended; `reason` says why.',
    data: { sessionId: id, deviceId: other, reason: 'CLIENT', path: `/vault/v1/vpn/sessions/${id}` },
  },
  'license.issued': {
    description: 'A license was issued to the tenant.',
    data: { licenseId: id, product: 'vault-vpn' },
  },
  'license.exhausted': {
    description: 'A license has no uses left: the last use was consumed, or an administrator lowered the maximum.',
    data: { licenseId: id },
  },
  'license.expiring': {
    description: 'A license expires within a week. Sent once per term; a changed end date starts a new term.',
    data: { licenseId: id, expiresAt: '2026-11-28T12:00:00.000Z' },
  },
  'license.expired': {
    description: 'A license expired. Sent once per term.',
    data: { licenseId: id, expiresAt: '2026-11-28T12:00:00.000Z' },
  },
  'license.revoked': { description: 'A license was revoked.', data: { licenseId: id } },
  'meeting.created': {
    description: 'A meeting was created.',
    data: { meetingId: id, path: `/assistant/v1/meetings/${id}` },
  },
  'meeting.shared': {
    description: 'A meeting was shared with members of an organization, or its sharing has changed.',
    data: { meetingId: id, path: `/assistant/v1/meetings/${id}` },
  },
  'meeting.completed': {
    description: 'A meeting ended.',
    data: { meetingId: id, path: `/assistant/v1/meetings/${id}` },
  },
  'meeting.deleted': {
    description: 'A meeting was deleted with its transcript and summaries.',
    data: { meetingId: id },
  },
  'meeting.transcript.updated': {
    description:
      'Entries were added to a transcript. At most one event per meeting and minute, sent when the minute is over.',
    data: { meetingId: id, path: `/assistant/v1/meetings/${id}/transcript` },
  },
  'meeting.summary.ready': {
    description: 'A summary of the transcript so far is ready.',
    data: { meetingId: id, mode: 'short', path: `/assistant/v1/meetings/${id}/summary?mode=short` },
  },
  'email.received': {
    description: 'A mail to an address of the tenant or of an organization was stored.',
    data: { messageId: id, threadId: other, path: `/assistant/v1/email/messages/${id}` },
  },
  'email.sent': {
    description: 'A mail server has accepted a mail of a thread.',
    data: { messageId: id, path: `/assistant/v1/email/messages/${id}` },
  },
  'email.bounced': {
    description: 'A mail of a thread was rejected for good.',
    data: { messageId: id, path: `/assistant/v1/email/messages/${id}` },
  },
  'email.drafted': {
    description: 'An answer to a mail waits for approval.',
    data: { messageId: id, path: `/assistant/v1/email/messages/${id}` },
  },
  'email.suppressed': {
    description:
      'An address gets no more mails from the tenant, because mails to it are rejected or because its owner wants none.',
    data: { suppressionId: id, path: `/assistant/v1/email/suppressions/${id}` },
  },
  'bot.waiting': {
    description: 'A bot waits to be admitted to its meeting.',
    data: { botId: id, meetingId: other, path: `/assistant/v1/bot/${id}` },
  },
  'bot.joined': {
    description: 'A bot is in its meeting.',
    data: { botId: id, meetingId: other, path: `/assistant/v1/bot/${id}` },
  },
  'bot.degraded': {
    description: 'A bot is in its meeting but receives no words although people talk.',
    data: { botId: id, meetingId: other, path: `/assistant/v1/bot/${id}` },
  },
  'bot.left': {
    description: 'A bot has ended normally; `reason` says why.',
    data: { botId: id, meetingId: other, reason: 'MEETING_ENDED', path: `/assistant/v1/bot/${id}` },
  },
  'bot.failed': {
    description: 'A bot has failed; `reason` says why.',
    data: { botId: id, meetingId: other, reason: 'NO_RUNNER', path: `/assistant/v1/bot/${id}` },
  },
  'org.created': {
    description: 'An organization was created.',
    data: { orgId: id, path: `/assistant/v1/orgs/${id}` },
  },
  'org.deleted': {
    description: 'An organization was deleted with everything in it.',
    data: { orgId: id },
  },
  'org.member.joined': {
    description: 'A user became a member of an organization.',
    data: { orgId: id, userId: other, role: 'member', path: `/assistant/v1/orgs/${id}/members` },
  },
  'org.member.changed': {
    description: 'The role of a member of an organization was changed.',
    data: { orgId: id, userId: other, role: 'admin', path: `/assistant/v1/orgs/${id}/members` },
  },
  'org.member.left': {
    description: 'A member left an organization or was removed from it.',
    data: { orgId: id, userId: other },
  },
  'org.task.created': {
    description: 'An organization has a new task, which may be a proposal.',
    data: { orgId: id, taskId: other, path: `/assistant/v1/orgs/${id}/tasks/${other}` },
  },
  'org.task.changed': {
    description: 'A task was changed or moved. At most one event per task and minute, sent when the minute is over.',
    data: { orgId: id, taskId: other, path: `/assistant/v1/orgs/${id}/tasks/${other}` },
  },
  'org.task.completed': {
    description: 'A task is done.',
    data: { orgId: id, taskId: other, path: `/assistant/v1/orgs/${id}/tasks/${other}` },
  },
  'org.task.deleted': {
    description: 'A task was deleted with its comments and history.',
    data: { orgId: id, taskId: other },
  },
  'task.conflicted': {
    description:
      'A task and its issue in a tracker were changed at the same time, in the same field. The tracker’s value wins; the task shows both.',
    data: { orgId: id, taskId: other, path: `/assistant/v1/orgs/${id}/tasks/${other}` },
  },
  'org.document.ready': {
    description: 'A version of a document was read. It is now the current one and can be searched.',
    data: { orgId: id, documentId: other, version: 1, path: `/assistant/v1/orgs/${id}/documents/${other}` },
  },
  'org.document.failed': {
    description: 'A version of a document could not be read; the document or its versions say why.',
    data: { orgId: id, documentId: other, version: 1, path: `/assistant/v1/orgs/${id}/documents/${other}` },
  },
  'org.document.deleted': {
    description: 'A document was erased with all its versions.',
    data: { orgId: id, documentId: other },
  },
  'integration.connected': {
    description: 'An account at a provider was connected, for the first time or again.',
    data: { integrationId: id, path: `/assistant/v1/integrations/${id}` },
  },
  'integration.reauth_required': {
    description: 'A provider no longer accepts our access for an integration: it has to be connected again.',
    data: { integrationId: id, path: `/assistant/v1/integrations/${id}` },
  },
  'integration.action.failed': {
    description: 'An action could not write to a provider. The action says why and can be tried again.',
    data: { integrationId: id, actionId: other, path: `/assistant/v1/integrations/actions/${other}` },
  },
  'integration.disconnected': { description: 'An integration was disconnected.', data: { integrationId: id } },
  'usage.threshold.reached': {
    description:
      'The uses in a window, or what is stored, have reached a percentage of a limit of the tenant, an organization or a user. Sent once for each limit, window and percentage; of what is stored the window is the month.',
    data: {
      meter: 'meetings',
      percent: 80,
      window: { from: '2026-11-01', to: '2026-12-01', kind: 'month' },
      scope: 'org',
      subjectId: id,
      used: 160,
      limit: 200,
    },
  },
  'webhook.endpoint.disabled': {
    description: 'Another endpoint of the tenant was disabled because it no longer exists or has failed for days.',
    data: { endpointId: id, reason: 'FAILING', path: `/v1/webhooks/endpoints/${id}` },
  },
  'webhook.test': { description: 'The tenant asked for a test event.', data: { endpointId: id } },
} as const satisfies Record<string, { description: string; data: EventData }>

export type EventType = keyof typeof eventTypes

export const eventTypeNames = Object.keys(eventTypes) as EventType[]

/** An example of the body of a message. */
export function eventExample(type: EventType): { type: EventType; timestamp: string; data: EventData } {
  return { type, timestamp: '2026-11-21T09:30:00.000Z', data: eventTypes[type].data }
}
