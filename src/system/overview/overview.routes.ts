import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Identity } from '../../identity/index.ts'
import { activityWindow } from '../../kernel/activity.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Licensing } from '../../licensing/index.ts'
import type { Usage } from '../../usage/index.ts'
import type { Vault } from '../../vault/index.ts'
import type { Webhooks } from '../../webhooks/index.ts'
import type { ServiceState } from '../home/home.page.ts'
import { OverviewDetail } from './overview.schema.ts'

/** What each capability tells of itself. */
export type OverviewDeps = {
  version: string
  clock: Clock
  state: () => Promise<ServiceState>
  queueDepths: () => Promise<{ dead: number }[]>
  identityOverview: Identity['overview']
  lastAuditEntries: Identity['lastAuditEntries']
  licensingOverview: Licensing['overview']
  vaultOverview: Vault['overview']
  usageOverview: Usage['overview']
  failingEndpoints: Webhooks['failingEndpoints']
}

const auditEntriesShown = 10

export function overviewRoutes(deps: OverviewDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/platform/admin/overview',
      name: 'getPlatformOverview',
      tag: 'Administration',
      summary: 'Get an overview of the platform',
      description: 'The first page of the console: counts, recent changes, and what needs attention.',
      access: admin('VIEWER'),
      answers: { 200: OverviewDetail },
      handle: async ({ platform }) => {
        const now = deps.clock.now()
        const window = activityWindow(now)
        const [identity, licensing, vault, usage, failing, depths, entries, status] = await Promise.all([
          deps.identityOverview(platform, window),
          deps.licensingOverview(platform, { window, now }),
          deps.vaultOverview(platform, now),
          deps.usageOverview(platform, window),
          deps.failingEndpoints(platform),
          deps.queueDepths(),
          deps.lastAuditEntries(platform, auditEntriesShown),
          deps.state(),
        ])
        const { total, licenses } = licensing.ending
        const overview = {
          counts: {
            tenants: identity.tenants,
            users: identity.users,
            licenses: licensing.licenses,
            devices: vault.devices,
            openVpnSessions: vault.openSessions,
            vpnServers: vault.servers,
            offlineVpnServers: vault.offlineServers,
          },
          activity: {
            newTenants: identity.newTenants,
            newUsers: identity.newUsers,
            newLicenses: licensing.newLicenses,
            apiCalls: usage.apiCalls,
            validations: usage.validations,
            vpnConnections: usage.connections,
          },
          health: { status, version: deps.version },
          deadJobs: depths.reduce((sum, { dead }) => sum + dead, 0),
          failingEndpoints: {
            total: failing.total,
            endpoints: failing.endpoints.map((each) => ({ ...each, failingSince: each.failingSince.toISOString() })),
          },
          endingLicenses: {
            total,
            licenses: licenses.map((each) => ({ ...each, expiresAt: each.expiresAt.toISOString() })),
          },
          lastAuditEntries: entries.map(({ id, at, tenantId, actor, action, target, outcome }) => ({
            id,
            at: at.toISOString(),
            tenantId,
            actorLabel: actor.label,
            action,
            targetType: target.type,
            targetId: target.id,
            outcome,
          })),
        }
        return ok({ overview })
      },
    }),
  ]
}
