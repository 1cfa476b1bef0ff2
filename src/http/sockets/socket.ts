import type { RefusalCode } from '../../kernel/refusal.ts'
import type { EndUserAccess } from '../access/access.ts'
import { type Route, route } from '../route.ts'
import type { SocketDeclaration } from './socket-declaration.ts'

type Declaration = SocketDeclaration & {
  path: string
  name: string
  tag: string
  summary: string
  description: string
  /** The token may also come as the first frame. */
  access: EndUserAccess
}

const refusals: RefusalCode[] = ['UPGRADE_REQUIRED', 'ORIGIN_NOT_ALLOWED', 'VALIDATION_ERROR']

/** Declares a WebSocket as a route. Its access rule and the schemas of its frames are required. */
export function socket({ path, name, tag, summary, description, access, ...part }: Declaration): Route {
  return route({
    method: 'GET',
    path,
    name,
    tag,
    summary,
    description,
    access,
    refusals,
    answers: { 101: null },
    socket: part,
    // Never called: the server answers instead.
    handle: async () => ({ status: 101 as const, body: null }),
  })
}
