import type { IncomingDelivery, RawDelivery } from '../incoming-delivery.ts'
import { valueAt } from '../json.ts'
import type { DeliveryFacts, Scheme, Verification, VerificationContext } from '../scheme.ts'
import { buildDeliveryKey, identifierAt, parseTime, toIdentifier } from './identifiers.ts'
import { checkTokenTimes, isSignedWithKey, readToken, signToken, type Token } from './json-web-token.ts'
import type { OpenIdKeys } from './openid-keys.ts'
import { jsonSample, type SampleKeys } from './sample.ts'
import { failure, textSetting, verified } from './signature.ts'

export const botMetadataUrl = 'https://login.botframework.com/v1/.well-known/openidconfiguration'
const issuer = 'https://api.botframework.com'
const algorithms = ['RS256', 'RS384', 'RS512']
const skewSeconds = 300

type Deps = { keys: OpenIdKeys; sampleKey?: SampleKeys['botFramework'] }

/**
 * Teams and the other channels of the Bot Framework. "Requests from the Connector to your bot" in
 * https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication. There is no secret:
 * the connection names its application (`appId` in the settings), and the token must be issued for it. The token covers
 * only the two members of the body that it repeats.
 */
export function botFramework({ keys, sampleKey }: Deps): Scheme {
  return {
    name: 'bot-framework',
    channel: 'collab',
    provider: 'Microsoft Teams',
    contentTypes: ['application/json'],
    bodyBytesMax: 1024 * 1024,
    account,
    verify: (delivery, context) => verifyActivity(delivery, context, keys),
    read,
    sample: (context) => (sampleKey ? sampleActivity(sampleKey, context) : null),
  }
}

/** The application and, in Teams, the customer's directory: one application may serve many. */
async function account(delivery: IncomingDelivery): Promise<string | null> {
  const token = readToken(delivery)
  const application = 'isVerified' in token ? null : identifierAt(token.claims, 'aud')
  const directory = identifierAt(await delivery.json(), 'channelData', 'tenant', 'id')
  return application && directory ? toIdentifier(`${application}/${directory}`) : application
}

async function verifyActivity(
  delivery: IncomingDelivery,
  { settings, now }: VerificationContext,
  keys: OpenIdKeys,
): Promise<Verification> {
  const token = readToken(delivery)
  if ('isVerified' in token) return token
  const activity = await delivery.json()
  if (activity === null) return failure('UNREADABLE', 'the body is not a JSON object')
  const wrongClaim = checkClaims(token, textSetting(settings, 'appId'))
  if (wrongClaim !== null) return wrongClaim
  // Not earlier: tokens that are invalid anyway must not cause requests for keys.
  const known = token.keyId === null ? null : await keys.find(token.keyId)
  if (known === null) return failure('KEY_UNKNOWN', 'the issuer has no key with the id that the token names')
  if (!isSignedWithKey(token, known.pem))
    return failure('SIGNATURE_MISMATCH', 'the token is not signed with the key that it names')
  const wrongTime = checkTokenTimes(token.claims, { now, skewSeconds })
  if (wrongTime !== null) return wrongTime
  const serviceUrl = valueAt(token.claims, 'serviceurl')
  if (typeof serviceUrl !== 'string' || serviceUrl !== valueAt(activity, 'serviceUrl'))
    return failure('SERVICE_URL_MISMATCH', 'the serviceUrl of the activity differs from that of the token')
  const channel = valueAt(activity, 'channelId')
  if (typeof channel !== 'string' || !known.endorsements.includes(channel))
    return failure('ENDORSEMENT_MISSING', 'the key is not endorsed for the channel of the activity')
  return verified
}

function checkClaims({ algorithm, claims }: Token, appId: string | null): Verification | null {
  if (!algorithms.includes(algorithm))
    return failure('SIGNATURE_MALFORMED', `the token is not signed with one of ${algorithms.join(', ')}`)
  if (claims['iss'] !== issuer) return failure('ISSUER_MISMATCH', `the token was not issued by ${issuer}`)
  if (appId === null) return failure('AUDIENCE_MISMATCH', 'the settings of the connection have no appId')
  return claims['aud'] === appId ? null : failure('AUDIENCE_MISMATCH', 'the token is for another application')
}

async function read(delivery: IncomingDelivery): Promise<DeliveryFacts> {
  const activity = await delivery.json()
  const type = identifierAt(activity, 'type')
  if (type === null) return { kind: 'unusable', detail: 'the body is not an activity with a type' }
  const conversation = identifierAt(activity, 'conversation', 'id')
  const parts = [conversation, identifierAt(activity, 'id')]
  // An edit, a reaction and a removal carry the id of the message that they change.
  if (type !== 'message') parts.push(type, identifierAt(activity, 'timestamp'))
  return {
    kind: 'event',
    deliveryKey: buildDeliveryKey({ scheme: 'bot-framework', body: delivery.body, parts }),
    eventType: type,
    entityKey: conversation === null ? type : (toIdentifier(`conversation/${conversation}`) ?? type),
    occurredAt: parseTime(valueAt(activity, 'timestamp')),
  }
}

type SampleContext = Parameters<Scheme['sample']>[0]

function sampleActivity(
  { privateKey, keyId }: NonNullable<SampleKeys['botFramework']>,
  { settings, now, id }: SampleContext,
): RawDelivery {
  const serviceUrl = 'https://smba.trafficmanager.net/emea/'
  const seconds = Math.floor(now.getTime() / 1000)
  const claims = { iss: issuer, aud: textSetting(settings, 'appId') ?? '', nbf: seconds, exp: seconds + 3600 }
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
