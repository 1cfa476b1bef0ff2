import { admin } from '../../http/access/access.ts'
import { noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { isoOrNull, Nullable, SingleLine, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { scopeToTenant } from '../../storage/scope.ts'
import { botAdminAccess as access, tag } from '../access.ts'
import { findPause, listTenants, type Pause } from '../settings/setting.store.ts'
import type { Bots } from './bot.service.ts'

const Reason = SingleLine({ lettersMax: 200, example: 'Not in the meetings of the works council.' })
const StopAll = StrictObject({ reason: Reason })
const Stopped = StrictObject({ stopped: Type.Integer({ description: 'How many bots were live.', examples: [3] }) })
const PauseBody = StrictObject({
  isPaused: Type.Boolean({ description: 'True: nobody can send bots.', examples: [true] }),
  reason: Type.Optional(Nullable(Reason)),
})
const PauseAnswer = StrictObject({ isPaused: Type.Boolean(), reason: Nullable(Reason), since: Nullable(Timestamp) })

/** The kill switch. */
export function killSwitchRoutes(bots: Bots): Route[] {
  return [...tenantRoutes(bots), ...platformRoutes(bots)]
}

function tenantRoutes(bots: Bots): Route[] {
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
      handle: async ({ scope, body }) => ok({ stopped: await bots.stopAll(scope, body.reason) }),
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
        await bots.pause(scope, { isPaused, reason })
        return ok(pauseView(await findPause(scope)))
      },
    }),
  ]
}

function platformRoutes(bots: Bots): Route[] {
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
        for (const tenantId of await bots.tenantsWithBots(platform))
          stopped += await bots.stopAll(scopeToTenant(platform, tenantId), body.reason)
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
          await bots.pause(scopeToTenant(platform, tenantId), { isPaused, reason })
        return noContent()
      },
    }),
  ]
}

function pauseView(pause: Pause | null) {
  return { isPaused: pause !== null, reason: pause?.reason ?? null, since: isoOrNull(pause?.at ?? null) }
}
