import type { Route } from '../../http/route.ts'
import { socket } from '../../http/sockets/socket.ts'
import { meetingAccess as access, tag } from '../access.ts'
import { clientFrames } from './live.schema.ts'
import { type LiveDeps, liveSession } from './live-session.ts'

const liveProtocol = 'assistant.v1'

export function liveRoutes(deps: LiveDeps): Route[] {
  return [
    socket({
      path: '/assistant/v1/ws',
      name: 'connectLive',
      tag,
      summary: 'Follow meetings live',
      description:
        'Opens a WebSocket with the sub-protocol `assistant.v1`. Its JSON frames are described in [/asyncapi.json](/asyncapi.json). Send the token with the upgrade request, or within 5 seconds in the first frame: `{"type": "auth", "token": "..."}`.',
      access,
      protocol: liveProtocol,
      frames: clientFrames,
      open: (opened) => liveSession(deps, opened),
    }),
  ]
}
