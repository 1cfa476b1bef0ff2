import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Access, admit, type EndUserAccess } from '../access/access.ts'
import type { createGate } from '../access/gate.ts'
import type { Route } from '../route.ts'
import type { ServerDeps } from '../server-deps.ts'
import type { EndUser } from './connection.ts'
import { openSocketsOf } from './open-sockets.ts'
import { socketSettings } from './socket-part.ts'
import { acceptorOf, isUpgrade, routeUpgrades } from './upgrade.ts'

/** The part of the server that speaks in frames; null where a route is none of its. */
export function socketServerOf(parts: ServerDeps, { gate, admitFrame }: ReturnType<typeof createGate>) {
  const settings = { ...socketSettings, ...parts.sockets }
  const sockets = openSocketsOf(parts, {
    settings,
    admit: async (access, credentials, address) => (await admitFrame(access, credentials, address)) as EndUser,
    confirm: async (access, credentials) => void (await admit(access, credentials, parts.authenticator)),
  })
  return {
    listen: (app: FastifyInstance): void =>
      routeUpgrades(app.server, (request, response) => app.routing(request, response)),
    close: sockets.close,
    /** Browsers cannot send headers with an upgrade: one without a token is admitted as nobody, and shows it as a frame. */
    gateOf: ({ socket, access }: Route) => {
      if (socket === undefined) return null
      const withToken = gate({ access })
      const anonymous = gate({ access: byFrame })
      return (request: FastifyRequest, reply: FastifyReply) =>
        isUpgrade(request) && request.headers.authorization === undefined
          ? anonymous(request, reply)
          : withToken(request, reply)
    },
    handlerOf: ({ socket, access }: Route) =>
      socket === undefined
        ? null
        : acceptorOf({ part: socket, access: access as EndUserAccess }, { sockets, settings }),
  }
}

const byFrame: Access = { kind: 'open', reason: 'the token comes as the first frame' }
