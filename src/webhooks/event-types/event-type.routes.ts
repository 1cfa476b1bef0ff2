import { open } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { base, tag } from '../access.ts'
import { type EventData, eventExample, eventTypeNames, eventTypes } from './event-types.ts'

const EventTypeList = StrictObject({
  eventTypes: Type.Array(
    Type.Object(
      {
        type: Type.String({ examples: ['license.issued'] }),
        description: Type.String({ examples: ['A license was issued to the tenant.'] }),
        example: Type.Object(
          {
            type: Type.String({ examples: ['license.issued'] }),
            timestamp: Timestamp,
            data: Type.Unsafe<EventData>({
              type: 'object',
              additionalProperties: true,
              examples: [{ licenseId: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57', product: 'vault-vpn' }],
            }),
          },
          { description: 'An example of the request body.' },
        ),
      },
      { title: 'WebhookEventType' },
    ),
  ),
})

export function eventTypeRoute(): Route {
  return route({
    method: 'GET',
    path: `${base}/event-types`,
    name: 'listWebhookEventTypes',
    tag,
    summary: 'List the event types',
    description: 'Each type with an example of its body. A body holds ids and the path where the rest can be read.',
    access: open('the types are the same for every tenant'),
    answers: { 200: EventTypeList },
    cache: { maxAgeSeconds: 0, isConstant: true },
    handle: async () => ok({ eventTypes: eventTypeNames.map(typeView) }),
  })
}

function typeView(type: (typeof eventTypeNames)[number]) {
  return { type, description: eventTypes[type].description, example: eventExample(type) }
}
