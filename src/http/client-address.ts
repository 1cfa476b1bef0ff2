import { isIP, type Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { addressBucket } from './limits/rate-limit.ts'

type Connected = Pick<FastifyRequest, 'ip' | 'socket'>
/** `stated`: the address according to the request's headers. */
type Client = { stated: string; ip: string; bucket: string }

/** The last result for each connection: the next request nearly always comes from the same client. */
const clients = new WeakMap<Socket, Client>()

/**
 * The caller's IP address. A trusted proxy may add a port or brackets (RFC 7239 section 6). If it sends anything but an
 * address, the proxy's own address is used.
 */
export function clientAddress(request: Connected): string {
  return findClient(request).ip
}

/** The bucket of the caller's address for counting requests. */
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
