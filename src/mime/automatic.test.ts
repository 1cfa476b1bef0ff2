import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationRatio } from '../../test/harness/text-growth.ts'
import { automaticCause, type MailToJudge } from './automatic.ts'

type Sent = {
  /** Who sent it. */
  by: string
  from?: string
  envelope?: string | null
  headers?: Record<string, string>
  types?: string[]
  verdicts?: Record<string, string>
  id?: string
}

const installation = {
  isOwnAddress: (address: string) => address.toLowerCase().endsWith('@mail.atrium.example'),
  isOwnMessageId: (id: string) => id.endsWith('@mail.atrium.example>'),
}

function received({
  from = 'ana@example.com',
  envelope,
  headers = {},
  types = ['text/plain'],
  ...rest
}: Sent): MailToJudge {
  return {
    headers: Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
    envelopeFrom: envelope === undefined ? from : envelope,
    senders: [from],
    messageId: rest.id ?? '<CAF7x@mail.example.com>',
    contentTypes: types,
    verdicts: rest.verdicts ?? {},
  }
}

const answered = { 'In-Reply-To': '<x@mail.atrium.example>' }
const report = ['multipart/report; report-type=delivery-status; boundary=b', 'message/delivery-status']

const automatic: Sent[] = [
  // Answers of absent people.
  {
    by: 'Exchange: out of office',
    envelope: '',
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  },
  {
    by: 'Exchange without an envelope, in English',
    headers: { ...answered, Subject: 'Automatic reply: Notes', 'X-Auto-Response-Suppress': 'All' },
  },
  { by: 'Exchange without an envelope, in German', headers: { ...answered, Subject: 'Automatische Antwort: Notes' } },
  { by: 'Exchange without an envelope, in French', headers: { ...answered, Subject: 'Réponse automatique : Notes' } },
  { by: 'Exchange without an envelope, in Japanese', headers: { ...answered, Subject: '自動応答: Notes' } },
  {
    by: 'Outlook 2007: out of office',
    headers: { References: '<x@mail.atrium.example>', Subject: 'Out of Office: Notes' },
  },
  {
    by: 'Gmail: vacation responder',
    envelope: '',
    headers: { 'Auto-Submitted': 'auto-replied', Precedence: 'bulk', 'X-Autoreply': 'yes' },
  },
  { by: 'vacation(1) of BSD', headers: { 'Auto-Submitted': 'auto-replied', Precedence: 'bulk' } },
  { by: 'vacation(1), old', headers: { Precedence: 'junk' } },
  {
    by: 'Sieve vacation (Dovecot Pigeonhole)',
    envelope: '',
    headers: { 'Auto-Submitted': 'auto-replied (vacation)', Precedence: 'bulk' },
  },
  { by: 'Cyrus Sieve', headers: { 'Auto-Submitted': 'auto-replied (vacation)' } },
  { by: 'Exim autoreply', headers: { 'Auto-Submitted': 'auto-replied' } },
  { by: 'procmail recipe', headers: { 'X-Loop': 'ana@example.com', Precedence: 'junk' } },
  { by: 'cPanel autoresponder', headers: { 'X-Autorespond': 'Notes', Precedence: 'auto_reply' } },
  { by: 'Plesk autoresponder', headers: { 'X-AutoResponder': 'plesk', Precedence: 'bulk' } },
  { by: 'qmail autorespond', envelope: '', headers: { 'Delivered-To': 'Autoresponder', Precedence: 'junk' } },
  { by: 'Lotus Notes', headers: { ...answered, Subject: 'AUTO: Ana is out of the office (returning 12.06.2026)' } },
  { by: 'Yahoo vacation response', headers: { 'X-Autoreply': 'Yahoo', 'Auto-Submitted': 'auto-replied' } },
  { by: 'Zoho vacation', headers: { 'X-AutoReply': 'true' } },
  { by: 'Fastmail vacation', envelope: '', headers: { 'Auto-Submitted': 'auto-replied (vacation)' } },
  { by: 'FirstClass', headers: { 'X-FC-MachineGenerated': 'true' } },
  { by: 'GroupWise rule', headers: { 'X-POST-MessageClass': '9; Autoresponder' } },
  { by: 'Mercury/32', headers: { 'X-Autoreply-From': 'ana@example.com' } },
  { by: 'Kerio Connect', headers: { 'Auto-Submitted': '"auto-replied"' } },
  { by: 'Exchange inbox rule', headers: { 'X-MS-Exchange-Inbox-Rules-Loop': 'ana@example.com' } },
  // Bounces and reports.
  { by: 'Postfix bounce', from: 'MAILER-DAEMON@mx.example.com', envelope: '', types: report },
  {
    by: 'Exim bounce, no report',
    from: 'Mailer-Daemon@mx.example.com',
    envelope: '',
    headers: { 'X-Failed-Recipients': 'b@example.com' },
  },
  { by: 'qmail bounce', from: 'MAILER-DAEMON@example.com', envelope: '' },
  { by: 'qmail double bounce', from: 'postmaster@example.com', envelope: '#@[]' },
  {
    by: 'Exchange non-delivery report',
    from: 'postmaster@example.onmicrosoft.com',
    envelope: '<>',
    headers: { 'Return-Path': '<>' },
    types: report,
  },
  {
    by: 'Exchange report by a provider without envelopes',
    from: 'microsoftexchange329e@example.com',
    envelope: null,
    types: report,
  },
  { by: 'Gmail bounce', from: 'mailer-daemon@googlemail.com', envelope: null, types: report },
  { by: 'Amazon SES bounce', from: 'mailer-daemon@amazonses.com', envelope: '', types: report },
  { by: 'delayed delivery', from: 'mailer-daemon@example.com', envelope: '', types: report },
  {
    by: 'read receipt',
    types: ['multipart/report; report-type=disposition-notification', 'message/disposition-notification'],
  },
  { by: 'abuse report', from: 'staff@hotmail.com', types: ['multipart/report; report-type=feedback-report'] },
  { by: 'relayed with an empty return path', envelope: null, headers: { 'Return-Path': '<>' } },
  { by: 'BATV bounce address', from: 'bounce+7f3a=ana@lists.example', envelope: null },
  // Lists and bulk mail.
  {
    by: 'Mailman',
    headers: { 'List-Id': '<dev.lists.example.com>', Precedence: 'list', 'X-BeenThere': 'dev@lists.example.com' },
  },
  { by: 'Google Groups', headers: { 'List-ID': '<team.example.com>', 'List-Post': '<https://groups.google.com>' } },
  { by: 'Sympa', headers: { 'X-Loop': 'list@example.com', 'List-Archive': '<https://lists.example.com>' } },
  { by: 'ezmlm', headers: { 'Mailing-List': 'contact list-help@example.com; run by ezmlm' } },
  { by: 'LISTSERV', headers: { 'List-Owner': '<mailto:dev-request@example.com>' } },
  {
    by: 'Mailchimp',
    headers: { 'List-Unsubscribe': '<https://example.com/u>', 'X-Campaign': 'mailchimp1', 'Feedback-ID': '1:2:mc' },
  },
  { by: 'Mandrill', headers: { 'X-MC-User': '1f' } },
  { by: 'SendGrid newsletter', headers: { 'Feedback-ID': '123:SG' } },
  { by: 'one-click newsletter', headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } },
  { by: 'newsletter, old', headers: { Precedence: 'Bulk' } },
  // Programs.
  { by: 'GitHub', from: 'notifications@github.com', headers: { 'List-ID': 'a/b <b.a.github.com>' } },
  { by: 'Jira', from: 'jira@example.com', headers: { 'Auto-Submitted': 'auto-generated', Precedence: 'bulk' } },
  { by: 'GitLab', from: 'gitlab@example.com', headers: { 'X-GitLab-NotificationReason': 'mentioned' } },
  { by: 'cron', from: 'root@server.example.com', headers: { 'X-Cron-Env': '<SHELL=/bin/sh>' } },
  { by: 'shop', from: 'no-reply@shop.example' },
  { by: 'bank', from: 'donotreply.alerts@bank.example' },
  {
    by: 'calendar answer',
    types: ['multipart/alternative; boundary=b', 'text/plain', 'text/calendar; charset=utf-8; method=REPLY'],
  },
  { by: 'ticket system', headers: { 'X-Auto-Reply': 'ticket opened', 'Auto-Submitted': 'auto-generated' } },
  // Ourselves, and what a filter marked.
  { by: 'this installation, as an address', from: 'Team+abc@mail.atrium.example' },
  { by: 'this installation, sent back', id: '<tok@mail.atrium.example>' },
  { by: 'spam by SpamAssassin', headers: { 'X-Spam-Flag': 'YES', 'X-Spam-Status': 'Yes, score=9.1' } },
  { by: 'virus by Amazon', verdicts: { spam: 'PASS', virus: 'FAIL' } },
]

test('60 kinds of automatic mail are all recognized', () => {
  assert.equal(automatic.length, 60)
  const missed = automatic.filter((mail) => automaticCause(received(mail), installation) === null)
  assert.deepEqual(
    missed.map(({ by }) => by),
    [],
  )
})

test('every header that proves a program suffices by itself', () => {
  const alone: [string, string][] = automatic.flatMap(({ headers = {} }) =>
    Object.entries(headers).filter(
      ([key]) => !/^(?:subject|in-reply-to|references|x-auto-response-suppress)$/i.test(key),
    ),
  )
  for (const [key, value] of alone)
    assert.notEqual(
      automaticCause(received({ by: key, headers: { [key]: value } }), installation),
      null,
      `${key}: ${value}`,
    )
})

test('judging hostile headers takes no time that grows faster than they do', () => {
  const factor = 8
  const hostile = (size: number): MailToJudge => ({
    ...received({ by: 'nobody', headers: answered }),
    headers: [
      ...Array.from({ length: 32 }, (_, i): [string, string] => [`x-${i}`, ' ,;"('.repeat(25 * size)]),
      ['subject', `auto${' '.repeat(12_500 * size)}`],
    ],
    contentTypes: Array.from({ length: 25 }, () => `text/calendar${' method'.repeat(60 * size)}`),
    senders: [`${'no-'.repeat(4_000 * size)}@example.com`],
  })
  const [long, short] = [hostile(factor), hostile(1)]
  assert.equal(automaticCause(long, installation), null)
  // Linear growth is 8, quadratic growth 64.
  const ratioMax = 24
  const judge = (mail: MailToJudge) => () => automaticCause(mail, installation)
  const ratio = durationRatio({ long: judge(long), short: judge(short) }, ratioMax)
  assert.ok(ratio <= ratioMax, `${ratio.toFixed(1)} times as long`)
})
