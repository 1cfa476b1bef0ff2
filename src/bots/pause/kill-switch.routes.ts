import { admin } from '../../http/access/access.ts'
import { noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { isoOrNull, Nullable, SingleLine, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { scopeToTenant, type TenantScope } from '../../storage/scope.ts'
import { botAdminAccess as access, tag } from '../access.ts'
import type { SetPause } from './pause.service.ts'
import { findPause, listTenants, listTenantsWithBots, type Pause } from './pause.store.ts'

const Reason = SingleLine({ lettersMax: 200, example: 'Not in the meetings of the works council.' })
const StopAll = StrictObject({ reason: Reason })
const Stopped = StrictObject({ stopped: Type.Integer({ description: 'How many bots were live.', examples: [3] }) })
const PauseBody = StrictObject({
  isPaused: Type.Boolean({ description: 'True: nobody can send bots.', examples: [true] }),
  reason: Type.Optional(Nullable(Reason)),
})
const PauseAnswer = StrictObject({ isPaused: Type.Boolean(), reason: Nullable(Reason), since: Nullable(Timestamp) })

export type KillSwitch = {
  setPause: SetPause
  /** Makes all bots of a tenant leave. Returns how many were live. */
  stopAll(scope: TenantScope, reason: string): Promise<number>
}

export function killSwitchRoutes(killSwitch: KillSwitch): Route[] {
  return [...tenantRoutes(killSwitch), ...platformRoutes(killSwitch)]
}

function tenantRoutes({ setPause, stopAll }: KillSwitch): Route[] {
  return [
    route({
      method: 'POST',
      path: '/assistant/v1/bot/stop-all',
      name: 'stopAllBots',
      tag,
      summary: 'Make all bots leave their meetings',
      access,
      body: StopAll,
      answers: { 200: Stopped },
      handle: async ({ scope, body }) => ok({ stopped: await stopAll(scope, body.reason) }),
    }),
    route({
      method: 'GET',
      path: '/assistant/v1/bot/pause',
      name: 'getBotPause',
      tag,
      summary: 'Show whether bots can be sent',
      access,
      answers: { 200: PauseAnswer },
      handle: async ({ scope }) => ok(pauseView(await findPause(scope))),
    }),
    route({
      method: 'PUT',
      path: '/assistant/v1/bot/pause',
      name: 'setBotPause',
      tag,
      summary: 'Stop or allow sending bots',
      description: 'Bots that are in meetings stay; `stop-all` makes them leave.',
      access,
      body: PauseBody,
      answers: { 200: PauseAnswer },
      handle: async ({ scope, body: { isPaused, reason = null } }) => {
        await setPause(scope, { isPaused, reason })
        return ok(pauseView(await findPause(scope)))
      },
    }),
  ]
}

function platformRoutes({ setPause, stopAll }: KillSwitch): Route[] {
  return [
    route({
      method: 'POST',
      path: '/admin/bot/stop-all',
      name: 'stopAllBotsOfAllTenants',
      tag,
      summary: 'Take the bots of all tenants out of their meetings',
      access: admin('OWNER'),
      isSensitive: true,
      body: StopAll,
      answers: { 200: Stopped },
      handle: async ({ platform, body }) => {
        let stopped = 0
        for (const tenantId of await listTenantsWithBots(platform))
          stopped += await stopAll(scopeToTenant(platform, tenantId), body.reason)
        return ok({ stopped })
      },
    }),
    route({
      method: 'PUT',
      path: '/admin/bot/pause',
      name: 'setBotPauseOfAllTenants',
      tag,
      summary: 'Stop or allow sending bots of all tenants',
      description: 'Sets the pause of every tenant; each can be ended alone afterwards.',
      access: admin('OWNER'),
      isSensitive: true,
      body: PauseBody,
      answers: { 204: null },
      handle: async ({ platform, body: { isPaused, reason = null } }) => {
        for (const tenantId of await listTenants(platform))
          await setPause(scopeToTenant(platform, tenantId), { isPaused, reason })
        return noContent()
      },
    }),
  ]
}

function pauseView(pause: Pause | null) {
  return { isPaused: pause !== null, reason: pause?.reason ?? null, since: isoOrNull(pause?.at ?? null) }
}
