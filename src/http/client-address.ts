import { isIP, type Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { addressBucket } from './limits/rate-limit.ts'

type Connected = Pick<FastifyRequest, 'ip' | 'socket'>
/** `stated`: what the request says of it. */
type Client = { stated: string; ip: string; bucket: string }

/** Of the last request of each connection, which nearly always has the next one's client, too. */
const clients = new WeakMap<Socket, Client>()

/**
 * The caller's IP address. A trusted proxy may write it with a port or in brackets (RFC 7239 section 6); what is no
 * address at all is not believed, and the proxy's own stands for it.
 */
export function clientAddress(request: Connected): string {
  return findClient(request).ip
}

/** What stands for the caller's address where requests are counted. */
export function clientBucket(request: Connected): string {
  return findClient(request).bucket
}

function findClient({ ip: stated, socket }: Connected): Client {
  const known = clients.get(socket)
  if (known?.stated === stated) return known
  const bare = /^\[(.+)\](?::\d+)?$/.exec(stated)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(stated)?.[1] ?? stated
  const ip = isIP(bare) === 0 ? (socket.remoteAddress ?? '0.0.0.0') : bare
  const client = { stated, ip, bucket: addressBucket(ip) }
  clients.set(socket, client)
  return client
}
