import { generateKeyPairSync } from 'node:crypto'
import { authenticate, dkimSign, sealMessage } from 'mailauth'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { dkimRecord } from '../../../src/email/dkim/dkim.rules.ts'
import { generateKeys } from '../../../src/email/dkim/dkim.service.ts'

export type Case = { name: string; raw: string; from: string; ip: string }
/** These have to pass. */
export const isOurs = ({ name }: { name: string }): boolean => name.startsWith('sent by us')

const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKey = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const keyRecord = (of: typeof key) =>
  `v=DKIM1; k=rsa; p=${of.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`

export const records: Record<string, string> = {
  '_dmarc.strict.example.com': 'v=DMARC1; p=reject; adkim=s; aspf=s',
  'strict.example.com': 'v=spf1 ip4:192.0.2.7 -all',
  '_dmarc.relaxed.net': 'v=DMARC1; p=quarantine',
  'relaxed.net': 'v=spf1 ip4:192.0.2.0/24 ~all',
  'bounce.relaxed.net': 'v=spf1 include:relaxed.net -all',
  '_dmarc.plain.org': 'v=DMARC1; p=none',
  'plain.org': 'v=spf1 -all',
  'nodmarc.info': 'v=spf1 ip4:192.0.2.7 -all',
  '_dmarc.orgsub.com': 'v=DMARC1; p=none; sp=reject',
  'orgsub.com': 'v=spf1 a:mail.orgsub.com ?all',
  'loop.com': 'v=spf1 include:loop.com -all',
  '_dmarc.loop.com': 'v=DMARC1; p=reject',
  'two.com': 'v=spf1 redirect=relaxed.net',
  '_dmarc.two.com': 'v=DMARC1; p=reject',
  'bad._domainkey.strict.example.com': keyRecord(otherKey),
  'gone._domainkey.strict.example.com': 'v=DKIM1; p=',
}
const signers = ['strict.example.com', 'sub.strict.example.com', 'relaxed.net', 'sub.relaxed.net', 'plain.org'].concat([
  'nodmarc.info',
  'other.com',
  'orgsub.com',
  'a.orgsub.com',
  'list.com',
  'two.com',
])
for (const domain of signers) records[`s1._domainkey.${domain}`] = keyRecord(key)
export const addresses: Record<string, string> = { 'mail.orgsub.com': '192.0.2.44' }

export async function resolve(name: string, type: string): Promise<string[] | string[][]> {
  const [record, address] = [records[name.toLowerCase()], addresses[name.toLowerCase()]]
  if (type === 'TXT' && record !== undefined) return [record.match(/.{1,255}/g) ?? []]
  if (type === 'A' && address !== undefined) return [address]
  throw Object.assign(new Error('no record'), { code: 'ENOTFOUND' })
}

const mail = (from: string) =>
  `From: Ana <${from}>\r\nTo: team@mail.example.org\r\nSubject: Hi there\r\nDate: Mon, 23 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@x.com>\r\n\r\nHello   there. \r\nSecond line.\r\n\r\n`

async function sign(
  text: string,
  signingDomain: string,
  { selector = 's1', canonicalization = 'relaxed/relaxed' } = {},
) {
  const signature = { ...{ signingDomain, selector, privateKey, canonicalization }, algorithm: 'rsa-sha256' }
  const { signatures } = await dkimSign(Buffer.from(text), { ...signature, signatureData: [signature] })
  return signatures + text
}

/** As a mailing list does: it seals what it found, and changes the mail. */
async function sealed(raw: string, change: (text: string) => string): Promise<string> {
  const client = { ip: '198.51.100.1', helo: 'h', sender: 'x@other.com', mta: 'mx.list.com' }
  const { arc } = await authenticate(Buffer.from(raw), { resolver: resolve, ...client, disableBimi: true })
  const changed = change(raw)
  const seal = { signingDomain: 'list.com', selector: 's1', privateKey, cv: 'none' }
  const authResults = arc ? arc.authResults : ''
  const headers = await sealMessage(Buffer.from(changed), { ...seal, authResults } as Parameters<typeof sealMessage>[1])
  return headers.toString() + changed
}

/** Mails as we send them for a tenant, with a key of ours. */
async function ofOurs(): Promise<{ name: string; raw: string }[]> {
  const [domain, selector] = ['strict.example.com', 'atrium-k7']
  const { publicKey, privateKey } = await generateKeys()
  const record = dkimRecord({ selector, domain, publicKey })
  records[record.name] = record.value
  const dkim = { domainName: domain, keySelector: selector, privateKey }
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', dkim })
  const texts: Record<string, SendMailOptions> = {
    'in plain words': { text: 'See you on Thursday.' },
    'with letters of many languages': { subject: 'Grüße: 日本語 ✓', text: 'Grüße.\n\n.\n日本語 ✓\n' },
    'with long lines and an empty end': { text: `${'word '.repeat(2000)}\n\n\n` },
    'with a name, an answer and references': {
      ...{ from: { name: 'Größe, “Team”', address: `ana@${domain}` }, text: 'Yes.' },
      ...{ inReplyTo: '<a@b.example>', references: Array.from({ length: 20 }, (_, n) => `<${n}@b.example>`) },
      headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
    },
  }
  const mails: { name: string; raw: string }[] = []
  for (const [name, rest] of Object.entries(texts)) {
    const mail = { from: `ana@${domain}`, to: 'team@mail.example.org', subject: 'Notes', ...rest }
    mails.push({ name: `sent by us, ${name}`, raw: (await transport.sendMail(mail)).message.toString() })
  }
  return mails
}

const canonicalizations = ['relaxed/relaxed', 'simple/simple', 'relaxed/simple', 'simple/relaxed']
/** The domain of From, and that of the signature. */
const alignments = [
  ['strict.example.com', 'sub.strict.example.com'],
  ['relaxed.net', 'sub.relaxed.net'],
  ['sub.relaxed.net', 'relaxed.net'],
  ['relaxed.net', 'other.com'],
  ['plain.org', 'other.com'],
  ['nodmarc.info', 'nodmarc.info'],
  ['a.orgsub.com', 'a.orgsub.com'],
  ['a.orgsub.com', 'other.com'],
  ['orgsub.com', 'a.orgsub.com'],
  ['strict.example.com', 'other.com'],
] as const
/** The domain of From, the sender of the envelope, and the address of the client. */
const clients = [
  ['strict.example.com', 'ana@strict.example.com', '192.0.2.7'],
  ['strict.example.com', 'ana@strict.example.com', '192.0.2.8'],
  ['relaxed.net', 'b@bounce.relaxed.net', '192.0.2.9'],
  ['relaxed.net', 'b@bounce.relaxed.net', '203.0.113.9'],
  ['strict.example.com', 'x@relaxed.net', '192.0.2.9'],
  ['plain.org', 'a@plain.org', '192.0.2.9'],
  ['nodmarc.info', 'a@nodmarc.info', '192.0.2.7'],
  ['orgsub.com', 'a@orgsub.com', '192.0.2.44'],
  ['orgsub.com', 'a@orgsub.com', '192.0.2.45'],
  ['loop.com', 'a@loop.com', '192.0.2.45'],
  ['two.com', 'a@two.com', '192.0.2.45'],
  ['two.com', 'a@two.com', '203.0.113.1'],
  ['unknown.com', 'a@unknown.com', '192.0.2.1'],
] as const

/** Mails with everything that decides about SPF, DKIM, DMARC and ARC. */
export async function authenticityCases(): Promise<Case[]> {
  const cases: Case[] = []
  const add = (name: string, raw: string, from = 'x@other.com', ip = '198.51.100.1') =>
    cases.push({ name, raw, from, ip })
  for (const canonicalization of canonicalizations) {
    const whole = await sign(mail('ana@strict.example.com'), 'strict.example.com', { canonicalization })
    const changes = {
      nothing: whole,
      'the body': whole.replace('Hello', 'Pay me'),
      'spaces of the body': whole.replace('Hello   there. ', 'Hello there.'),
      'empty lines at the end': `${whole}\r\n\r\n`,
      'spaces of the subject': whole.replace('Hi there', 'Hi  there'),
      'the subject': whole.replace('Hi there', 'Ho there'),
      'headers on top': `X-Spam: no\r\nReceived: from a by b\r\n${whole}`,
    }
    for (const [what, raw] of Object.entries(changes)) add(`${canonicalization}, changed: ${what}`, raw)
  }
  for (const [from, signer] of alignments)
    add(`From ${from} signed by ${signer}`, await sign(mail(`ana@${from}`), signer))
  for (const selector of ['bad', 'gone', 'none'])
    add(`the key ${selector}`, await sign(mail('ana@strict.example.com'), 'strict.example.com', { selector }))
  for (const [domain, from, ip] of clients) add(`SPF ${domain} by ${from} from ${ip}`, mail(`a@${domain}`), from, ip)
  const whole = await sign(mail('ana@strict.example.com'), 'strict.example.com')
  const footer = (text: string) => `${text.trimEnd()}\r\n-- \r\nlist footer\r\n`
  const forwarded = await sealed(whole, footer)
  add('ARC, changed before the seal', forwarded)
  add('ARC, changed after the seal', forwarded.replace('footer', 'Footer'))
  add('ARC, with a broken seal', forwarded.replace(/(ARC-Seal:[\s\S]*?b=)(.{6})/, '$1AAAAAA'))
  add('ARC, with other results', forwarded.replace('dmarc=pass', 'dmarc=fail'))
  add('ARC, changed by nobody', await sealed(whole, (text) => text))
  add('ARC, over a mail that fails', await sealed(whole.replace('Hello', 'Pay me'), footer))
  for (const { name, raw } of await ofOurs()) add(name, raw)
  return cases
}
