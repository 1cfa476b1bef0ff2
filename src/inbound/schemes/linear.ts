import { valueAt } from '../json.ts'
import type { Scheme } from '../scheme.ts'
import { deliveryKeyOf, headerName, momentOf, nameAt, readPayload } from './payload.ts'
import { hmacHex, judgeAge, judgeHmac, refused } from './proof.ts'
import { jsonSample } from './sample.ts'

/** As Linear's own SDK has it: 59 s pass, 61 s do not. */
const ageSecondsMax = 60

/** https://linear.app/developers/webhooks#securing-webhooks. The time counts in the body alone: the header is not signed. */
export const linear: Scheme = {
  name: 'linear',
  channel: 'issue-tracker',
  provider: 'Linear',
  contentTypes: ['application/json'],
  bodyBytesMax: 1024 * 1024,
  accountOf: ({ body }) => nameAt(readPayload(body), 'organizationId'),
  verify: async (raw, { secrets, now }) => {
    const rule = { header: 'linear-signature', form: /^([0-9a-f]{64})$/, signed: [raw.body] }
    const judged = judgeHmac(raw, secrets, rule)
    if (!judged.isVerified) return judged
    const at = momentOf(valueAt(readPayload(raw.body), 'webhookTimestamp'))
    if (at === null) return refused('TIMESTAMP_MISSING', 'the body says no webhookTimestamp')
    return judgeAge(at, { now, seconds: ageSecondsMax }) ?? judged
  },
  read: (raw) => {
    const payload = readPayload(raw.body)
    const type = nameAt(payload, 'type')
    if (type === null) return { kind: 'unusable', detail: 'the body is no JSON object with a type' }
    const issue = type === 'Issue' ? nameAt(payload, 'data', 'id') : nameAt(payload, 'data', 'issueId')
    const subject = nameAt(payload, 'data', 'id')
    return {
      kind: 'event',
      deliveryKey: deliveryKeyOf({ scheme: 'linear', body: raw.body, parts: [headerName(raw, 'linear-delivery')] }),
      eventType: type,
      // A comment is about its issue, and comes after what made that.
      entityKey: issue !== null ? `Issue/${issue}` : `${type}/${subject ?? ''}`,
      occurredAt: momentOf(valueAt(payload, 'createdAt')),
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
