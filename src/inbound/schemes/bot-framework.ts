import { valueAt } from '../json.ts'
import type { DeliveryFacts, RawDelivery, Scheme, Verification, Verifying } from '../scheme.ts'
import { isSignedBy, judgeTimes, readToken, signToken, type Token } from './json-web-token.ts'
import type { OpenIdKeys } from './openid-keys.ts'
import { deliveryKeyOf, momentOf, nameAt, nameOf, readPayload } from './payload.ts'
import { refused, settingOf, verified } from './proof.ts'
import { jsonSample, type SampleKeys } from './sample.ts'

export const botMetadataUrl = 'https://login.botframework.com/v1/.well-known/openidconfiguration'
const issuer = 'https://api.botframework.com'
const algorithms = ['RS256', 'RS384', 'RS512']
const skewSeconds = 300

type Deps = { keys: OpenIdKeys; sampleKey?: SampleKeys['botFramework'] }

/**
 * Teams and the other channels of the Bot Framework, "requests from the Connector to your bot":
 * https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication. There is no secret:
 * the connection names its application (`appId` of the settings), and the token has to be for that. The token does not
 * cover the body, but for the two members that it repeats.
 */
export function botFramework({ keys, sampleKey }: Deps): Scheme {
  return {
    name: 'bot-framework',
    channel: 'collab',
    provider: 'Microsoft Teams',
    contentTypes: ['application/json'],
    bodyBytesMax: 1024 * 1024,
    accountOf,
    verify: (raw, verifying) => judge(raw, verifying, keys),
    read,
    sample: (signing) => (sampleKey ? sampleActivity(sampleKey, signing) : null),
  }
}

/** The application and, in Teams, the customer's directory: one application may serve many. */
function accountOf(raw: RawDelivery): string | null {
  const token = readToken(raw)
  const application = 'isVerified' in token ? null : nameAt(token.claims, 'aud')
  const directory = nameAt(readPayload(raw.body), 'channelData', 'tenant', 'id')
  return application && directory ? nameOf(`${application}/${directory}`) : application
}

async function judge(raw: RawDelivery, { settings, now }: Verifying, keys: OpenIdKeys): Promise<Verification> {
  const token = readToken(raw)
  if ('isVerified' in token) return token
  const activity = readPayload(raw.body)
  if (activity === null) return refused('UNREADABLE', 'the body is no JSON object')
  const misfit = judgeClaims(token, settingOf(settings, 'appId'))
  if (misfit !== null) return misfit
  // Only now, so that tokens that could not hold anyway make nobody ask for keys.
  const known = token.keyId === null ? null : await keys.find(token.keyId)
  if (known === null) return refused('KEY_UNKNOWN', 'the issuer has no key of the id that the token names')
  if (!isSignedBy(token, known.pem))
    return refused('SIGNATURE_MISMATCH', 'the key that the token names has not signed it')
  const untimely = judgeTimes(token.claims, { now, skewSeconds })
  if (untimely !== null) return untimely
  const serviceUrl = valueAt(token.claims, 'serviceurl')
  if (typeof serviceUrl !== 'string' || serviceUrl !== valueAt(activity, 'serviceUrl'))
    return refused('SERVICE_URL_MISMATCH', 'the activity names another service address than the token')
  const channel = valueAt(activity, 'channelId')
  if (typeof channel !== 'string' || !known.endorsements.includes(channel))
    return refused('ENDORSEMENT_MISSING', 'the key may not sign for the channel of the activity')
  return verified
}

function judgeClaims({ algorithm, claims }: Token, appId: string | null): Verification | null {
  if (!algorithms.includes(algorithm))
    return refused('SIGNATURE_MALFORMED', `the token is signed with none of ${algorithms}`)
  if (claims['iss'] !== issuer) return refused('ISSUER_MISMATCH', `the token was not issued by ${issuer}`)
  if (appId === null) return refused('AUDIENCE_MISMATCH', 'the connection names no appId')
  return claims['aud'] === appId ? null : refused('AUDIENCE_MISMATCH', 'the token is for another application')
}

function read(raw: RawDelivery): DeliveryFacts {
  const activity = readPayload(raw.body)
  const type = nameAt(activity, 'type')
  if (type === null) return { kind: 'unusable', detail: 'the body is no activity with a type' }
  const conversation = nameAt(activity, 'conversation', 'id')
  const parts = [conversation, nameAt(activity, 'id')]
  // An edit, a reaction and a removal carry the id of the message that they are about.
  if (type !== 'message') parts.push(type, nameAt(activity, 'timestamp'))
  return {
    kind: 'event',
    deliveryKey: deliveryKeyOf({ scheme: 'bot-framework', body: raw.body, parts }),
    eventType: type,
    entityKey: conversation === null ? type : (nameOf(`conversation/${conversation}`) ?? type),
    occurredAt: momentOf(valueAt(activity, 'timestamp')),
  }
}

type Signing = Parameters<Scheme['sample']>[0]

function sampleActivity(
  { privateKey, keyId }: NonNullable<SampleKeys['botFramework']>,
  { settings, now, id }: Signing,
): RawDelivery {
  const serviceUrl = 'https://smba.trafficmanager.net/emea/'
  const seconds = Math.floor(now.getTime() / 1000)
  const claims = { iss: issuer, aud: settingOf(settings, 'appId') ?? '', nbf: seconds, exp: seconds + 3600 }
  const token = signToken({
    claims: { ...claims, serviceurl: serviceUrl },
    header: { kid: keyId },
    key: privateKey,
  })
  const activity = {
    type: 'message',
    id,
    timestamp: now.toISOString(),
    serviceUrl,
    channelId: 'msteams',
    from: { id: '29:test', name: 'Ada' },
    conversation: { id: 'a:test', conversationType: 'personal', tenantId: '5f2a7f0e-5f51-4a5e-8c8a-3c7d9a1b2c3d' },
    recipient: { id: '28:test', name: 'Assistant' },
    text: 'Test of the connection',
    channelData: { tenant: { id: '5f2a7f0e-5f51-4a5e-8c8a-3c7d9a1b2c3d' } },
  }
  return jsonSample(activity, { authorization: `Bearer ${token}` })
}
