import type { IncomingDelivery, RawDelivery } from '../incoming-delivery.ts'
import { valueAt } from '../json.ts'
import type { DeliveryFacts, Scheme, Verification, VerificationContext } from '../scheme.ts'
import { buildDeliveryKey, identifierAt, identifierInHeader, parseTime, urlHost } from './identifiers.ts'
import { checkTokenTimes, isSignedWithSecret, readToken, signToken } from './json-web-token.ts'
import { jsonSample, type SampleInput } from './sample.ts'
import { checkAge, failure, hmacHex, matchesAnySecret, verified, verifyHmac } from './signature.ts'

// Jira Cloud. A webhook that an administrator created signs the body. A webhook that an OAuth app registered carries a
// token that is signed with the app's secret, and relies on TLS for the body.
// https://developer.atlassian.com/cloud/jira/platform/webhooks/

/** Jira repeats a delivery for at most 75 minutes. One that is older than a day was captured by somebody. */
const ageSecondsMax = 86_400
/** Atlassian's tokens live for three minutes. This allows for the difference of two clocks. */
const tokenSkewSeconds = 60

const shared = {
  channel: 'issue-tracker',
  provider: 'Jira',
  contentTypes: ['application/json'],
  bodyBytesMax: 1024 * 1024,
  isBodyUnique: true,
  account,
} as const

export const jiraHmac: Scheme = {
  ...shared,
  name: 'jira-hmac',
  verify: async (delivery, { secrets, now }) => {
    const rule = { header: 'x-hub-signature', pattern: /^sha256=([0-9a-f]{64})$/, signed: [delivery.body] }
    const verification = verifyHmac(delivery, secrets, rule)
    if (!verification.isVerified) return verification
    const at = parseTime(valueAt(await delivery.json(), 'timestamp'))
    return (at && checkAge(at, { now, seconds: ageSecondsMax })) ?? verification
  },
  read: (delivery) => read('jira-hmac', delivery),
  sample: ({ secret, now, id }) => {
    const raw = sampleIssue({ now, id })
    return { ...raw, headers: { ...raw.headers, 'x-hub-signature': `sha256=${hmacHex(secret, [raw.body])}` } }
  },
}

export const jiraJwt: Scheme = {
  ...shared,
  name: 'jira-jwt',
  verify: async (delivery, context) => verifyToken(delivery, context),
  read: (delivery) => read('jira-jwt', delivery),
  sample: ({ secret, now, id }) => {
    const raw = sampleIssue({ now, id })
    const iat = Math.floor(now.getTime() / 1000)
    const token = signToken({ claims: { iss: 'jira', iat, exp: iat + 180 }, key: secret })
    return { ...raw, headers: { ...raw.headers, authorization: `Bearer ${token}` } }
  },
}

function verifyToken(raw: RawDelivery, { secrets, now }: VerificationContext): Verification {
  const token = readToken(raw)
  if ('isVerified' in token) return token
  // Fixed: if the token chose the algorithm, a public key or no key at all could pass as the secret.
  if (token.algorithm !== 'HS256') return failure('SIGNATURE_MALFORMED', 'the token is not signed with HS256')
  if (!matchesAnySecret(secrets, (secret) => isSignedWithSecret(token, secret)))
    return failure('SIGNATURE_MISMATCH', 'the token is signed with another secret')
  if (typeof token.claims['iat'] !== 'number') return failure('TIMESTAMP_MISSING', 'the token has no iat')
  return checkTokenTimes(token.claims, { now, skewSeconds: tokenSkewSeconds }) ?? verified
}

async function account(delivery: IncomingDelivery): Promise<string | null> {
  const payload = await delivery.json()
  return urlHost(valueAt(payload, 'issue', 'self')) ?? identifierAt(payload, 'matchedWebhookIds', 0)
}

async function read(scheme: 'jira-hmac' | 'jira-jwt', delivery: IncomingDelivery): Promise<DeliveryFacts> {
  const payload = await delivery.json()
  const eventType = identifierAt(payload, 'webhookEvent')
  if (eventType === null) return { kind: 'unusable', detail: 'the body is not a JSON object with a webhookEvent' }
  const parts = [identifierInHeader(delivery, 'x-atlassian-webhook-identifier')]
  const issue = identifierAt(payload, 'issue', 'id') ?? identifierAt(payload, 'issue', 'key')
  return {
    kind: 'event',
    deliveryKey: buildDeliveryKey({ scheme, body: delivery.body, parts }),
    eventType,
    entityKey: issue === null ? eventType : `issue/${issue}`,
    occurredAt: parseTime(valueAt(payload, 'timestamp')),
  }
}

function sampleIssue({ now, id }: SampleInput): RawDelivery {
  const fields = {
    summary: 'Test of the connection',
    status: { name: 'To Do', statusCategory: { key: 'new' } },
    updated: now.toISOString(),
  }
  const issue = { id: '10001', key: 'TEST-1', self: 'https://example.atlassian.net/rest/api/2/issue/10001', fields }
  const payload = { timestamp: now.getTime(), webhookEvent: 'jira:issue_updated', issue, matchedWebhookIds: [1] }
  return jsonSample(payload, { 'x-atlassian-webhook-identifier': id })
}
