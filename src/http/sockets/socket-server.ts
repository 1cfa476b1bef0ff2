import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access, EndUserAccess } from '../access/access.ts'
import { admit } from '../access/admit.ts'
import type { createGate } from '../access/gate.ts'
import type { Route } from '../route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { openSockets } from './open-sockets.ts'
import { socketSettings } from './socket-declaration.ts'
import type { EndUser } from './socket-host.ts'
import { isUpgrade, routeUpgrades, upgradeHandler } from './upgrade.ts'

/** The WebSocket side of the server. `gateOf` and `handlerOf` return null for ordinary routes. */
export function createSocketServer(
  parts: ServerDeps,
  { gate, admitFrame, chargeFrame }: ReturnType<typeof createGate>,
) {
  const settings = { ...socketSettings, ...parts.sockets }
  const sockets = openSockets(parts, {
    settings,
    admit: async (access, credentials, address) => (await admitFrame(access, credentials, address)) as EndUser,
    chargeFrame,
    confirmAccess: async (access, credentials) => (await admit(access, credentials, parts.authenticator)) as EndUser,
  })
  return {
    listen: (app: FastifyInstance): void =>
      routeUpgrades(app.server, (request, response) => app.routing(request, response)),
    close: sockets.close,
    /** Browsers cannot send headers with an upgrade, so one without a token is admitted anonymously and sends it in a frame. */
    gateOf: ({ socket, access }: Route) => {
      if (socket === undefined) return null
      const withToken = gate({ access })
      const anonymous = gate({ access: tokenAsFrame })
      return (request: FastifyRequest, reply: FastifyReply) =>
        isUpgrade(request) && request.headers.authorization === undefined
          ? anonymous(request, reply)
          : withToken(request, reply)
    },
    handlerOf: ({ socket, access }: Route) =>
      socket === undefined
        ? null
        : upgradeHandler({ part: socket, access: access as EndUserAccess }, { sockets, settings }),
  }
}

const tokenAsFrame: Access = { kind: 'open', reason: 'the token comes as the first frame' }
