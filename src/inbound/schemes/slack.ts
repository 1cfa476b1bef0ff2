import { fieldOf, readForm } from '../form-fields.ts'
import { type Json, valueAt } from '../json.ts'
import type { DeliveryFacts, RawDelivery, Scheme, Verification, Verifying } from '../scheme.ts'
import { deliveryKeyOf, momentOf, nameAt, nameOf, type Payload, readPayload, readPayloadText } from './payload.ts'
import { hmacHex, judgeAge, judgeHmac, readHeader } from './proof.ts'
import { jsonSample } from './sample.ts'

const ageSecondsMax = 300

/** https://docs.slack.dev/authentication/verifying-requests-from-slack. Events are JSON; commands and buttons are forms. */
export const slack: Scheme = {
  name: 'slack',
  channel: 'chat',
  provider: 'Slack',
  contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
  bodyBytesMax: 1024 * 1024,
  accountOf: (raw) => {
    const payload = payloadOf(raw)
    return nameAt(payload, 'team_id') ?? nameAt(payload, 'team', 'id') ?? nameAt(payload, 'api_app_id')
  },
  verify: async (raw, verifying) => judge(raw, verifying),
  read: (raw) => {
    const payload = payloadOf(raw)
    if (payload === null) return { kind: 'unusable', detail: 'the body is neither a JSON object nor a form of Slack' }
    return handshakeOf(payload) ?? eventOf(raw, payload)
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

function judge(raw: RawDelivery, { secrets, now }: Verifying): Verification {
  const header = { name: 'x-slack-request-timestamp', form: /^(\d{1,11})$/, missing: 'TIMESTAMP_MISSING' } as const
  const seconds = readHeader(raw, header)
  if (typeof seconds !== 'string') return seconds
  const signed = [`v0:${seconds}:`, raw.body]
  const judged = judgeHmac(raw, secrets, { header: 'x-slack-signature', form: /^v0=([0-9a-f]{64})$/, signed })
  if (!judged.isVerified) return judged
  return judgeAge(new Date(Number(seconds) * 1000), { now, seconds: ageSecondsMax }) ?? judged
}

/** JSON, the JSON in the field `payload` of a form, or the fields of a form themselves. */
function payloadOf(raw: RawDelivery): Payload | null {
  if (raw.contentType !== 'application/x-www-form-urlencoded') return readPayload(raw.body)
  const fields = readForm(raw)
  if (fields === null) return null
  if (fields.has('payload')) return readPayloadText(fieldOf(fields, 'payload') ?? '')
  return Object.fromEntries([...fields.keys()].map((name) => [name, fieldOf(fields, name)]))
}

function handshakeOf(payload: Payload): DeliveryFacts | null {
  // Slack asks now and then whether our certificate holds, and wants no more than a 200.
  if (nameAt(payload, 'ssl_check') === '1')
    return { kind: 'handshake', answer: { contentType: 'text/plain', body: '' } }
  if (valueAt(payload, 'type') !== 'url_verification') return null
  const challenge = nameAt(payload, 'challenge')
  if (challenge === null) return { kind: 'unusable', detail: 'url_verification comes without a challenge' }
  return { kind: 'handshake', answer: { contentType: 'text/plain', body: challenge } }
}

function eventOf(raw: RawDelivery, payload: Payload): DeliveryFacts {
  const event = valueAt(payload, 'event')
  // A command has no type: its name, with the slash, is what it is.
  const eventType = nameAt(event, 'type') ?? nameAt(payload, 'type') ?? nameAt(payload, 'command')
  if (eventType === null) return { kind: 'unusable', detail: 'the body names neither an event nor a command' }
  // `trigger_id` is that of one click, and the same in its repeats.
  const id = nameAt(payload, 'event_id') ?? nameAt(payload, 'trigger_id')
  return {
    kind: 'event',
    deliveryKey: deliveryKeyOf({ scheme: 'slack', body: raw.body, parts: [id] }),
    eventType,
    entityKey: conversationOf(payload, event) ?? eventType,
    occurredAt: momentOf(valueAt(payload, 'event_time'), 's'),
  }
}

/** The thread in its channel: a reply, an edit and a removal come after what they are about, and threads do not wait for each other. */
function conversationOf(payload: Payload, event: Json | undefined): string | null {
  const channel =
    nameAt(event, 'channel') ??
    nameAt(event, 'item', 'channel') ??
    nameAt(payload, 'channel', 'id') ??
    nameAt(payload, 'channel_id')
  const thread =
    nameAt(event, 'thread_ts') ??
    nameAt(event, 'message', 'thread_ts') ??
    nameAt(event, 'message', 'ts') ??
    nameAt(event, 'deleted_ts') ??
    nameAt(event, 'item', 'ts') ??
    nameAt(event, 'ts')
  const team = nameAt(payload, 'team_id') ?? nameAt(payload, 'team', 'id')
  if (channel === null) return team && nameOf(`team/${team}`)
  return nameOf(thread === null ? `channel/${channel}` : `channel/${channel}/${thread}`)
}
