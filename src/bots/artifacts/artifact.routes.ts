import { raw, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { Type } from '../../kernel/type.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { botAccess as access, tag } from '../access.ts'
import type { Artifact } from './artifact.store.ts'

/** Of a bot that the user may control. Refuses NOT_FOUND and INSUFFICIENT_ROLE. */
export type ReadArtifact = (
  scope: TenantScope,
  user: { id: string; email: string },
  of: { id: string; name: string },
) => Promise<Artifact>

const ControlTexts = Type.Object({
  controls: Type.Array(Type.String(), {
    description: 'The labels of the controls on the page.',
    examples: [['Leave', 'Mute']],
  }),
})

export function artifactRoute(read: ReadArtifact): Route {
  return route({
    method: 'GET',
    path: '/assistant/v1/bot/:botId/artifacts/:name',
    name: 'getBotArtifact',
    tag,
    summary: 'Show what a bot saw when it failed',
    description:
      'A picture of the page before the bot was admitted; after that only the labels of controls. Kept for 7 days.',
    access,
    answers: { 200: { json: ControlTexts, rawTypes: ['image/png'], description: 'The artifact.' } },
    refusals: ['INSUFFICIENT_ROLE'],
    handle: async ({ scope, user, params }) => {
      const { mediaType, bytes } = await read(scope, user, { id: params.botId, name: params.name })
      return secret(raw(mediaType, bytes))
    },
  })
}
