import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { incomingDelivery, type RawDelivery } from '../../src/inbound/incoming-delivery.ts'
import type { DeliveryFacts, SchemeName, SchemeSettings, Verification } from '../../src/inbound/scheme.ts'
import { botMetadataUrl } from '../../src/inbound/schemes/bot-framework.ts'
import { inboundSchemes } from '../../src/inbound/schemes/inbound-schemes.ts'
import { selfSignedCertificate } from './certificate.ts'
import { type TestClock, testClock } from './clock.ts'

// Test keys and documents in place of the providers' own, so that every scheme has a sample with a valid signature.

const certificateUrl = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem'
const keysUrl = 'https://login.botframework.com/v1/.well-known/keys'
const dayMs = 86_400_000

export type Connection = { secrets: string[]; settings: SchemeSettings }

let made: ReturnType<typeof createKeyPairs> | null = null

/** The keys of all providers in this process: to make the pair of RSA takes a fifth of a second. */
export function keyPairs() {
  made ??= createKeyPairs()
  return made
}

function createKeyPairs() {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { rsa, ec, secretOfSendgrid: ec.publicKey.export({ format: 'der', type: 'spki' }).toString('base64') }
}

export const topicArn = 'arn:aws:sns:eu-west-1:123456789012:mail'
export const appId = '2d4f1a0c-8f1b-4d5e-9a63-0b7c5e1f2a34'

export function jwkOf(publicKey: KeyObject, more: Record<string, unknown> = {}) {
  return {
    ...publicKey.export({ format: 'jwk' }),
    kid: 'key-1',
    use: 'sig',
    endorsements: ['msteams', 'webchat'],
    ...more,
  }
}

/** All schemes with one clock. Tests can change the providers' documents and see which were fetched. */
export function signingProviders({
  keys = keyPairs(),
  clock = testClock(),
}: {
  keys?: ReturnType<typeof keyPairs>
  clock?: TestClock
} = {}) {
  const now = clock.now().getTime()
  const validity = { from: new Date(now - dayMs), to: new Date(now + 30 * dayMs) }
  const certificate = selfSignedCertificate({
    privateKey: keys.rsa.privateKey,
    commonName: 'sns.amazonaws.com',
    ...validity,
  })
  const documents = new Map<string, string>([
    [certificateUrl, certificate],
    [botMetadataUrl, JSON.stringify({ issuer: 'https://api.botframework.com', jwks_uri: keysUrl })],
    [keysUrl, JSON.stringify({ keys: [jwkOf(createPublicKey(keys.rsa.privateKey))] })],
  ])
  const fetched: string[] = []
  const fetchText = async (url: string) => {
    fetched.push(url)
    return documents.get(url) ?? null
  }
  const schemes = inboundSchemes({
    fetchCertificate: fetchText,
    fetchMetadata: fetchText,
    clock,
    sampleKeys: {
      sns: { privateKey: keys.rsa.privateKey, certificateUrl },
      botFramework: { privateKey: keys.rsa.privateKey, keyId: 'key-1' },
      sendgrid: { privateKey: keys.ec.privateKey },
    },
  })
  /** One secret for all schemes, so that no scheme refuses another's delivery only because of its secret. */
  const connectionOf = (name: SchemeName): Connection => ({
    secrets: [name === 'sendgrid' ? keys.secretOfSendgrid : 'correct horse battery staple'],
    settings: { appId, topicArns: [topicArn], userName: 'postmark' },
  })
  const sampleOf = (name: SchemeName, id = `sample-${name}`): RawDelivery => {
    const { secrets, settings } = connectionOf(name)
    const raw = schemes[name].sample({ secret: secrets[0] ?? '', settings, now: clock.now(), id })
    if (raw === null) throw new Error(`No sample of ${name}`)
    return raw
  }
  const verify = (name: SchemeName, raw: RawDelivery, connection = connectionOf(name)): Promise<Verification> =>
    schemes[name].verify(incomingDelivery(raw), { ...connection, now: clock.now() })
  const read = (name: SchemeName, raw: RawDelivery): Promise<DeliveryFacts> =>
    schemes[name].read(incomingDelivery(raw), connectionOf(name).secrets)
  const account = (name: SchemeName, raw: RawDelivery): Promise<string | null> =>
    schemes[name].account(incomingDelivery(raw))
  return {
    schemes,
    clock,
    keys,
    documents,
    fetched,
    connectionOf,
    sampleOf,
    verify,
    read,
    account,
    certificateUrl,
    keysUrl,
  }
}

/** `verified`, or the cause of the failure. */
export function causeOf(verification: Verification): string {
  return verification.isVerified ? 'verified' : verification.cause
}

/** The delivery with another body or other headers. A header that is undefined is left out. */
export function changed(
  raw: RawDelivery,
  by: { body?: Buffer | string; headers?: RawDelivery['headers'] },
): RawDelivery {
  const body = by.body === undefined ? raw.body : Buffer.from(by.body)
  return { ...raw, body, headers: { ...raw.headers, ...by.headers } }
}

export function changedJson(raw: RawDelivery, change: (payload: Record<string, unknown>) => object): RawDelivery {
  return changed(raw, { body: JSON.stringify(change(JSON.parse(raw.body.toString()))) })
}
