import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { access, base, tag } from '../access.ts'
import { SampleResult } from '../deliveries/delivery.schema.ts'
import type { Samples } from './sample.service.ts'

export function sampleRoute(samples: Samples): Route {
  return route({
    method: 'POST',
    path: `${base}/connections/:connectionId/test`,
    name: 'testWebhookConnection',
    tag,
    summary: 'Send a test delivery to a connection',
    description:
      'Creates a sample as the provider would send it, signs it with the secret of the connection and handles it like any delivery: it is verified, stored and processed with all its effects. The answer says what happened. STATE_CONFLICT where only the provider can sign.',
    access,
    answers: { 200: SampleResult },
    refusals: ['STATE_CONFLICT'],
    handle: async (input) => ok(await samples.send(input.scope, input.params.connectionId)),
  })
}
