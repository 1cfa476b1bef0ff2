import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { durationRatio } from '../../test/harness/text-growth.ts'
import { htmlText } from './html-text.ts'
import { replyText } from './reply-text.ts'

const question = 'When does the venue open?'

const mails: [by: string, text: string, expected?: string][] = [
  ['Gmail', `${question}\n\nOn Mon, Jun 1, 2026 at 10:00 AM Ben <ben@example.com> wrote:\n\n> The venue.\n> Ben\n`],
  [
    'Gmail, broken lines',
    `${question}\n\nOn Mon, Jun 1, 2026 at 10:00 AM Benjamin Smith\n<ben@example.com>\nwrote:\n> The venue.\n`,
  ],
  [
    'Gmail in German',
    `${question}\n\nAm Mo., 1. Juni 2026 um 10:00 Uhr schrieb Ben <ben@example.com>:\n\n> Der Ort.\n`,
  ],
  ['Gmail in French', `${question}\n\nLe lun. 1 juin 2026 à 10:00, Ben <ben@example.com> a écrit :\n\n> Le lieu.\n`],
  ['Gmail in Japanese', `${question}\n\n2026年6月1日(月) 10:00 Ben <ben@example.com>のメッセージ：\n> 会場\n`],
  [
    'Outlook',
    `${question}\n\n________________________________\nFrom: Ben <ben@example.com>\nSent: Monday, June 1, 2026 10:00 AM\nTo: Ana\nSubject: Venue\n\nThe venue.\n`,
  ],
  [
    'Outlook in German',
    `${question}\r\n\r\nVon: Ben <ben@example.com>\r\nGesendet: Montag, 1. Juni 2026 10:00\r\nAn: Ana\r\nBetreff: Ort\r\n\r\nDer Ort.\r\n`,
  ],
  ['Outlook 2003', `${question}\n\n-----Original Message-----\nFrom: Ben\nThe venue.\n`],
  [
    'Outlook for iOS',
    `${question}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: Ben <ben@example.com>\nDate: Monday\nSubject: Venue\n\nThe venue.`,
  ],
  [
    'Apple Mail',
    `${question}\n\nSent from my iPhone\n\n> On 1. Jun 2026, at 10:00, Ben <ben@example.com> wrote:\n> \n> The venue.\n`,
  ],
  ['Thunderbird', `On 01/06/2026 10:00, Ben wrote:\n> The venue.\n\n${question}\n`],
  [
    'an answer between quotes',
    `On 01/06/2026 10:00, Ben wrote:\n> The venue opens.\n\n${question}\n\n> And closes.\n\nAt noon, I think.\n`,
    `${question}\n\n\nAt noon, I think.`,
  ],
  ['a signature', `${question}\n\n-- \nAna Lovelace\nExample Ltd.\n`],
  [
    'a closing and a signature',
    `${question}\n\nBest regards,\n\nAna Lovelace\nHead of Events | Example Ltd.\n+44 20 7946 0000\n`,
  ],
  ['a closing in German', `${question}\n\nMit freundlichen Grüßen\nAna Lovelace`],
  [
    'a closing before a question',
    `Hi Ben,\nthe figures came.\nThanks,\none more: ${question}`,
    `Hi Ben,\nthe figures came.\nThanks,\none more: ${question}`,
  ],
  [
    'a quote without marks',
    `${question}\n\nOn Monday, 1 June 2026, Ben <ben@example.com> wrote:\nThe venue opens at noon.\n`,
  ],
  ['a sentence with "wrote:"', `Ana wrote:\n${question}`, `Ana wrote:\n${question}`],
  ['nothing but a quote', '> The venue.\n', ''],
  ['only thanks', 'Thanks!', 'Thanks!'],
]

for (const [by, text, expected = question] of mails)
  test(`quote and signature are cut: ${by}`, () => assert.equal(replyText(text), expected))

test('HTML becomes the text that its reader sees, with marks on quotes', () => {
  const html = `<html><head><style>p {color: red}</style><title>x</title></head><body>
    <div style="display:none">Hidden: obey me</div><img src="https://example.com/pixel"><p>When does the&nbsp;<b>venue</b> open?</p>
    <ul><li>Hall 1</li><li>Hall &amp; 2</li></ul>
    <div class="gmail_quote"><div>On Mon, Jun 1, 2026 Ben &lt;ben@example.com&gt; wrote:<br></div><blockquote><div>The venue.</div></blockquote></div>
    <script>alert(1)</script></body></html>`
  const text = htmlText(html)
  assert.doesNotMatch(text, /obey|https|alert|color|title/)
  assert.equal(replyText(text), 'When does the venue open?\n\n- Hall 1\n\n- Hall & 2')
  assert.match(text, /^> The venue\.$/m)
})

describe('the time that a text takes grows no faster than its length', () => {
  const plain: [string, (size: number) => string][] = [
    ['attribution lines without an end', (size) => `Op x${'\nx schreef'.repeat(size / 10)}`],
    ['a sender without an end', (size) => `On ${'a '.repeat(size / 2)}`],
    ['spaces', (size) => ' '.repeat(size)],
    ['empty lines', (size) => '\n'.repeat(size)],
    ['attributions', (size) => 'On 1 a wrote\n'.repeat(size / 13)],
    ['headers', (size) => 'From: a\n'.repeat(size / 8)],
    ['closings', (size) => 'Best,\n'.repeat(size / 6)],
    ['hyphens', (size) => '-'.repeat(size)],
    ['marks of quotes', (size) => '>'.repeat(size)],
  ]
  const html: [string, (size: number) => string][] = [
    ['elements that are never closed', (size) => '<b>'.repeat(size / 6) + '</i>'.repeat(size / 8)],
    ['quotes in quotes', (size) => '<blockquote>'.repeat(size / 12)],
    ['paragraphs', (size) => '<p>a</p>'.repeat(size / 8)],
    ['opening brackets', (size) => '<'.repeat(size)],
  ]
  const size = 64_000
  const factor = 8
  // Linear growth is 8, quadratic growth 64.
  const ratioMax = 24
  for (const [read, kinds] of [
    [replyText, plain],
    [htmlText, html],
  ] as const)
    for (const [name, textOf] of kinds)
      test(name, () => {
        const [long, short] = [textOf(size * factor), textOf(size)]
        const ratio = durationRatio({ long: () => read(long), short: () => read(short) }, ratioMax)
        assert.ok(ratio <= ratioMax, `${ratio.toFixed(1)} times as long`)
      })
})

test('of a text with more lines than a person writes the first ones count', () => {
  assert.equal(replyText(`When?${'\n'.repeat(100_000)}How much?`), 'When?')
  const lines = Array.from({ length: 4_000 }, (_, n) => `Point ${n}.`).join('\n')
  assert.equal(replyText(lines), lines)
})
