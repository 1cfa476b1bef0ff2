import { ok } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { emailAccess as access, emailBase, emailTag as tag } from '../owner.ts'
import { ConfigChange, ConfigDetail, OwnerQuery } from './config.schema.ts'
import type { Configs, WatchedConfig } from './config.service.ts'
import { configView } from './config.view.ts'

const common = { path: `${emailBase}/config`, tag, access, query: OwnerQuery, answers: { 200: ConfigDetail } } as const

export function configRoutes(configs: Configs): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      name: 'getEmailConfig',
      summary: 'Get the mail settings',
      description:
        'The settings in force: an organization inherits from its tenant what it does not set itself, except how mail is received. `own` names what it sets.',
      refusals: ['INSUFFICIENT_ROLE', 'NOT_FOUND'],
      handle: async ({ scope, user, query: { orgId } }) => answer(await configs.get(scope, { user, orgId })),
    }),
    route({
      ...common,
      method: 'PUT',
      name: 'setEmailConfig',
      summary: 'Change the mail settings',
      description:
        'A section or field that is absent stays as it is. With null it is inherited again. A transport is inherited as a whole, with its server and password.',
      body: ConfigChange,
      conditional: true,
      refusals: ['INSUFFICIENT_ROLE', 'NOT_FOUND', 'SLUG_TAKEN', 'STATE_CONFLICT'],
      handle: async ({ scope, user, query: { orgId }, body, headers }) =>
        answer(await configs.change(scope, { user, orgId, ifMatch: headers['if-match'] }, body)),
    }),
  ]
}

function answer(config: WatchedConfig) {
  const { ownerId: id, stored } = config
  return withETag(ok({ config: configView(config) }), { id, revision: stored.revision })
}
