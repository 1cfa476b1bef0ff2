import { admin, endUser } from '../../http/access/access.ts'
import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { productSlugs } from '../../kernel/products.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import { effectiveDns } from '../wireguard/dns.rules.ts'
import { serverSettingRules } from './server.checks.ts'
import { type Server, serverHealth } from './server.rules.ts'
import {
  EnrollmentAnswer,
  NewServer,
  type OpenServer,
  OpenServerList,
  OpenServerQuery,
  type ServerAnswer,
  ServerChange,
  ServerDetail,
  ServerList,
  ServerQuery,
} from './server.schema.ts'
import type { Servers } from './server.service.ts'
import { getServer, listServers } from './server.store.ts'

const tag = 'VPN servers'

type Parts = { servers: Servers; clock: Clock }

export function serverRoutes({ servers, clock }: Parts): Route[] {
  return [...readRoutes(clock), ...changeRoutes({ servers, clock }), deleteRoute(servers), ...tokenRoutes(servers)]
}

function readRoutes(clock: Clock): Route[] {
  return [
    route({
      method: 'GET',
      path: '/vault/v1/vpn/servers',
      name: 'listOpenServers',
      tag,
      summary: 'List the servers and regions that take devices',
      access: endUser(productSlugs.vpn),
      query: OpenServerQuery,
      answers: { 200: OpenServerList },
      handle: async ({ scope, query: { page = 1, limit = 20 } }) => {
        const { items, total } = await listServers(scope, {}, { page, limit })
        const now = clock.now()
        return ok({
          servers: items.map((server) => serverChoice(server, now)),
          pagination: toPagination({ page, limit }, total),
        })
      },
    }),
    route({
      method: 'GET',
      path: '/admin/vpn/servers',
      name: 'listServers',
      tag,
      summary: 'List the VPN servers',
      access: admin('VIEWER'),
      query: ServerQuery,
      answers: { 200: ServerList },
      handle: async ({ platform, query: { page = 1, limit = 20, ...filter } }) => {
        const { items, total } = await listServers(platform, filter, { page, limit })
        const now = clock.now()
        return ok({
          servers: items.map((server) => serverView(server, now)),
          pagination: toPagination({ page, limit }, total),
        })
      },
    }),
    route({
      method: 'GET',
      path: '/admin/vpn/servers/:serverId',
      name: 'getServer',
      tag,
      summary: 'Show a VPN server',
      access: admin('VIEWER'),
      answers: { 200: ServerDetail },
      handle: async ({ platform, params }) => ok(serverAnswer(await getServer(platform, params.serverId), clock.now())),
    }),
  ]
}

function changeRoutes({ servers, clock }: Parts): Route[] {
  return [
    route({
      method: 'POST',
      path: '/admin/vpn/servers',
      name: 'createServer',
      tag,
      summary: 'Add a VPN server',
      description:
        'With `publicKey` the server takes devices at once. Without it, the server takes devices after its node has enrolled with a ' +
        'token of `/admin/vpn/servers/:serverId/enrollment-token`. Defaults: `endpointHost` is `publicIp`, ' +
        '`endpointPort` 51820, `mtu` 1420, `dns` automatic, `subnet4` and `subnet6` the next ranges that are free.',
      access: admin('OWNER'),
      body: NewServer,
      answers: { 201: ServerDetail },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      rules: ({ body }) => serverSettingRules(body),
      handle: async ({ platform, body }) => {
        const server = await servers.create(platform, body)
        return created(`/admin/vpn/servers/${server.id}`, serverAnswer(server, clock.now()))
      },
    }),
    route({
      method: 'PATCH',
      path: '/admin/vpn/servers/:serverId',
      name: 'updateServer',
      tag,
      summary: 'Change a VPN server',
      description:
        'The subnets cannot change once the server has had a device. A change of endpoint, key, DNS or MTU raises the ' +
        '`configVersion` of its devices. Address, endpoint, key, DNS and MTU of the built-in server are set in the environment.',
      access: admin('OWNER'),
      body: ServerChange,
      answers: { 200: ServerDetail },
      refusals: ['STATE_CONFLICT'],
      rules: ({ body }) => serverSettingRules(body),
      handle: async ({ platform, params, body }) =>
        ok(serverAnswer(await servers.update(platform, params.serverId, body), clock.now())),
    }),
  ]
}

function deleteRoute(servers: Servers): Route {
  return route({
    method: 'DELETE',
    path: '/admin/vpn/servers/:serverId',
    name: 'deleteServer',
    tag,
    summary: 'Delete a VPN server that has no devices',
    access: admin('OWNER'),
    answers: { 204: null },
    refusals: ['STATE_CONFLICT'],
    handle: async ({ platform, params }) => {
      await servers.remove(platform, params.serverId)
      return noContent()
    },
  })
}

function tokenRoutes(servers: Servers): Route[] {
  return [
    route({
      method: 'POST',
      path: '/admin/vpn/servers/:serverId/enrollment-token',
      name: 'createEnrollmentToken',
      tag,
      summary: 'Create an enrollment token for a node',
      description: 'Valid for one enrollment within 15 minutes. It replaces an earlier token.',
      access: admin('OWNER'),
      answers: { 201: EnrollmentAnswer },
      idempotent: true,
      handle: async ({ platform, params }) => {
        const { enrollmentToken, expiresAt } = await servers.createEnrollmentToken(platform, params.serverId)
        return secret(
          created(`/admin/vpn/servers/${params.serverId}`, { enrollmentToken, expiresAt: expiresAt.toISOString() }),
        )
      },
    }),
    route({
      method: 'DELETE',
      path: '/admin/vpn/servers/:serverId/node-token',
      name: 'revokeNodeToken',
      tag,
      summary: 'Revoke the token of a server’s node',
      description:
        'For a node that was stolen or is lost. Its token and an unused enrollment token stop working at once. The node keeps the ' +
        'peers it already has, so rotate or revoke the devices whose keys it knew, and enroll another node.',
      access: admin('OWNER'),
      answers: { 204: null },
      handle: async ({ platform, params }) => {
        await servers.revokeNodeToken(platform, params.serverId)
        return noContent()
      },
    }),
  ]
}

function serverAnswer(server: Server, now: Date) {
  return { server: serverView(server, now) }
}

function serverView(server: Server, now: Date): ServerAnswer {
  return {
    id: server.id,
    name: server.name,
    region: server.region,
    publicIp: server.publicIp,
    endpointHost: server.endpointHost,
    endpointPort: server.endpointPort,
    publicKey: server.publicKey,
    subnet4: server.subnet4,
    subnet6: server.subnet6,
    dns: effectiveDns(server),
    isDnsAutomatic: server.dns === null,
    mtu: server.mtu,
    capacity: server.capacity,
    activeCount: server.activeCount,
    status: server.status,
    health: serverHealth(server, now),
    lastSeenAt: isoOrNull(server.lastSeenAt),
    agentVersion: server.agentVersion,
    revision: server.revision,
    appliedRevision: server.appliedRevision,
    rejectedPeers: Object.entries(server.rejectedPeers).map(([publicKey, reason]) => ({ publicKey, reason })),
  }
}

function serverChoice(server: Server, now: Date): OpenServer {
  const { id, name, region, status, publicKey, activeCount, capacity } = server
  const hasRoom = status === 'ACTIVE' && publicKey !== null && activeCount < capacity
  return { id, name, region, status, health: serverHealth(server, now), hasRoom }
}
