import type { Random } from '../../harness/seeded-random.ts'

export type MutatedMail = { bytes: Buffer; what: string; tag: string }

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
/** Most are small; some are as large as a listener takes. */
const sizes = [
  [60, 3 * kibibyte],
  [20, 60 * kibibyte],
  [13, 250 * kibibyte],
  [5, mebibyte],
  [1.6, 5 * mebibyte],
  [0.4, 23 * mebibyte],
] as const

const head = (from: string, to: string, n: number) =>
  `From: Ana <${from}>\r\nTo: ${to}\r\nSubject: Venue ${n}\r\nMessage-ID: <m${n}@example.com>\r\nDate: Mon, 23 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n`
const filled = (line: string, size: number) => line.repeat(Math.max(1, Math.ceil(size / line.length)))
const base64Of = (size: number) => filled(`${Buffer.alloc(57, 'abc').toString('base64')}\r\n`, size)
const part = (type: string, body: string, more = '') => `--b1\r\nContent-Type: ${type}\r\n${more}\r\n${body}\r\n`
const mixed = (...parts: string[]) => `Content-Type: multipart/mixed; boundary=b1\r\n\r\n${parts.join('')}--b1--\r\n`
const asBase64 = 'Content-Transfer-Encoding: base64\r\n'

const calendar = (lines: string) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:u1@example.com\r\nDTSTAMP:20261123T100000Z\r\nDTSTART:20261201T090000Z\r\nDTEND:20261201T100000Z\r\nSUMMARY:Launch\r\n${lines}END:VEVENT\r\nEND:VCALENDAR\r\n`

/** What mails of all kinds hold after their first headers. */
const mutatedBodies: Record<string, (size: number) => string> = {
  text: (size) =>
    `\r\nWhen does the venue open?\r\n${filled('> quoted line of text here\r\nmore words   here\r\n', size)}`,
  html: (size) =>
    `Content-Type: text/html\r\n\r\n${filled('<div><p>When does <b>it</b> open? &amp; <a href="https://x.example">so</a></p></div>\r\n', size)}`,
  'nested html': (size) => `Content-Type: text/html\r\n\r\n${filled('<div><blockquote><b>', size)}When?`,
  'broken html': (size) => `Content-Type: text/html\r\n\r\n${filled('<a href="<!--<![CDATA[<style>"\'<p &#x', size)}`,
  'one line': (size) => `\r\n${filled('a b ', size)}\r\n`,
  spaces: (size) => `\r\na${' '.repeat(size)}b\r\n`,
  'empty lines': (size) => `\r\n${'\r\n'.repeat(size / 2)}When?\r\n`,
  quotes: (size) => `\r\nWhen?\r\n\r\n${filled('> > > > > On Monday Ana <a@example.com> wrote:\r\n', size)}`,
  signatures: (size) => `\r\nWhen?\r\n${filled('-- \r\nAna Example\r\nSent from my phone\r\n', size)}`,
  headers: (size) => `${filled('X-A: b c d\r\n', Math.min(size, 300 * kibibyte))}\r\nWhen?\r\n`,
  'long header': (size) => `X-A: ${'b'.repeat(Math.min(size, 300 * kibibyte))}\r\n\r\nWhen?\r\n`,
  'encoded words': (size) =>
    `X-Subject: ${filled('=?utf-8?B?4oKs?= =?iso-2022-jp?Q?=1B$B?= ', Math.min(size, 120 * kibibyte))}\r\n\r\nWhen?\r\n`,
  references: (size) => `References: ${filled('<r@example.com> ', Math.min(size, 60 * kibibyte))}\r\n\r\nWhen?\r\n`,
  addresses: (size) => `Cc: ${filled('"A, B" <a@example.com>, ', Math.min(size, 60 * kibibyte))}\r\n\r\nWhen?\r\n`,
  'many signatures': (size) =>
    `${filled('DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s1; h=from; bh=abc; b=abc\r\n', Math.min(size, 60 * kibibyte))}\r\nWhen?\r\n`,
  file: (size) => mixed(part('text/plain', 'When?'), part('application/pdf; name=a.pdf', base64Of(size), asBase64)),
  'many files': (size) =>
    mixed(
      part('text/plain', 'When?'),
      ...Array.from({ length: 48 }, () => part('text/plain; name=a.txt', filled('words ', size / 48))),
    ),
  'many parts': (size) => mixed(...Array.from({ length: 230 }, () => part('text/plain', filled('x', size / 230)))),
  deep: () =>
    `${Array.from({ length: 30 }, (_, n) => `Content-Type: multipart/mixed; boundary=d${n}\r\n\r\n--d${n}\r\n`).join('')}\r\nWhen?\r\n`,
  'quoted printable': (size) =>
    mixed(
      part(
        'text/plain; charset=utf-8',
        filled('=E2=82=AC=\r\n', size),
        'Content-Transfer-Encoding: quoted-printable\r\n',
      ),
    ),
  'strange charset': (size) => mixed(part('text/plain; charset=iso-2022-jp', filled('\u001b$B0!\u001b(B ', size))),
  invitation: () => mixed(part('text/calendar; method=REQUEST', calendar('RRULE:FREQ=DAILY;COUNT=5\r\n'))),
  'hostile invitation': (size) =>
    mixed(
      part(
        'text/calendar; method=REQUEST',
        calendar(filled('RDATE:20261202T090000Z,20261203T090000Z\r\n', Math.min(size, mebibyte))),
      ),
    ),
  transcript: (size) =>
    mixed(
      part(
        'text/vtt; name=a.vtt',
        `WEBVTT\r\n\r\n${filled('00:00:01.000 --> 00:00:04.000\r\n<v Ana>We ship.\r\n\r\n', size)}`,
      ),
    ),
  forwarded: (size) =>
    mixed(part('message/rfc822', `${head('b@example.com', 'c@example.com', 1)}\r\n${filled('words\r\n', size)}`)),
  report: (size) =>
    `Content-Type: multipart/report; report-type=delivery-status; boundary=b1\r\n\r\n${part('message/delivery-status', filled('Final-Recipient: rfc822; x@example.com\r\nStatus: 5.1.1\r\n\r\n', Math.min(size, mebibyte)))}--b1--\r\n`,
}

type Mutation = (bytes: Buffer, random: Random) => Buffer

const somewhere = (bytes: Buffer, random: Random, most: number): [number, number] => {
  const at = random.below(bytes.length)
  return [at, Math.min(bytes.length, at + 1 + random.below(most))]
}
const insert = (bytes: Buffer, at: number, more: Buffer | string) =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(more), bytes.subarray(at)])

const mutations: Record<string, Mutation> = {
  none: (bytes) => bytes,
  flipped: (bytes, random) => {
    const changed = Buffer.from(bytes)
    for (let n = 0; n < 20; n++) changed[random.below(Math.min(bytes.length, 4096))] = random.below(256)
    return changed
  },
  cut: (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  dropped: (bytes, random) => {
    const [from, to] = somewhere(bytes, random, 300)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  },
  doubled: (bytes, random) => {
    const [from, to] = somewhere(bytes, random, 2000)
    return insert(bytes, to, bytes.subarray(from, to))
  },
  noise: (bytes, random) =>
    insert(bytes, random.below(bytes.length), Buffer.from(Array.from({ length: 200 }, () => random.below(256)))),
  'bare feeds': (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  boundaries: (bytes, random) =>
    insert(bytes, random.below(bytes.length), '\r\n--b1\r\nContent-Type: multipart/mixed; boundary=b1\r\n\r\n--b1\r\n'),
  'two senders': (bytes) => insert(bytes, 0, 'From: Eve <eve@example.net>\r\n'),
  'no sender': (bytes) => bytes.subarray(bytes.indexOf('\n') + 1),
  nulls: (bytes, random) => insert(bytes, random.below(bytes.length), '\0'.repeat(50)),
}

const tags = ['', '', '', '+docs', '+a.b', `+${'a'.repeat(26)}`]

/** Another mail for each number, the same with each run. Number 0 is a plain question. */
export function mutatedMail(
  random: Random,
  { n, from, address }: { n: number; from: string; address: string },
): MutatedMail {
  if (n === 0)
    return { bytes: Buffer.from(`${head(from, address, n)}\r\nWhen does the venue open?\r\n`), what: 'plain', tag: '' }
  const kind = random.oneOf(Object.keys(mutatedBodies))
  const size = random.weighted(sizes)
  const name = random.oneOf(Object.keys(mutations))
  const whole = Buffer.from(head(from, address, n) + (mutatedBodies[kind] as (size: number) => string)(size))
  const bytes = (mutations[name] as Mutation)(whole, random)
  return { bytes, what: `${kind}, ${Math.ceil(bytes.length / kibibyte)} KiB, ${name}`, tag: random.oneOf(tags) }
}
