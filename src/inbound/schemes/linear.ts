import { valueAt } from '../json.ts'
import type { Scheme } from '../scheme.ts'
import { buildDeliveryKey, identifierAt, identifierInHeader, parseTime } from './identifiers.ts'
import { jsonSample } from './sample.ts'
import { checkAge, failure, hmacHex, verifyHmac } from './signature.ts'

/** The limit of Linear's own SDK: 59 s pass, 61 s do not. */
const ageSecondsMax = 60

/** https://linear.app/developers/webhooks#securing-webhooks. Only the time in the body counts: the header is not signed. */
export const linear: Scheme = {
  name: 'linear',
  channel: 'issue-tracker',
  provider: 'Linear',
  contentTypes: ['application/json'],
  bodyBytesMax: 1024 * 1024,
  isBodyUnique: true,
  account: async (delivery) => identifierAt(await delivery.json(), 'organizationId'),
  verify: async (delivery, { secrets, now }) => {
    const rule = { header: 'linear-signature', pattern: /^([0-9a-f]{64})$/, signed: [delivery.body] }
    const verification = verifyHmac(delivery, secrets, rule)
    if (!verification.isVerified) return verification
    const at = parseTime(valueAt(await delivery.json(), 'webhookTimestamp'))
    if (at === null) return failure('TIMESTAMP_MISSING', 'the body has no webhookTimestamp')
    return checkAge(at, { now, seconds: ageSecondsMax }) ?? verification
  },
  read: async (delivery) => {
    const payload = await delivery.json()
    const type = identifierAt(payload, 'type')
    if (type === null) return { kind: 'unusable', detail: 'the body is not a JSON object with a type' }
    const issue = type === 'Issue' ? identifierAt(payload, 'data', 'id') : identifierAt(payload, 'data', 'issueId')
    const subject = identifierAt(payload, 'data', 'id')
    return {
      kind: 'event',
      deliveryKey: buildDeliveryKey({
        scheme: 'linear',
        body: delivery.body,
        parts: [identifierInHeader(delivery, 'linear-delivery')],
      }),
      eventType: type,
      // A comment belongs to its issue and is processed after the events that came before it.
      entityKey: issue !== null ? `Issue/${issue}` : `${type}/${subject ?? ''}`,
      occurredAt: parseTime(valueAt(payload, 'createdAt')),
    }
  },
  sample: ({ secret, now, id }) => {
    const issue = { id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9', identifier: 'TEST-1', title: 'Test of the connection' }
    const raw = jsonSample(
      {
        action: 'update',
        type: 'Issue',
        createdAt: now.toISOString(),
        organizationId: '6d0a5a1e-58a9-4b1c-8a52-5e1b0d6e2b0f',
        webhookTimestamp: now.getTime(),
        url: 'https://linear.app/example/issue/TEST-1',
        data: { ...issue, state: { name: 'Todo', type: 'unstarted' }, updatedAt: now.toISOString() },
      },
      { 'linear-delivery': id, 'linear-event': 'Issue' },
    )
    return { ...raw, headers: { ...raw.headers, 'linear-signature': hmacHex(secret, [raw.body]) } }
  },
}
