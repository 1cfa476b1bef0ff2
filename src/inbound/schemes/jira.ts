import { valueAt } from '../json.ts'
import type { DeliveryFacts, RawDelivery, Scheme, Verification, Verifying } from '../scheme.ts'
import { isTokenOf, judgeTimes, readToken, signToken } from './json-web-token.ts'
import { deliveryKeyOf, headerName, hostOf, momentOf, nameAt, readPayload } from './payload.ts'
import { hmacHex, holdsForAny, judgeAge, judgeHmac, refused, verified } from './proof.ts'
import { jsonSample, type SampleOf } from './sample.ts'

// Jira Cloud. A webhook that an administrator made signs the body; one that an OAuth app registered carries a token
// that was signed with the app's secret, and leaves the body to TLS.
// https://developer.atlassian.com/cloud/jira/platform/webhooks/

/** No timestamp is signed. All repeats of a delivery come within 75 minutes: what is older than a day was kept by someone. */
const ageSecondsMax = 86_400
/** Atlassian's tokens live for three minutes; this is for the difference of two clocks. */
const tokenSkewSeconds = 60

const shared = {
  channel: 'issue-tracker',
  provider: 'Jira',
  contentTypes: ['application/json'],
  bodyBytesMax: 1024 * 1024,
  accountOf,
} as const

export const jiraHmac: Scheme = {
  ...shared,
  name: 'jira-hmac',
  verify: async (raw, { secrets, now }) => {
    const rule = { header: 'x-hub-signature', form: /^sha256=([0-9a-f]{64})$/, signed: [raw.body] }
    const judged = judgeHmac(raw, secrets, rule)
    if (!judged.isVerified) return judged
    const at = momentOf(valueAt(readPayload(raw.body), 'timestamp'))
    return (at && judgeAge(at, { now, seconds: ageSecondsMax })) ?? judged
  },
  read: (raw) => read('jira-hmac', raw),
  sample: ({ secret, now, id }) => {
    const raw = sampleIssue({ now, id })
    return { ...raw, headers: { ...raw.headers, 'x-hub-signature': `sha256=${hmacHex(secret, [raw.body])}` } }
  },
}

export const jiraJwt: Scheme = {
  ...shared,
  name: 'jira-jwt',
  verify: async (raw, verifying) => judgeToken(raw, verifying),
  read: (raw) => read('jira-jwt', raw),
  sample: ({ secret, now, id }) => {
    const raw = sampleIssue({ now, id })
    const iat = Math.floor(now.getTime() / 1000)
    const token = signToken({ claims: { iss: 'jira', iat, exp: iat + 180 }, key: secret })
    return { ...raw, headers: { ...raw.headers, authorization: `Bearer ${token}` } }
  },
}

function judgeToken(raw: RawDelivery, { secrets, now }: Verifying): Verification {
  const token = readToken(raw)
  if ('isVerified' in token) return token
  // Pinned: with the algorithm of the token's choice, a public key or nothing at all could be the secret.
  if (token.algorithm !== 'HS256') return refused('SIGNATURE_MALFORMED', 'the token is not signed with HS256')
  if (!holdsForAny(secrets, (secret) => isTokenOf(token, secret)))
    return refused('SIGNATURE_MISMATCH', 'the token was signed with another secret')
  if (typeof token.claims['iat'] !== 'number') return refused('TIMESTAMP_MISSING', 'the token says no iat')
  return judgeTimes(token.claims, { now, skewSeconds: tokenSkewSeconds }) ?? verified
}

function accountOf({ body }: RawDelivery): string | null {
  const payload = readPayload(body)
  return hostOf(valueAt(payload, 'issue', 'self')) ?? nameAt(payload, 'matchedWebhookIds', 0)
}

function read(scheme: 'jira-hmac' | 'jira-jwt', raw: RawDelivery): DeliveryFacts {
  const payload = readPayload(raw.body)
  const eventType = nameAt(payload, 'webhookEvent')
  if (eventType === null) return { kind: 'unusable', detail: 'the body is no JSON object with a webhookEvent' }
  const parts = [headerName(raw, 'x-atlassian-webhook-identifier')]
  const issue = nameAt(payload, 'issue', 'id') ?? nameAt(payload, 'issue', 'key')
  return {
    kind: 'event',
    deliveryKey: deliveryKeyOf({ scheme, body: raw.body, parts }),
    eventType,
    entityKey: issue === null ? eventType : `issue/${issue}`,
    occurredAt: momentOf(valueAt(payload, 'timestamp')),
  }
}

function sampleIssue({ now, id }: SampleOf): RawDelivery {
  const fields = {
    summary: 'Test of the connection',
    status: { name: 'To Do', statusCategory: { key: 'new' } },
    updated: now.toISOString(),
  }
  const issue = { id: '10001', key: 'TEST-1', self: 'https://example.atlassian.net/rest/api/2/issue/10001', fields }
  const payload = { timestamp: now.getTime(), webhookEvent: 'jira:issue_updated', issue, matchedWebhookIds: [1] }
  return jsonSample(payload, { 'x-atlassian-webhook-identifier': id })
}
