import { open } from '../../http/access/access.ts'
import { ok, raw } from '../../http/answer.ts'
import { type BodyLimitRequest, type RawBody, type Route, route } from '../../http/route.ts'
import { isId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { tag } from '../access.ts'
import { incomingDelivery } from '../incoming-delivery.ts'
import { type Channel, channels } from '../scheme.ts'
import type { Rejection } from './delivery.rules.ts'
import { ReceivedAnswer } from './delivery.schema.ts'
import { connectionBucket, type Receiving, type ReceivingResult } from './receiving.service.ts'

const mebibyte = 1024 * 1024
const json = { 'application/json': { action: 'opened' } }
const text = { 'text/plain': 'as the provider sends it' }
const form = { 'application/x-www-form-urlencoded': 'payload=%7B%7D' }

/** Everything that the providers of a channel send. The scheme of a connection accepts some of it. */
const bodies: Record<Channel, { examples: Record<string, unknown>; bytesMax: number; isOptional: true }> = {
  'issue-tracker': { examples: { ...json, ...form }, bytesMax: mebibyte, isOptional: true },
  chat: { examples: { ...json, ...form }, bytesMax: mebibyte, isOptional: true },
  collab: { examples: { ...json, ...text }, bytesMax: mebibyte, isOptional: true },
  bot: { examples: json, bytesMax: mebibyte, isOptional: true },
  // Amazon SNS sends its JSON as text/plain. Mail services send forms that contain the whole mail.
  email: {
    examples: { ...json, ...text, ...form, 'multipart/form-data': '--boundary--' },
    bytesMax: 25 * mebibyte,
    isOptional: true,
  },
}

const Query = StrictObject({
  c: Type.Optional(
    Type.String({
      description: 'The id of the connection, where it cannot be part of the path.',
      examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
    }),
  ),
  validationToken: Type.Optional(
    Type.String({
      maxLength: 4096,
      description: 'The handshake of Microsoft Graph: the answer repeats it.',
      examples: ['a-token-of-graph'],
    }),
  ),
})

export function receivingRoutes(receiving: Receiving, connectionMax: number): Route[] {
  return channels.flatMap((channel) => {
    const path = `/assistant/v1/webhooks/inbound/${channel}`
    const name = `receive${channel.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
    return [
      receivingRoute({ channel, path, name, receiving, connectionMax }),
      receivingRoute({ channel, path: `${path}/:connection`, name: `${name}OfConnection`, receiving, connectionMax }),
    ]
  })
}

type Endpoint = { channel: Channel; path: string; name: string; receiving: Receiving; connectionMax: number }

function receivingRoute({ channel, path, name, receiving, connectionMax }: Endpoint): Route {
  const { bytesMax } = bodies[channel]
  const bodyLimitFor = ({ platform, params, query }: BodyLimitRequest) =>
    receiving.bodyLimitFor(platform, { channel, connection: connectionIn(params, query), bytesMax })
  return route({
    method: 'POST',
    path,
    name,
    tag,
    summary: `Receive a delivery of a provider (${channel})${path.includes(':') ? ' for a connection' : ''}`,
    description:
      'For providers. The connection is found by the path, by `c` or by the account that the payload names. The signature is verified over the bytes of the body with the scheme of that connection. Every failed check gets the same answer, SIGNATURE_INVALID. Each connection has its own rate limit.',
    access: open('verified by its signature'),
    limit: {
      requestsMax: connectionMax,
      counted: 'CONNECTION',
      what: 'deliveries',
      bucketOf: ({ params, query }) => {
        const connection = connectionIn(params, query)
        return connection !== null && isId(connection) ? connectionBucket(connection) : null
      },
    },
    params: {
      connection: Type.String({ format: 'uuid', examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] }),
    },
    query: Query,
    rawBody: {
      ...bodies[channel],
      ...(bodies[channel].bytesMax > mebibyte ? { bodyLimitFor } : {}),
    },
    answers: {
      200: {
        rawTypes: ['text/plain'],
        json: ReceivedAnswer,
        description:
          'The delivery is stored, or was stored before. For a handshake, the answer that the provider expects.',
      },
    },
    refusals: ['SIGNATURE_INVALID'],
    handle: async ({ platform, params, query, raw: body }) => {
      const { bytes, contentType, headers } = body as RawBody
      const result = await receiving.receive(platform, {
        channel,
        connection: connectionIn(params, query),
        delivery: incomingDelivery({ body: bytes, contentType, headers, query: { ...query } }),
      })
      return toAnswer(result)
    },
  })
}

function toAnswer(result: ReceivingResult) {
  switch (result.kind) {
    case 'stored':
      return ok({ status: result.isDuplicate ? 'duplicate' : 'accepted', deliveryId: result.deliveryId } as const)
    case 'handshake':
      return raw(`${result.answer.contentType}; charset=utf-8`, result.answer.body)
    case 'unusable':
      throw unusableRefusal(result)
    case 'rejected':
      throw new Refusal('SIGNATURE_INVALID')
    case 'limited':
      throw result.refusal
    case 'unavailable':
      throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 30 })
  }
}

function connectionIn(params: object, query: object): string | null {
  const { connection } = params as { connection?: unknown }
  const { c } = query as { c?: unknown }
  const id = connection ?? c ?? null
  return typeof id === 'string' ? id : null
}

/** The sender is verified, so it may know the cause. */
function unusableRefusal({ cause, detail }: Rejection): Refusal {
  if (cause === 'BODY_TOO_MANY_MEMBERS') return new Refusal('BODY_TOO_MANY_MEMBERS')
  if (cause === 'CONTENT_TYPE') return new Refusal('UNSUPPORTED_MEDIA_TYPE', { detail })
  return new Refusal('VALIDATION_ERROR', { detail: 'The signature is valid, but the content cannot be used.' })
}
