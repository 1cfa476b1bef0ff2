import { type JsonObject, valueAt } from '../json.ts'
import type { Scheme } from '../scheme.ts'
import { buildDeliveryKey, identifierAt, identifierInHeader, parseTime } from './identifiers.ts'
import { jsonSample } from './sample.ts'
import { hmacHex, verifyHmac } from './signature.ts'

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries. No time and no id is signed: repeats are recognized by their id and by their body. */
export const github: Scheme = {
  name: 'github',
  channel: 'issue-tracker',
  provider: 'GitHub',
  contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
  bodyBytesMax: 1024 * 1024,
  isBodyUnique: true,
  account: async (delivery) =>
    identifierAt(await delivery.payload(), 'installation', 'id') ?? identifierInHeader(delivery, 'x-github-hook-id'),
  verify: async (delivery, { secrets }) => {
    const rule = { header: 'x-hub-signature-256', pattern: /^sha256=([0-9a-f]{64})$/, signed: [delivery.body] }
    return verifyHmac(delivery, secrets, rule)
  },
  read: async (delivery) => {
    const payload = await delivery.payload()
    const eventType = identifierInHeader(delivery, 'x-github-event')
    if (payload === null) return { kind: 'unusable', detail: 'the body is not a JSON object' }
    if (eventType === null) return { kind: 'unusable', detail: 'the header x-github-event names no event' }
    return {
      kind: 'event',
      deliveryKey: buildDeliveryKey({
        scheme: 'github',
        body: delivery.body,
        parts: [identifierInHeader(delivery, 'x-github-delivery')],
      }),
      eventType,
      entityKey: entityKey(payload) ?? eventType,
      occurredAt: parseTime(
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

/** A comment belongs to its issue. Issues and pull requests of a repository share one sequence of numbers. */
function entityKey(payload: JsonObject): string | null {
  const repository = identifierAt(payload, 'repository', 'id')
  const number = identifierAt(payload, 'issue', 'number') ?? identifierAt(payload, 'pull_request', 'number')
  if (repository === null) return null
  return number === null ? `repository/${repository}` : `repository/${repository}#${number}`
}
