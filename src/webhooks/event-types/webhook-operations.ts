import { tag } from '../access.ts'
import { type EventData, type EventType, eventExample, eventTypeNames, eventTypes } from './event-types.ts'

/** The events as `webhooks` of an OpenAPI document: what an endpoint gets, and what its answers mean. */
export function webhookOperations(): Record<string, object> {
  return Object.fromEntries(eventTypeNames.map((type) => [type, { post: webhookOperation(type) }]))
}

function webhookOperation(type: EventType): object {
  const { description, data } = eventTypes[type]
  return {
    operationId: operationId(type),
    tags: [tag],
    summary: `Event ${type}`,
    description,
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: messageSchema(type, data), example: eventExample(type) } },
    },
    responses,
  }
}

/** license.issued -> onLicenseIssued */
function operationId(type: EventType): string {
  return `on${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
}

function messageSchema(type: EventType, data: EventData): object {
  return {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'When the event happened.' },
      data: objectSchema(data),
    },
  }
}

function objectSchema(data: EventData): object {
  return {
    type: 'object',
    required: Object.keys(data),
    properties: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, memberSchema(name, value)])),
  }
}

function memberSchema(name: string, value: EventData[string]): object {
  if (typeof value === 'number') return { type: 'integer' }
  if (typeof value === 'object') return objectSchema(value)
  if (name.endsWith('Id')) return { type: 'string', format: 'uuid' }
  return name.endsWith('At') ? { type: 'string', format: 'date-time' } : { type: 'string' }
}

const headers = [
  [
    'webhook-id',
    'The same for all attempts: remember it, as a message may arrive twice.',
    '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57',
  ],
  ['webhook-timestamp', 'Seconds since 1970, for the signature.', '1795253400'],
  [
    'webhook-signature',
    'Standard Webhooks 1.0.0: `v1,` and the signature in base64. During a rotation there are two, separated by a space.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
].map(([name, description, example]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
}))

const responses = {
  '2XX': { description: 'Received. Answer within 20 s, and do the work afterwards.' },
  '410': { description: 'Sends nothing to this endpoint any more: it is disabled.' },
  '429': { description: 'Tries again after `Retry-After`.' },
  '503': { description: 'Tries again after `Retry-After`.' },
  default: { description: 'Tries again, with growing pauses, for up to three days.' },
}
