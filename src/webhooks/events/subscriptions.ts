import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { type Scope, scopeToTenant, type TenantScope } from '../../storage/scope.ts'
import type { Publish, WebhookEvent } from './publish.ts'

const minuteMs = 60_000
/** Wait after the minute's end: entries of the minute have been committed by then. */
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
  const publishTo = (tx: Scope, tenantId: string, ...news: WebhookEvent[]) => publish(tenantScope(tx, tenantId), news)

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
  publishVaultEvents(events, publishTo)
  publishMeetingEvents(events, publishTo, clock)
  publishOrganizationEvents(events, publishTo)
}

type PublishTo = (tx: Scope, tenantId: string, ...news: WebhookEvent[]) => Promise<void>

function publishOrganizationEvents(events: EventBus, publishTo: PublishTo): void {
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
  for (const type of ['meeting.created', 'meeting.completed'] as const)
    events.on(type, (tx, { tenantId, meetingId }) =>
      tell(tx, tenantId, { type, data: { meetingId, path: meetingPath(meetingId) } }),
    )
  events.on('meetings.deleted', (tx, { tenantId, meetingIds }) =>
    tell(tx, tenantId, ...meetingIds.map((meetingId) => ({ type: 'meeting.deleted', data: { meetingId } }) as const)),
  )
  events.on('transcript.updated', (tx, { tenantId, meetingId }) => {
    const minute = Math.floor(clock.now().getTime() / minuteMs)
    const coalesced = {
      by: `transcript ${meetingId} ${minute}`,
      sendAt: new Date((minute + 1) * minuteMs + commitGraceMs),
    }
    const data = { meetingId, path: `${meetingPath(meetingId)}/transcript` }
    return tell(tx, tenantId, { type: 'meeting.transcript.updated', data, coalesced })
  })
  events.on('summary.ready', (tx, { tenantId, meetingId, mode }) => {
    const data = { meetingId, mode, path: `${meetingPath(meetingId)}/summary?mode=${mode}` }
    return tell(tx, tenantId, { type: 'meeting.summary.ready', data })
  })
}

function meetingPath(meetingId: string): string {
  return `/assistant/v1/meetings/${meetingId}`
}

/** The tenant's scope in the same transaction. */
function tenantScope(scope: Scope, tenantId: string): TenantScope {
  return scope.kind === 'tenant' ? scope : scopeToTenant(scope, tenantId)
}
