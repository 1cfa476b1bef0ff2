import { open } from '../../http/access/access.ts'
import { ok, raw } from '../../http/answer.ts'
import { type BodyLimitRequest, type RawBody, type Route, route } from '../../http/route.ts'
import { isId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { tag } from '../access.ts'
import { type Channel, channels } from '../scheme.ts'
import { ReceivedAnswer } from './delivery.schema.ts'
import { bucketOf, type Receiving } from './receiving.service.ts'

const mebibyte = 1024 * 1024
const json = { 'application/json': { action: 'opened' } }
const text = { 'text/plain': 'as the provider sends it' }
const form = { 'application/x-www-form-urlencoded': 'payload=%7B%7D' }

/** What the providers of a channel send, all together; a connection's scheme says which of it that one takes. */
const bodies: Record<Channel, { examples: Record<string, unknown>; bytesMax: number; isOptional: true }> = {
  'issue-tracker': { examples: { ...json, ...form }, bytesMax: mebibyte, isOptional: true },
  chat: { examples: { ...json, ...form }, bytesMax: mebibyte, isOptional: true },
  collab: { examples: { ...json, ...text }, bytesMax: mebibyte, isOptional: true },
  // Amazon SNS sends its JSON as text/plain; mail services send forms, with the whole mail in them.
  email: {
    examples: { ...json, ...text, ...form, 'multipart/form-data': '--boundary--' },
    bytesMax: 25 * mebibyte,
    isOptional: true,
  },
}

const Query = StrictObject({
  c: Type.Optional(
    Type.String({
      description: 'The connection, for a provider whose address cannot have it in its path.',
      examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
    }),
  ),
  validationToken: Type.Optional(
    Type.String({ maxLength: 4096, description: 'The handshake of Microsoft Graph.', examples: ['a-token-of-graph'] }),
  ),
})

export function receivingRoutes(receiving: Receiving, connectionMax: number): Route[] {
  return channels.flatMap((channel) => {
    const path = `/assistant/v1/webhooks/inbound/${channel}`
    const name = `receive${channel.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
    return [
      receivingAt({ channel, path, name, receiving, connectionMax }),
      receivingAt({ channel, path: `${path}/:connection`, name: `${name}OfConnection`, receiving, connectionMax }),
    ]
  })
}

type Place = { channel: Channel; path: string; name: string; receiving: Receiving; connectionMax: number }

function receivingAt({ channel, path, name, receiving, connectionMax }: Place): Route {
  const { bytesMax } = bodies[channel]
  const roomFor = ({ platform, params, query }: BodyLimitRequest) =>
    receiving.roomFor(platform, { channel, named: namedIn(params, query), bytesMax })
  return route({
    method: 'POST',
    path,
    name,
    tag,
    summary: `What a provider of the channel ${channel} delivers`,
    description:
      'Verified over the bytes as they come, by the way of signing of the connection that the path, `c` or the payload names. SIGNATURE_INVALID is the one answer to whatever is wrong with that. Each connection has a limit of its own.',
    access: open('verified by its signature'),
    limit: {
      requestsMax: connectionMax,
      bucketOf: ({ params, query }) => {
        const named = namedIn(params, query)
        return named !== null && isId(named) ? bucketOf(named) : null
      },
    },
    params: {
      connection: Type.String({ format: 'uuid', examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] }),
    },
    query: Query,
    rawBody: {
      ...bodies[channel],
      ...(bodies[channel].bytesMax > mebibyte ? { bodyLimitFor: roomFor } : {}),
    },
    answers: {
      200: {
        rawTypes: ['text/plain'],
        json: ReceivedAnswer,
        description: 'Stored, or stored before; or what a handshake asks for.',
      },
    },
    refusals: ['SIGNATURE_INVALID'],
    handle: async ({ platform, params, query, raw: body }) => {
      const { bytes, contentType, headers } = body as RawBody
      const taken = await receiving.receive(platform, {
        channel,
        named: namedIn(params, query),
        raw: { body: bytes, contentType, headers, query: { ...query } },
      })
      switch (taken.kind) {
        case 'handshake':
          return raw(`${taken.answer.contentType}; charset=utf-8`, taken.answer.body)
        case 'stored':
          return ok({ status: taken.isDuplicate ? 'duplicate' : 'accepted', deliveryId: taken.deliveryId })
        case 'unusable':
          throw refusalOf(taken.cause)
      }
    },
  })
}

function namedIn(params: object, query: object): string | null {
  const { connection } = params as { connection?: unknown }
  const { c } = query as { c?: unknown }
  const named = connection ?? c ?? null
  return typeof named === 'string' ? named : null
}

/** To a sender that is who it says it is. */
function refusalOf(cause: string): Refusal {
  if (cause === 'BODY_TOO_LARGE') return new Refusal('BODY_TOO_LARGE')
  if (cause === 'CONTENT_TYPE') return new Refusal('UNSUPPORTED_MEDIA_TYPE')
  return new Refusal('VALIDATION_ERROR', { detail: 'The delivery is verified, and cannot be used.' })
}
