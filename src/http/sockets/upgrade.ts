import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { once } from '../../kernel/once.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { EndUserAccess } from '../access/access.ts'
import { readCredentials } from '../access/gate.ts'
import { clientAddress, clientBucket } from '../client-address.ts'
import type { Route } from '../route.ts'
import { openConnection } from './connection.ts'
import { frameReader } from './frame-reader.ts'
import type { OpenSockets } from './open-sockets.ts'
import type { SocketDeclaration, SocketSettings } from './socket-declaration.ts'
import type { EndUser } from './socket-host.ts'

// A static import would read every export, one of which loads Node's HTTP client: 0.05 s at each start.
const http = process.getBuiltinModule('node:http')

// A frame of 64 KiB needs none; some clients send in pieces of 4 KiB and more.
const fragmentsMax = 64

/** The socket and first bytes of an upgrade request. */
const upgrades = new WeakMap<IncomingMessage, { stream: Duplex; head: Buffer }>()

export function isUpgrade(request: FastifyRequest): boolean {
  return upgrades.has(request.raw)
}

/** Tells the HTTP server which upgrade requests are ours; others are served as plain requests. */
export function isSocketUpgrade(routes: Route[]): (request: IncomingMessage) => boolean {
  const paths = new Set(routes.filter(({ socket }) => socket !== undefined).map(({ path }) => path))
  return ({ method, url = '', headers }) =>
    method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && paths.has(url.split('?')[0] ?? '')
}

/**
 * Routes upgrades like all other requests: the same gate, limits, metrics and problems. The connection of a refused upgrade
 * ends with the answer.
 */
export function routeUpgrades(
  server: Server,
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy()) // the parser, which looked after it, has left it
    upgrades.set(request, { stream, head })
    const response = new http.ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(stream as never)
    response.on('finish', () => {
      response.detachSocket(stream as never)
      stream.end()
      response.emit('close') // Node does so for responses that it made itself
    })
    serve(request, response)
  })
}

/** The handler of a socket route. Rejects requests that are not a valid WebSocket upgrade. */
export function upgradeHandler(
  { part, access }: { part: SocketDeclaration; access: EndUserAccess },
  { sockets, settings }: { sockets: OpenSockets; settings: SocketSettings },
) {
  // `closeTimeout` is missing from the published types.
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    closeTimeout: settings.closeTimeoutMs,
  }
  const load = once(async () => {
    const { WebSocketServer } = await import('ws')
    const upgrader = new WebSocketServer({
      ...options,
      maxPayload: settings.frameBytesMax,
      // One frame of a connection in each round of the event loop, so that a flood of tiny ones does not hold it.
      allowSynchronousEvents: false,
      maxFragments: fragmentsMax,
      handleProtocols: () => part.protocol,
    })
    return { upgrader, reader: await frameReader(part) }
  })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const upgrade = upgrades.get(request.raw)
    if (upgrade === undefined) throw upgradeRequired()
    requireValidHandshake(request, { part, settings })
    const { upgrader, reader } = await load()
    const admitted = request.admitted?.kind === 'endUser' ? request.admitted : null
    requireCapacity(sockets, admitted)
    reply.hijack()
    const { stream, head } = upgrade
    // The HTTP answer ends here; only the metrics must be told.
    reply.raw.statusCode = 101
    reply.raw.detachSocket(stream as never)
    reply.raw.emit('close')
    const arrival = {
      id: request.id,
      ip: clientAddress(request),
      address: clientBucket(request),
      admitted,
      credentials: readCredentials(request),
    }
    upgrader.handleUpgrade(request.raw, stream, head, (webSocket) => {
      sockets.add(openConnection(webSocket, { stream, part, access, reader, host: sockets.host, arrival }))
    })
    return reply
  }
}

function upgradeRequired(): Refusal {
  return new Refusal('UPGRADE_REQUIRED', {
    headers: { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-version': '13' },
  })
}

/** Checks RFC 6455 section 4.2.1 and the origin. */
function requireValidHandshake(
  { headers }: FastifyRequest,
  { part, settings }: { part: SocketDeclaration; settings: SocketSettings },
): void {
  if (headers['sec-websocket-version'] !== '13') throw upgradeRequired()
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    throw new Refusal('VALIDATION_ERROR', { detail: 'Sec-WebSocket-Key is not 16 bytes in base64.' })
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim())
  if (offered !== undefined && !offered.includes(part.protocol))
    throw new Refusal('VALIDATION_ERROR', {
      detail: `Sec-WebSocket-Protocol must offer ${part.protocol}, or be absent.`,
    })
  const { origin } = headers
  if (origin !== undefined && settings.origins.length > 0 && !settings.origins.includes(origin))
    throw new Refusal('ORIGIN_NOT_ALLOWED')
}

function requireCapacity(sockets: OpenSockets, admitted: EndUser | null): void {
  if (!sockets.isBelowLimit())
    throw new Refusal('UNAVAILABLE', { detail: 'This node has reached its maximum number of connections.' })
  if (admitted !== null) sockets.requireRoom(admitted)
}
