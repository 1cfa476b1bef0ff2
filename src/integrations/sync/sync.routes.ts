import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { userAccess as access, base, tag } from '../access.ts'
import { CheckAnswer, integrationView } from '../integrations/integration.schema.ts'
import type { Syncs } from './sync.service.ts'

export function syncRoutes(syncs: Pick<Syncs, 'syncNow'>): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/:integrationId/sync`,
      name: 'syncIntegration',
      tag,
      summary: 'Import changes from the provider now',
      description:
        'This also happens regularly: for calendars every 15 minutes, for issues of trackers every hour. If the provider fails, the answer is 200 with `ok: false` and the cause; with `TIMED_OUT` the rest follows in the background.',
      access,
      answers: { 200: CheckAnswer },
      refusals: ['INSUFFICIENT_ROLE'],
      handle: async ({ scope, user, params }) => {
        const { integration, result } = await syncs.syncNow(scope, user, params.integrationId)
        return ok({ integration: integrationView(integration), result })
      },
    }),
  ]
}
