import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type Scope } from '../../storage/scope.ts'
import type { Publish, WebhookEvent } from './publish.ts'

const minuteMs = 60_000
/** Wait after the minute's end: changes of the minute have been committed by then. */
const commitGraceMs = 5_000

/** Publishes internal events to tenants, in the transaction of the change. */
export function publishTenantEvents({
  events,
  publish,
  clock,
}: {
  events: EventBus
  publish: Publish
  clock: Clock
}): void {
  const publishTo = (tx: Scope, tenantId: string, ...news: WebhookEvent[]) => publish(inTenant(tx, tenantId), news)

  for (const type of ['tenant.suspended', 'tenant.activated'] as const)
    events.on(type, (tx, { tenantId }) => publishTo(tx, tenantId, { type, data: { tenantId } }))
  events.on('tenant.removed', (tx, { tenantId }) =>
    publishTo(tx, tenantId, { type: 'tenant.removed', data: { tenantId }, isLastOfTenant: true }),
  )
  for (const verb of ['created', 'suspended', 'activated', 'removed'] as const)
    events.on(`user.${verb}`, (tx, { tenantId, userId }) =>
      publishTo(tx, tenantId, { type: `tenant.user.${verb}`, data: { userId } }),
    )
  events.on('license.issued', (tx, { tenantId, licenseId, product }) =>
    publishTo(tx, tenantId, { type: 'license.issued', data: { licenseId, product } }),
  )
  for (const type of ['license.exhausted', 'license.revoked'] as const)
    events.on(type, (tx, { tenantId, licenseId }) => publishTo(tx, tenantId, { type, data: { licenseId } }))
  for (const type of ['license.expiring', 'license.expired'] as const)
    events.on(type, (tx, { tenantId, licenseId, expiresAt }) =>
      publishTo(tx, tenantId, { type, data: { licenseId, expiresAt: expiresAt.toISOString() } }),
    )
  events.on('usage.threshold.reached', (tx, { tenantId, counter, window, percent }) => {
    const { limitedName: meter, scope, subjectId, used, limit } = counter
    const { from, to, span: kind } = window
    const data = { meter, percent, window: { from, to, kind }, scope, subjectId, used, limit }
    return publishTo(tx, tenantId, { type: 'usage.threshold.reached', data })
  })
  publishVaultEvents(events, publishTo)
  publishMeetingEvents(events, publishTo, clock)
  publishOrganizationEvents(events, publishTo, clock)
  publishDocumentEvents(events, publishTo)
  publishIntegrationEvents(events, publishTo)
  publishMailEvents(events, publishTo)
  publishBotEvents(events, publishTo)
}

type PublishTo = (tx: Scope, tenantId: string, ...news: WebhookEvent[]) => Promise<void>

function publishOrganizationEvents(events: EventBus, publishTo: PublishTo, clock: Clock): void {
  events.on('org.created', (tx, { tenantId, orgId }) =>
    publishTo(tx, tenantId, { type: 'org.created', data: { orgId, path: `/assistant/v1/orgs/${orgId}` } }),
  )
  events.on('org.deleted', (tx, { tenantId, orgId }) =>
    publishTo(tx, tenantId, { type: 'org.deleted', data: { orgId } }),
  )
  for (const type of ['org.member.joined', 'org.member.changed'] as const)
    events.on(type, (tx, { tenantId, orgId, userId, role }) => {
      const data = { orgId, userId, role, path: `/assistant/v1/orgs/${orgId}/members` }
      return publishTo(tx, tenantId, { type, data })
    })
  events.on('org.member.left', (tx, { tenantId, orgId, userId }) =>
    publishTo(tx, tenantId, { type: 'org.member.left', data: { orgId, userId } }),
  )
  const taskData = (orgId: string, taskId: string) => {
    return { orgId, taskId, path: `/assistant/v1/orgs/${orgId}/tasks/${taskId}` }
  }
  events.on('org.tasks.created', (tx, { tenantId, orgId, taskIds }) => {
    const news = taskIds.map((taskId) => ({ type: 'org.task.created', data: taskData(orgId, taskId) }) as const)
    return publishTo(tx, tenantId, ...news)
  })
  events.on('org.tasks.changed', (tx, { tenantId, orgId, taskIds }) => {
    const news = taskIds.map((taskId) => {
      const data = taskData(orgId, taskId)
      return { type: 'org.task.changed', data, coalesced: oncePerMinute(data.path, clock) } as const
    })
    return publishTo(tx, tenantId, ...news)
  })
  events.on('org.tasks.completed', (tx, { tenantId, orgId, taskIds }) => {
    const news = taskIds.map((taskId) => ({ type: 'org.task.completed', data: taskData(orgId, taskId) }) as const)
    return publishTo(tx, tenantId, ...news)
  })
  events.on('task.conflicted', (tx, { tenantId, orgId, taskId }) =>
    publishTo(tx, tenantId, { type: 'task.conflicted', data: taskData(orgId, taskId) }),
  )
  events.on('org.tasks.deleted', (tx, { tenantId, orgId, taskIds }) => {
    const news = taskIds.map((taskId) => ({ type: 'org.task.deleted', data: { orgId, taskId } }) as const)
    return publishTo(tx, tenantId, ...news)
  })
}

function publishIntegrationEvents(events: EventBus, publishTo: PublishTo): void {
  for (const type of ['integration.connected', 'integration.reauth_required'] as const)
    events.on(type, (tx, { tenantId, integrationId }) => {
      const path = `/assistant/v1/integrations/${integrationId}`
      return publishTo(tx, tenantId, { type, data: { integrationId, path } })
    })
  events.on('integration.action.failed', (tx, { tenantId, integrationId, actionId }) => {
    const data = { integrationId, actionId, path: `/assistant/v1/integrations/actions/${actionId}` }
    return publishTo(tx, tenantId, { type: 'integration.action.failed', data })
  })
  events.on('integration.disconnected', (tx, { tenantId, integrationId }) =>
    publishTo(tx, tenantId, { type: 'integration.disconnected', data: { integrationId } }),
  )
}

function publishBotEvents(events: EventBus, publishTo: PublishTo): void {
  for (const type of ['bot.waiting', 'bot.joined', 'bot.degraded'] as const)
    events.on(type, (tx, { tenantId, botId, meetingId }) =>
      publishTo(tx, tenantId, { type, data: { botId, meetingId, path: `/assistant/v1/bot/${botId}` } }),
    )
  for (const type of ['bot.left', 'bot.failed'] as const)
    events.on(type, (tx, { tenantId, botId, meetingId, reason }) =>
      publishTo(tx, tenantId, { type, data: { botId, meetingId, reason, path: `/assistant/v1/bot/${botId}` } }),
    )
}

function publishDocumentEvents(events: EventBus, publishTo: PublishTo): void {
  for (const type of ['org.document.ready', 'org.document.failed'] as const)
    events.on(type, (tx, { tenantId, orgId, documentId, version }) => {
      const path = `/assistant/v1/orgs/${orgId}/documents/${documentId}`
      return publishTo(tx, tenantId, { type, data: { orgId, documentId, version, path } })
    })
  events.on('org.documents.deleted', (tx, { tenantId, orgId, documentIds }) => {
    const news = documentIds.map(
      (documentId) => ({ type: 'org.document.deleted', data: { orgId, documentId } }) as const,
    )
    return publishTo(tx, tenantId, ...news)
  })
}

function publishMailEvents(events: EventBus, publishTo: PublishTo): void {
  for (const type of ['email.sent', 'email.bounced'] as const)
    events.on(type, (tx, { tenantId, messageId }) =>
      publishTo(tx, tenantId, { type, data: { messageId, path: `/assistant/v1/email/messages/${messageId}` } }),
    )
  events.on('email.received', (tx, { tenantId, messageId, threadId }) => {
    const path = `/assistant/v1/email/messages/${messageId}`
    return publishTo(tx, tenantId, { type: 'email.received', data: { messageId, threadId, path } })
  })
  events.on('mail.drafted', (tx, { tenantId, messageId }) => {
    const data = { messageId, path: `/assistant/v1/email/messages/${messageId}` }
    return publishTo(tx, tenantId, { type: 'email.drafted', data })
  })
  events.on('mail.suppressed', (tx, { tenantId, orgId, suppressionId }) => {
    const path = `/assistant/v1/email/suppressions/${suppressionId}${orgId === null ? '' : `?orgId=${orgId}`}`
    return publishTo(tx, tenantId, { type: 'email.suppressed', data: { suppressionId, path } })
  })
}

function publishVaultEvents(events: EventBus, tell: PublishTo): void {
  events.on('device.registered', (tx, { tenantId, deviceId, userId }) => {
    const data = { deviceId, userId, path: `/vault/v1/devices/${deviceId}` }
    return tell(tx, tenantId, { type: 'vault.device.registered', data })
  })
  events.on('devices.revoked', (tx, { tenantId, deviceIds }) =>
    tell(tx, tenantId, ...deviceIds.map((deviceId) => ({ type: 'vault.device.revoked', data: { deviceId } }) as const)),
  )
  events.on('session.started', (tx, { tenantId, sessionId, deviceId }) => {
    const data = { sessionId, deviceId, path: `/vault/v1/vpn/sessions/${sessionId}` }
    return tell(tx, tenantId, { type: 'vault.session.started', data })
  })
  events.on('sessions.ended', (tx, { tenantId, reason, sessions }) => {
    const news = sessions.map(({ id: sessionId, deviceId }) => {
      const data = { sessionId, deviceId, reason, path: `/vault/v1/vpn/sessions/${sessionId}` }
      return { type: 'vault.session.ended', data } as const
    })
    return tell(tx, tenantId, ...news)
  })
}

function publishMeetingEvents(events: EventBus, tell: PublishTo, clock: Clock): void {
  for (const type of ['meeting.created', 'meeting.shared', 'meeting.completed'] as const)
    events.on(type, (tx, { tenantId, meetingId }) =>
      tell(tx, tenantId, { type, data: { meetingId, path: meetingPath(meetingId) } }),
    )
  events.on('meetings.deleted', (tx, { tenantId, meetingIds }) =>
    tell(tx, tenantId, ...meetingIds.map((meetingId) => ({ type: 'meeting.deleted', data: { meetingId } }) as const)),
  )
  events.on('transcript.updated', (tx, { tenantId, meetingId }) => {
    const coalesced = oncePerMinute(`transcript ${meetingId}`, clock)
    const data = { meetingId, path: `${meetingPath(meetingId)}/transcript` }
    return tell(tx, tenantId, { type: 'meeting.transcript.updated', data, coalesced })
  })
  events.on('summary.ready', (tx, { tenantId, meetingId, mode }) => {
    const data = { meetingId, mode, path: `${meetingPath(meetingId)}/summary?mode=${mode}` }
    return tell(tx, tenantId, { type: 'meeting.summary.ready', data })
  })
}

/** One event about a subject and minute, sent when the minute is over: who then reads sees all its changes. */
function oncePerMinute(subject: string, clock: Clock): NonNullable<WebhookEvent['coalesced']> {
  const minute = Math.floor(clock.now().getTime() / minuteMs)
  return { by: `${subject} ${minute}`, sendAt: new Date((minute + 1) * minuteMs + commitGraceMs) }
}

function meetingPath(meetingId: string): string {
  return `/assistant/v1/meetings/${meetingId}`
}
