import { fieldOf, readForm } from '../form-fields.ts'
import { valueAt } from '../json.ts'
import type { RawDelivery, Scheme } from '../scheme.ts'
import { deliveryKeyOf, headerName, momentOf, nameAt, type Payload, readPayload, readPayloadText } from './payload.ts'
import { hmacHex, judgeHmac } from './proof.ts'
import { jsonSample } from './sample.ts'

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries. No time is signed: a repeat is known by its id. */
export const github: Scheme = {
  name: 'github',
  channel: 'issue-tracker',
  provider: 'GitHub',
  contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
  bodyBytesMax: 1024 * 1024,
  accountOf: (raw) => nameAt(payloadOf(raw), 'installation', 'id') ?? headerName(raw, 'x-github-hook-id'),
  verify: async (raw, { secrets }) => {
    const rule = { header: 'x-hub-signature-256', form: /^sha256=([0-9a-f]{64})$/, signed: [raw.body] }
    return judgeHmac(raw, secrets, rule)
  },
  read: (raw) => {
    const payload = payloadOf(raw)
    const eventType = headerName(raw, 'x-github-event')
    if (payload === null) return { kind: 'unusable', detail: 'the body is no JSON object' }
    if (eventType === null) return { kind: 'unusable', detail: 'the header x-github-event names no event' }
    return {
      kind: 'event',
      deliveryKey: deliveryKeyOf({ scheme: 'github', body: raw.body, parts: [headerName(raw, 'x-github-delivery')] }),
      eventType,
      entityKey: entityOf(payload) ?? eventType,
      occurredAt: momentOf(
        valueAt(payload, 'comment', 'updated_at') ??
          valueAt(payload, 'issue', 'updated_at') ??
          valueAt(payload, 'pull_request', 'updated_at'),
      ),
    }
  },
  sample: ({ secret, now, id }) => {
    const issue = {
      id: 1,
      number: 1,
      title: 'Test of the connection',
      state: 'open',
      html_url: 'https://github.com/example/test/issues/1',
      updated_at: now.toISOString(),
    }
    const repository = { id: 1, full_name: 'example/test' }
    const payload = { action: 'edited', issue, repository, sender: { login: 'example', id: 1 } }
    const raw = jsonSample(payload, { 'x-github-event': 'issues', 'x-github-delivery': id, 'x-github-hook-id': '1' })
    return { ...raw, headers: { ...raw.headers, 'x-hub-signature-256': `sha256=${hmacHex(secret, [raw.body])}` } }
  },
}

function payloadOf(raw: RawDelivery): Payload | null {
  if (raw.contentType !== 'application/x-www-form-urlencoded') return readPayload(raw.body)
  const fields = readForm(raw, { names: ['payload'] })
  return fields && readPayloadText(fieldOf(fields, 'payload') ?? '')
}

/** An issue's comments are about the issue. Numbers are unique among the issues and pull requests of a repository. */
function entityOf(payload: Payload): string | null {
  const repository = nameAt(payload, 'repository', 'id')
  const number = nameAt(payload, 'issue', 'number') ?? nameAt(payload, 'pull_request', 'number')
  if (repository === null) return null
  return number === null ? `repository/${repository}` : `repository/${repository}#${number}`
}
