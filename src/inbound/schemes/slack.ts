import { fieldText } from '../../http/uploads/buffered-form.ts'
import type { IncomingDelivery } from '../incoming-delivery.ts'
import { type Json, type JsonObject, valueAt } from '../json.ts'
import type { DeliveryFacts, Scheme, Verification, VerificationContext } from '../scheme.ts'
import { buildDeliveryKey, identifierAt, parseTime, toIdentifier } from './identifiers.ts'
import { jsonSample } from './sample.ts'
import { checkAge, hmacHex, readHeader, verifyHmac } from './signature.ts'

const ageSecondsMax = 300

/** https://docs.slack.dev/authentication/verifying-requests-from-slack. Events are JSON. Commands and buttons are forms. */
export const slack: Scheme = {
  name: 'slack',
  channel: 'chat',
  provider: 'Slack',
  contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
  bodyBytesMax: 1024 * 1024,
  account: async (delivery) => {
    const payload = await eventPayload(delivery)
    return (
      identifierAt(payload, 'team_id') ?? identifierAt(payload, 'team', 'id') ?? identifierAt(payload, 'api_app_id')
    )
  },
  verify: async (delivery, context) => verifySignature(delivery, context),
  read: async (delivery) => {
    const payload = await eventPayload(delivery)
    if (payload === null) return { kind: 'unusable', detail: 'the body is neither a JSON object nor a Slack form' }
    return readHandshake(payload) ?? readEvent(delivery, payload)
  },
  sample: ({ secret, now, id }) => {
    const event = { type: 'app_mention', user: 'U0TEST', text: '<@U0BOT> Test of the connection', channel: 'C0TEST' }
    const seconds = Math.floor(now.getTime() / 1000)
    const raw = jsonSample({
      type: 'event_callback',
      event_id: id,
      event_time: seconds,
      team_id: 'T0TEST',
      api_app_id: 'A0TEST',
      event: { ...event, ts: `${seconds}.000100`, event_ts: `${seconds}.000100` },
    })
    const signature = `v0=${hmacHex(secret, [`v0:${seconds}:`, raw.body])}`
    const headers = { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': signature }
    return { ...raw, headers: { ...raw.headers, ...headers } }
  },
}

function verifySignature(delivery: IncomingDelivery, { secrets, now }: VerificationContext): Verification {
  const header = { name: 'x-slack-request-timestamp', pattern: /^(\d{1,11})$/, missing: 'TIMESTAMP_MISSING' } as const
  const seconds = readHeader(delivery, header)
  if (typeof seconds !== 'string') return seconds
  const signed = [`v0:${seconds}:`, delivery.body]
  const verification = verifyHmac(delivery, secrets, {
    header: 'x-slack-signature',
    pattern: /^v0=([0-9a-f]{64})$/,
    signed,
  })
  if (!verification.isVerified) return verification
  return checkAge(new Date(Number(seconds) * 1000), { now, seconds: ageSecondsMax }) ?? verification
}

/** The JSON of an event or a button; the fields of a command, which is a form without the field `payload`. */
async function eventPayload(delivery: IncomingDelivery): Promise<JsonObject | null> {
  if (delivery.contentType !== 'application/x-www-form-urlencoded') return delivery.payload()
  const fields = await delivery.form()
  if (fields === null || fields.has('payload')) return delivery.payload()
  return Object.fromEntries([...fields.keys()].map((name) => [name, fieldText(fields, name)]))
}

function readHandshake(payload: JsonObject): DeliveryFacts | null {
  // Slack checks our TLS certificate from time to time and expects a 200.
  if (identifierAt(payload, 'ssl_check') === '1')
    return { kind: 'handshake', answer: { contentType: 'text/plain', body: '' } }
  if (valueAt(payload, 'type') !== 'url_verification') return null
  const challenge = identifierAt(payload, 'challenge')
  if (challenge === null) return { kind: 'unusable', detail: 'url_verification has no challenge' }
  return { kind: 'handshake', answer: { contentType: 'text/plain', body: challenge } }
}

function readEvent(delivery: IncomingDelivery, payload: JsonObject): DeliveryFacts {
  const event = valueAt(payload, 'event')
  // A command has no type. Its name, with the slash, stands for it.
  const eventType = identifierAt(event, 'type') ?? identifierAt(payload, 'type') ?? identifierAt(payload, 'command')
  if (eventType === null) return { kind: 'unusable', detail: 'the body contains neither an event nor a command' }
  // `trigger_id` identifies one click and is the same in its repeats.
  const id = identifierAt(payload, 'event_id') ?? identifierAt(payload, 'trigger_id')
  return {
    kind: 'event',
    deliveryKey: buildDeliveryKey({ scheme: 'slack', body: delivery.body, parts: [id] }),
    eventType,
    entityKey: conversation(payload, event) ?? eventType,
    occurredAt: parseTime(valueAt(payload, 'event_time'), 's'),
  }
}

/** The thread in its channel. A reply, an edit or a removal stays behind its message, and threads do not wait for each other. */
function conversation(payload: JsonObject, event: Json | undefined): string | null {
  const channel =
    identifierAt(event, 'channel') ??
    identifierAt(event, 'item', 'channel') ??
    identifierAt(payload, 'channel', 'id') ??
    identifierAt(payload, 'channel_id')
  const thread =
    identifierAt(event, 'thread_ts') ??
    identifierAt(event, 'message', 'thread_ts') ??
    identifierAt(event, 'message', 'ts') ??
    identifierAt(event, 'deleted_ts') ??
    identifierAt(event, 'item', 'ts') ??
    identifierAt(event, 'ts')
  const team = identifierAt(payload, 'team_id') ?? identifierAt(payload, 'team', 'id')
  if (channel === null) return team && toIdentifier(`team/${team}`)
  return toIdentifier(thread === null ? `channel/${channel}` : `channel/${channel}/${thread}`)
}
