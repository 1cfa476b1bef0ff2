import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { before, test } from 'node:test'
import { dkimSign } from 'mailauth'
import { checkAuthenticity } from '../../mime/authenticity.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keyRecord = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`

const records: Record<string, string> = {
  's1._domainkey.strict.example TXT': keyRecord,
  's1._domainkey.plain.example TXT': keyRecord,
  's1._domainkey.other.example TXT': keyRecord,
  's1._domainkey.sub.relaxed.example TXT': keyRecord,
  'strict.example TXT': 'v=spf1 ip4:192.0.2.7 -all',
  '_dmarc.strict.example TXT': 'v=DMARC1; p=reject; adkim=s; aspf=s',
  '_dmarc.relaxed.example TXT': 'v=DMARC1; p=none',
  'relaxed.example TXT': 'v=spf1 ip4:192.0.2.9 -all',
}

async function resolve(name: string, type: string): Promise<string[][]> {
  const found = records[`${name.toLowerCase()} ${type}`]
  if (name.includes('broken')) throw Object.assign(new Error('timeout'), { code: 'ETIMEOUT' })
  if (found === undefined) throw Object.assign(new Error('no record'), { code: 'ENOTFOUND' })
  return [[found]]
}

const mail = (from: string, text = 'Hello.') =>
  Buffer.from(
    `From: ${from}\r\nTo: team@mail.example.org\r\nSubject: Hi\r\nDate: Mon, 23 Nov 2026 10:00:00 +0000\r\n\r\n${text}\r\n`,
  )

async function signed(bytes: Buffer, domain: string, options: { maxBodyLength?: number } = {}): Promise<Buffer> {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const { signatures } = await dkimSign(bytes, {
    ...{ signingDomain: domain, selector: 's1', privateKey: pem },
    signatureData: [{ signingDomain: domain, selector: 's1', privateKey: pem, ...options }],
  })
  return Buffer.concat([Buffer.from(signatures), bytes])
}

type Case = { bytes: Buffer; from: string; ip?: string; expected: 'pass' | 'none' | 'fail' }
let cases: Record<string, Case>

before(async () => {
  const short = 'Hello.\r\n\r\n'.repeat(5_000)
  const whole = await signed(mail('ana@strict.example'), 'strict.example')
  const part = await signed(mail('ana@strict.example'), 'strict.example', { maxBodyLength: 5 })
  cases = {
    'signed by the domain of From': { bytes: whole, from: 'x@other.example', expected: 'pass' },
    'signed by it and changed on the way': {
      bytes: Buffer.from(whole.toString().replace('Hello.', 'Pay me.')),
      from: 'x@other.example',
      expected: 'fail',
    },
    'signed by it, in part': {
      bytes: Buffer.concat([part, Buffer.from('Pay me.\r\n')]),
      from: 'x@other.example',
      expected: 'none',
    },
    'signed by it, with a line that no mail server takes': {
      bytes: await signed(mail('ana@strict.example', 'Hello. '.repeat(3_000)), 'strict.example'),
      from: 'x@other.example',
      expected: 'none',
    },
    'signed by it, with such a line between short ones': {
      bytes: await signed(mail('ana@strict.example', `${short}${'a'.repeat(17_000)}\r\n${short}`), 'strict.example'),
      from: 'x@other.example',
      expected: 'none',
    },
    'signed by it, with many lines': {
      bytes: await signed(mail('ana@strict.example', `${short}${'a'.repeat(16_000)}\r\n${short}`), 'strict.example'),
      from: 'x@other.example',
      expected: 'pass',
    },
    'signed by it, with 100 KB of headers': {
      bytes: await signed(
        Buffer.from(
          mail('ana@strict.example')
            .toString()
            .replace('Date:', `${'X-A: b\r\n'.repeat(12_000)}Date:`),
        ),
        'strict.example',
      ),
      from: 'x@other.example',
      expected: 'none',
    },
    'signed by another domain': {
      bytes: await signed(mail('ana@strict.example'), 'other.example'),
      from: 'x@other.example',
      expected: 'fail',
    },
    'sent by its server': {
      bytes: mail('ana@strict.example'),
      from: 'ana@strict.example',
      ip: '192.0.2.7',
      expected: 'pass',
    },
    'sent by its server for a name below it, which it does not allow': {
      bytes: mail('ana@strict.example'),
      from: 'ana@news.strict.example',
      ip: '192.0.2.7',
      expected: 'fail',
    },
    'sent by another server': {
      bytes: mail('ana@strict.example'),
      from: 'ana@strict.example',
      ip: '192.0.2.8',
      expected: 'fail',
    },
    'without a signature, taken by a server before us': {
      bytes: mail('ana@strict.example'),
      from: 'ana@strict.example',
      expected: 'fail',
    },
    'signed by a name below the domain, which it allows': {
      bytes: await signed(mail('ana@relaxed.example'), 'sub.relaxed.example'),
      from: 'x@other.example',
      expected: 'pass',
    },
    'of a domain that asks for nothing': {
      bytes: await signed(mail('ana@plain.example'), 'plain.example'),
      from: 'x@other.example',
      expected: 'none',
    },
    'of a domain whose name servers are away': {
      bytes: mail('ana@broken.example'),
      from: 'ana@broken.example',
      expected: 'none',
    },
    'with two senders': {
      bytes: mail('ana@strict.example, eve@other.example'),
      from: 'x@other.example',
      expected: 'fail',
    },
    'with From twice': {
      bytes: Buffer.concat([Buffer.from('From: eve@other.example\r\n'), whole]),
      from: 'x@other.example',
      expected: 'fail',
    },
    'with more signatures than servers make': {
      bytes: Buffer.concat([Buffer.from('DKIM-Signature: v=1; d=a.example; s=s1; b=a\r\n'.repeat(41)), whole]),
      from: 'x@other.example',
      expected: 'none',
    },
    'without a sender': { bytes: Buffer.from('Subject: Hi\r\n\r\nHello.\r\n'), from: '', expected: 'none' },
    'of nothing but noise': { bytes: Buffer.from([0, 255, 13, 10, 58, 58, 0]), from: '', expected: 'none' },
  }
})

test('a mail is authentic by DMARC alone', async () => {
  for (const [name, { bytes, from, ip, expected }] of Object.entries(cases)) {
    const client = ip === undefined ? null : { ip, helo: 'mx.example.net' }
    const { authenticity, verdicts } = await checkAuthenticity(
      bytes,
      { from, client },
      { resolve, hostname: 'mail.example.org' },
    )
    assert.equal(authenticity, expected, `${name}: ${JSON.stringify(verdicts)}`)
  }
})
