import type { IncomingMessage } from 'node:http'
import { isDoorPath } from './access/door-path.ts'

/**
 * HEAD finds the route of GET. Routes of its own, as Fastify would make them, are a fifth of what it takes to make a server.
 * Node sends no body with the answer, because it has seen the request before.
 */
export function headByGet() {
  const heads = new WeakSet<IncomingMessage>()
  return {
    /** Called before a route is looked for. At a door nobody asks for HEAD. */
    rewriteUrl: (request: IncomingMessage): string => {
      const url = request.url ?? ''
      if (request.method === 'HEAD' && !isDoorPath(url)) {
        heads.add(request)
        request.method = 'GET'
      }
      return url
    },
    /** Called when the route is known: from then on all see what was sent. */
    restore: ({ raw }: { raw: IncomingMessage }): void => {
      if (heads.has(raw)) raw.method = 'HEAD'
    },
  }
}
