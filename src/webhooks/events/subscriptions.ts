import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { type Scope, scopeToTenant, type TenantScope } from '../../storage/scope.ts'
import type { News, Publish } from './publish.ts'

const minuteMs = 60_000
/** After the minute is over: what was said in it has been committed by then. */
const settleMs = 5_000

/** What the capabilities tell each other, told to tenants: in the transaction in which it happens. */
export function tellTenants({ events, publish, clock }: { events: EventBus; publish: Publish; clock: Clock }): void {
  const tell = (tx: Scope, tenantId: string, ...news: News[]) => publish(inTenant(tx, tenantId), news)

  for (const type of ['tenant.suspended', 'tenant.activated'] as const)
    events.on(type, (tx, { tenantId }) => tell(tx, tenantId, { type, data: { tenantId } }))
  events.on('tenant.removed', (tx, { tenantId }) =>
    tell(tx, tenantId, { type: 'tenant.removed', data: { tenantId }, isFarewell: true }),
  )
  for (const verb of ['created', 'suspended', 'activated', 'removed'] as const)
    events.on(`user.${verb}`, (tx, { tenantId, userId }) =>
      tell(tx, tenantId, { type: `tenant.user.${verb}`, data: { userId } }),
    )
  events.on('license.issued', (tx, { tenantId, licenseId, product }) =>
    tell(tx, tenantId, { type: 'license.issued', data: { licenseId, product } }),
  )
  for (const type of ['license.exhausted', 'license.revoked'] as const)
    events.on(type, (tx, { tenantId, licenseId }) => tell(tx, tenantId, { type, data: { licenseId } }))
  for (const type of ['license.expiring', 'license.expired'] as const)
    events.on(type, (tx, { tenantId, licenseId, expiresAt }) =>
      tell(tx, tenantId, { type, data: { licenseId, expiresAt: expiresAt.toISOString() } }),
    )
  tellOfVault(events, tell)
  tellOfMeetings(events, tell, clock)
}

type Tell = (tx: Scope, tenantId: string, ...news: News[]) => Promise<void>

function tellOfVault(events: EventBus, tell: Tell): void {
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

function tellOfMeetings(events: EventBus, tell: Tell, clock: Clock): void {
  for (const type of ['meeting.created', 'meeting.completed'] as const)
    events.on(type, (tx, { tenantId, meetingId }) =>
      tell(tx, tenantId, { type, data: { meetingId, path: pathOf(meetingId) } }),
    )
  events.on('meetings.deleted', (tx, { tenantId, meetingIds }) =>
    tell(tx, tenantId, ...meetingIds.map((meetingId) => ({ type: 'meeting.deleted', data: { meetingId } }) as const)),
  )
  events.on('transcript.updated', (tx, { tenantId, meetingId }) => {
    const minute = Math.floor(clock.now().getTime() / minuteMs)
    const coalesced = {
      by: `transcript ${meetingId} ${minute}`,
      sendAt: new Date((minute + 1) * minuteMs + settleMs),
    }
    const data = { meetingId, path: `${pathOf(meetingId)}/transcript` }
    return tell(tx, tenantId, { type: 'meeting.transcript.updated', data, coalesced })
  })
  events.on('summary.ready', (tx, { tenantId, meetingId, mode }) => {
    const data = { meetingId, mode, path: `${pathOf(meetingId)}/summary?mode=${mode}` }
    return tell(tx, tenantId, { type: 'meeting.summary.ready', data })
  })
}

function pathOf(meetingId: string): string {
  return `/assistant/v1/meetings/${meetingId}`
}

/** One tenant's scope in the same transaction, whoever made the change. */
function inTenant(scope: Scope, tenantId: string): TenantScope {
  return scope.kind === 'tenant' ? scope : scopeToTenant(scope, tenantId)
}
