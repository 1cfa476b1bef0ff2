import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { resolveTenantScope, type TenantExists } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { invalidField } from '../../kernel/refusal.ts'
import {
  AllSessionsQuery,
  NamedSessionDetail,
  NamedSessionList,
  namedSessionView,
  TenantSessionQuery,
} from './session-administration.schema.ts'
import type { EndSession } from './session-administration.service.ts'
import { listNamedSessions } from './session-administration.store.ts'

const tag = 'VPN sessions'

type SessionAdministrationDeps = { endSession: EndSession; tenantExists: TenantExists }

/** The VPN sessions of all tenants, for administrators. */
export function sessionAdministrationRoutes({ endSession, tenantExists }: SessionAdministrationDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/vpn/sessions',
      name: 'listAllSessions',
      tag,
      summary: 'List the open VPN sessions of all tenants',
      description: 'Who is connected now, newest first.',
      access: admin('VIEWER'),
      query: AllSessionsQuery,
      answers: { 200: NamedSessionList },
      handle: async ({ platform, query: { page = 1, limit = 20, ...filter } }) => {
        const { items, total } = await listNamedSessions(platform, filter, { page, limit })
        return ok({ sessions: items.map(namedSessionView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'POST',
      path: '/admin/vpn/sessions/:sessionId/end',
      name: 'endSession',
      tag,
      summary: 'End a VPN session of any tenant',
      description:
        'Ends it with the reason `ADMIN`. The device may connect again; to keep it out, revoke it. A session that has ended gives 404.',
      access: admin('OWNER'),
      answers: { 200: NamedSessionDetail },
      handle: async ({ platform, params }) =>
        ok({ session: namedSessionView(await endSession(platform, params.sessionId)) }),
    }),
    route({
      method: 'GET',
      path: '/admin/tenants/:tenantId/vpn/sessions',
      name: 'listTenantSessions',
      tag,
      summary: 'List the VPN sessions of a tenant',
      access: admin('VIEWER'),
      query: TenantSessionQuery,
      answers: { 200: NamedSessionList },
      handle: async ({ platform, params: { tenantId }, query: { page = 1, limit = 20, ...filter } }) => {
        const { status, userId, deviceId } = filter
        // A tenant may have millions of them; there is an index for each user and each device.
        if (status === 'ENDED' && userId === undefined && deviceId === undefined)
          throw invalidField('/query/status', {
            code: 'conflict',
            message: 'may be ENDED only with userId or deviceId',
          })
        await resolveTenantScope(platform, tenantId, tenantExists)
        const { items, total } = await listNamedSessions(platform, { ...filter, tenantId }, { page, limit })
        return ok({ sessions: items.map(namedSessionView), pagination: toPagination({ page, limit }, total) })
      },
    }),
  ]
}
