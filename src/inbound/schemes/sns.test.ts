import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { selfSignedCertificate } from '../../../test/harness/certificate.ts'
import { causeOf, changedJson, keyPairs, signingProviders, topicArn } from '../../../test/harness/signing-providers.ts'
import type { RawDelivery } from '../incoming-delivery.ts'
import { parseJsonObject } from '../json.ts'
import { isCertificateUrl, isSubscribeUrl, parseSnsMessage, signedText } from './sns-message.ts'

const keys = keyPairs()
const dayMs = 86_400_000

/** The message with the members given, signed again as Amazon would. */
function resigned(raw: RawDelivery, by: Record<string, unknown>, key: KeyObject = keys.rsa.privateKey): RawDelivery {
  const changed = changedJson(raw, (message) => ({ ...message, ...by }))
  const message = parseSnsMessage(parseJsonObject(changed.body))
  const text = Buffer.from((message && signedText(message)) ?? '')
  const digest = message?.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256'
  return changedJson(changed, (all) => ({ ...all, Signature: sign(digest, text, key).toString('base64') }))
}

const subscribeUrl = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=2336412f37`
const confirmation = {
  Type: 'SubscriptionConfirmation',
  Token: '2336412f37',
  SubscribeURL: subscribeUrl,
  Subject: undefined,
}

describe('messages of Amazon SNS', () => {
  const { clock, documents, fetched, sampleOf, verify, read, account, certificateUrl } = signingProviders({ keys })
  const judge = async (raw: RawDelivery) => causeOf(await verify('sns', raw))
  const sample = () => sampleOf('sns')

  test('hold with both versions of the signature, and with and without a subject', async () => {
    assert.equal(await judge(sample()), 'verified')
    assert.equal(await judge(resigned(sample(), { SignatureVersion: '1' })), 'verified')
    assert.equal(await judge(resigned(sample(), { Subject: undefined })), 'verified')
    assert.equal(await judge(resigned(sample(), { Subject: null })), 'verified')
    assert.equal(await judge(resigned(sample(), confirmation)), 'verified')
    assert.equal(await judge(resigned(sample(), { ...confirmation, Type: 'UnsubscribeConfirmation' })), 'verified')
  })

  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const refusals: [string, string, (raw: RawDelivery) => RawDelivery][] = [
    ['another text', 'SIGNATURE_MISMATCH', (raw) => changedJson(raw, (all) => ({ ...all, Message: 'another' }))],
    [
      'a subject put in',
      'SIGNATURE_MISMATCH',
      (raw) => changedJson(resigned(raw, { Subject: null }), (all) => ({ ...all, Subject: 'x' })),
    ],
    ['a signature by someone else', 'SIGNATURE_MISMATCH', (raw) => resigned(raw, {}, foreign)],
    [
      'SHA-256 said to be SHA-1',
      'SIGNATURE_MISMATCH',
      (raw) => changedJson(raw, (all) => ({ ...all, SignatureVersion: '1' })),
    ],
    ['a foreign topic, rightly signed', 'TOPIC_UNKNOWN', (raw) => resigned(raw, { TopicArn: `${topicArn}2` })],
    ['version 3', 'SIGNATURE_MALFORMED', (raw) => changedJson(raw, (all) => ({ ...all, SignatureVersion: '3' }))],
    ['no signature', 'SIGNATURE_MISSING', (raw) => changedJson(raw, ({ Signature: _, ...rest }) => rest)],
    [
      'a signature that is no base64',
      'SIGNATURE_MALFORMED',
      (raw) => changedJson(raw, (all) => ({ ...all, Signature: '%%%%' })),
    ],
    [
      'an hour and a minute of age',
      'TIMESTAMP_STALE',
      (raw) => resigned(raw, { Timestamp: new Date(clock.now().getTime() - 3_660_000).toISOString() }),
    ],
    ['no time', 'TIMESTAMP_MISSING', (raw) => resigned(raw, { Timestamp: 'yesterday' })],
    [
      'no token where one is signed',
      'SIGNATURE_MALFORMED',
      (raw) => resigned(raw, { ...confirmation, Token: undefined }),
    ],
    [
      'a certificate that is not there',
      'CERTIFICATE_REFUSED',
      (raw) => resigned(raw, { SigningCertURL: certificateUrl.replace('abc', 'cba') }),
    ],
    ['a number for a topic', 'UNREADABLE', (raw) => changedJson(raw, (all) => ({ ...all, TopicArn: 7 }))],
    ['raw message delivery', 'UNREADABLE', (raw) => ({ ...raw, body: Buffer.from('{"notificationType":"Received"}') })],
  ]
  for (const [name, cause, change] of refusals) {
    test(`are refused with ${name} (${cause})`, async () => assert.equal(await judge(change(sample())), cause))
  }

  test('are refused with a certificate that has ended, has not begun, has a weak key, or is none', async () => {
    const from = clock.now().getTime()
    const certificateOf = (privateKey: KeyObject, days: [number, number]) =>
      selfSignedCertificate({
        privateKey,
        commonName: 'sns.amazonaws.com',
        from: new Date(from + days[0] * dayMs),
        to: new Date(from + days[1] * dayMs),
      })
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
    const wrong: [string, string, KeyObject][] = [
      ['ended', certificateOf(keys.rsa.privateKey, [-2, -1]), keys.rsa.privateKey],
      ['early', certificateOf(keys.rsa.privateKey, [1, 2]), keys.rsa.privateKey],
      ['weak', certificateOf(weak, [-1, 1]), weak],
      ['none', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', keys.rsa.privateKey],
      ['large', `${certificateOf(keys.rsa.privateKey, [-1, 1])}${'\n'.repeat(65_536)}`, keys.rsa.privateKey],
    ]
    for (const [name, pem, key] of wrong) {
      const url = certificateUrl.replace('0123', name)
      documents.set(url, pem)
      assert.equal(await judge(resigned(sample(), { SigningCertURL: url }, key)), 'CERTIFICATE_REFUSED', name)
    }
  })

  test('that ask for a confirmation contain the address to confirm, once for each message', async () => {
    const raw = resigned(sample(), confirmation)
    assert.deepEqual(await read('sns', raw), { kind: 'confirmation', url: subscribeUrl, deliveryKey: 'sample-sns' })
  })

  test('have a topic before they are verified', async () => assert.equal(await account('sns', sample()), topicArn))

  test('cause no request for any of 40 hostile certificate addresses, and no confirmation', async () => {
    assert.equal(hostileAddresses.length, 40)
    await judge(sample())
    fetched.length = 0
    for (const address of hostileAddresses) {
      const withPath = address.replace('PATH', '/SimpleNotificationService-0123456789abcdef.pem')
      assert.equal(await judge(resigned(sample(), { SigningCertURL: withPath })), 'CERTIFICATE_REFUSED', withPath)
      const toConfirm = address.replace('PATH', '/?Action=ConfirmSubscription&Token=2336412f37')
      const facts = await read('sns', resigned(sample(), { ...confirmation, SubscribeURL: toConfirm }))
      assert.equal(facts.kind, 'unusable', toConfirm)
    }
    assert.deepEqual(fetched, [])
  })

  test('may come from any region of Amazon, China too', async () => {
    for (const region of ['us-east-1.amazonaws.com', 'us-gov-west-1.amazonaws.com', 'cn-north-1.amazonaws.com.cn']) {
      assert.ok(isCertificateUrl(`https://sns.${region}/SimpleNotificationService-01.pem`))
      assert.ok(isSubscribeUrl(`https://sns.${region}/?Action=ConfirmSubscription&Token=1`))
    }
    for (const rest of ['/x.pem?a=1', '/x.pem#a', '/x.PEM', '/', '', '/x.pem/', '/a?x=.pem'])
      assert.ok(!isCertificateUrl(`https://sns.us-east-1.amazonaws.com${rest}`), rest)
    for (const rest of [
      '/?Action=Publish',
      '/',
      '/?action=ConfirmSubscription',
      '/?Action=Unsubscribe&Action=ConfirmSubscription',
    ])
      assert.ok(!isSubscribeUrl(`https://sns.us-east-1.amazonaws.com${rest}`), rest)
  })

  test('cause no request where anything else is wrong', async () => {
    fetched.length = 0
    clock.advance({ seconds: 86_400 })
    const stale = { Timestamp: new Date(clock.now().getTime() - 7_200_000).toISOString() }
    for (const by of [{ TopicArn: 'arn:aws:sns:eu-west-1:1:x' }, stale, { SignatureVersion: '9' }])
      await judge(resigned(sample(), by))
    assert.deepEqual(fetched, [])
    assert.equal(await judge(sample()), 'verified')
    assert.equal(fetched.length, 1, 'kept for a day, and no longer')
  })
})

/** `PATH` is where a right path goes. */
const hostileAddresses = [
  'http://sns.eu-west-1.amazonaws.comPATH',
  'https://sns.eu-west-1.amazonaws.com.evil.testPATH',
  'https://sns.eu-west-1.amazonaws.com@evil.testPATH',
  'https://sns.eu-west-1.amazonaws.com:443@evil.testPATH',
  'https://user@sns.eu-west-1.amazonaws.comPATH',
  'https://user:word@sns.eu-west-1.amazonaws.comPATH',
  'https://sns.eu-west-1.amazonaws.com:8443PATH',
  'https://sns.eu-west-1.amazonaws.com:443PATH',
  'https://sns.eu-west-1.amazonaws.com.PATH',
  'https://evil.test/sns.eu-west-1.amazonaws.comPATH',
  'https://evil.test#sns.eu-west-1.amazonaws.comPATH',
  'https://evil.test?sns.eu-west-1.amazonaws.comPATH',
  'https://evil.test\\@sns.eu-west-1.amazonaws.comPATH',
  'https://evil.test\\.sns.eu-west-1.amazonaws.comPATH',
  'https:\\\\sns.eu-west-1.amazonaws.comPATH',
  'https:sns.eu-west-1.amazonaws.comPATH',
  '//sns.eu-west-1.amazonaws.comPATH',
  'https://evilsns.eu-west-1.amazonaws.comPATH',
  'https://sns.amazonaws.comPATH',
  'https://sns..amazonaws.comPATH',
  'https://sns.evil.test.amazonaws.comPATH',
  'https://bucket.s3.amazonaws.comPATH',
  'https://sns.eu-west-1.amazonaws.com.cn.evil.testPATH',
  'https://sns.eu-west-1.amazonaws.com.cnxPATH',
  'https://sns.eu-west-1.amazonawsXcomPATH',
  'https://sns.eu-west-1.amazonaws.com\n.evil.testPATH',
  'https://sns.eu-west-1.amazonaws.com\t.evil.testPATH',
  'https://sns.eu-west-1.amazonaws.com\u0000.evil.testPATH',
  'https://sns.eu-west-1.amazonaws.com%2eevil.testPATH',
  'https://sns.eu-west-1.amazonaws.com%00.evil.testPATH',
  'https://SNS.EU-WEST-1.AMAZONAWS.COMPATH',
  'https://sns.eu-west-1.amazonaws。comPATH',
  'https://sns.еu-west-1.amazonaws.comPATH',
  'https://127.0.0.1PATH',
  'https://2130706433PATH',
  'https://0x7f000001PATH',
  'https://[::ffff:127.0.0.1]PATH',
  'https://169.254.169.254PATH',
  'file:///etc/ssl/sns.eu-west-1.amazonaws.comPATH',
  ' https://sns.eu-west-1.amazonaws.comPATH',
]
