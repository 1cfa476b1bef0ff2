import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The caller's IP address. A trusted proxy may write it with a port or in brackets (RFC 7239 section 6); what is no
 * address at all is not believed, and the proxy's own stands for it.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(ip)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(ip)?.[1] ?? ip
  return isIP(bare) === 0 ? (socket.remoteAddress ?? '0.0.0.0') : bare
}
