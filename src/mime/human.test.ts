import assert from 'node:assert/strict'
import { test } from 'node:test'
import { automaticCause, type MailToJudge } from './automatic.ts'

const installation = {
  isOwnAddress: (address: string) => address.endsWith('@mail.atrium.example'),
  isOwnMessageId: (id: string) => id.endsWith('@mail.atrium.example>'),
}

type Headers = Record<string, string>
type Written = { from?: string; envelope?: string | null; types?: string[]; id?: string | null; verdicts?: Headers }

function received(
  headers: Headers,
  { from = 'ana@example.com', envelope, types, id, verdicts }: Written = {},
): MailToJudge {
  return {
    headers: Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
    envelopeFrom: envelope === undefined ? from : envelope,
    senders: [from],
    messageId: id === undefined ? '<CAF7x@mail.example.com>' : id,
    contentTypes: types ?? ['text/plain'],
    verdicts: verdicts ?? {},
  }
}

const toUs = { 'In-Reply-To': '<tok@mail.atrium.example>' }

/** Mails of people, as their programs send them, beside what looks like a program's. */
const human: [why: string, headers: Headers, written?: Written][] = [
  ['Gmail', { 'MIME-Version': '1.0', 'X-Gm-Message-State': 'AOJu0' }],
  ['Gmail on Android', { 'X-Received': 'by 2002:a05' }],
  ['Gmail with confidential mode', { 'X-Google-DKIM-Signature': 'v=1' }],
  ['Outlook on the web', { 'X-MS-Has-Attach': '', 'Thread-Index': 'AdX', 'x-ms-exchange-senderadcheck': '1' }],
  ['Outlook, which suppresses answers of absent people', { 'X-Auto-Response-Suppress': 'DR, OOF, AutoReply' }],
  ['Outlook with a request for a receipt', { 'Disposition-Notification-To': 'ana@example.com' }],
  ['Outlook for Mac', { 'User-Agent': 'Microsoft-MacOutlook/16.80' }],
  ['Outlook for iOS', { 'X-Mailer': 'Outlook for iOS' }],
  ['Exchange, marked as no spam', { 'X-MS-Exchange-Organization-SCL': '-1', 'X-Forefront-Antispam-Report': 'SCL:1' }],
  ['Apple Mail', { 'X-Mailer': 'Apple Mail (2.3774)' }],
  ['iPhone', { 'X-Mailer': 'iPhone Mail (21A350)' }],
  ['Thunderbird', { 'User-Agent': 'Mozilla Thunderbird' }],
  ['mutt', { 'User-Agent': 'Mutt/2.2' }],
  ['Emacs', { 'User-Agent': 'Gnus/5.13' }],
  ['mail(1) of a person', {}, { id: null }],
  ['Yahoo', { 'X-Mailer': 'WebService/1.1 YMailNorrin' }],
  ['Proton', { 'X-Pm-Message-Id': 'x' }],
  ['Zoho', { 'X-Mailer': 'Zoho Mail' }],
  ['Lotus Notes', { 'X-MIMETrack': 'Serialize by Router' }],
  ['GroupWise', { 'X-Mailer': 'Novell GroupWise' }],
  ['Roundcube', { 'User-Agent': 'Roundcube Webmail/1.6' }],
  ['WEB.DE', { 'X-UI-Sender-Class': 'x' }],
  ['QQ Mail', { 'X-QQ-MIME': 'TCMime' }],
  ['Superhuman', { 'X-Mailer': 'Superhuman Desktop' }],
  ['a person through a help desk', { 'X-Mailer': 'Front (1.0)' }],
  ['says that it was written by hand', { 'Auto-Submitted': 'no' }],
  ['says it with a comment', { 'Auto-Submitted': 'No (by hand)' }],
  ['normal precedence', { Precedence: 'normal' }],
  ['first-class precedence', { Precedence: 'first-class' }],
  ['special delivery', { Precedence: 'special-delivery' }],
  ['high priority', { 'X-Priority': '1', Importance: 'high' }],
  ['a reply to us', toUs],
  ['a reply with references alone', { References: '<a@example.com> <tok@mail.atrium.example>' }],
  ['a reply to an automatic reply', { ...toUs, Subject: 'Re: Automatic reply: Notes' }],
  ['a reply in German to one', { ...toUs, Subject: 'AW: Automatische Antwort: Notes' }],
  ['asks about an absence', { Subject: 'Out of office: who covers for Ben?' }],
  ['asks about an absence in a reply', { ...toUs, Subject: 'Re: Who is out of office on Friday?' }],
  ['writes of cars in a reply', { ...toUs, Subject: 'Autos: which model?' }],
  ['writes of automation in a reply', { ...toUs, Subject: 'Automatic replies in our help desk' }],
  ['asks about a bounce', { Subject: 'Fwd: Undeliverable: Notes' }],
  ['asks about a newsletter', { Subject: 'Can we unsubscribe from this list?' }],
  ['forwards a newsletter as an attachment', {}, { types: ['multipart/mixed; boundary=b', 'message/rfc822'] }],
  ['forwards a text about reports', { Subject: 'multipart/report' }],
  ['sends an invitation', {}, { types: ['multipart/mixed; boundary=b', 'text/calendar; method=REQUEST'] }],
  ['sends a calendar file', {}, { types: ['multipart/mixed; boundary=b', 'text/calendar; name="reply.ics"'] }],
  ['checked for spam and clean', { 'X-Spam-Flag': 'NO', 'X-Spam-Status': 'No, score=0.1 tests=DKIM_VALID' }],
  ['checked by rspamd', { 'X-Spamd-Result': 'default: False [1.0 / 15.0]', 'X-Spam': 'No' }],
  ['checked by Amazon', {}, { verdicts: { spam: 'PASS', virus: 'PASS', dkim: 'FAIL' } }],
  ['checked by Mailgun', { 'X-Mailgun-Sflag': 'No', 'X-Mailgun-Sscore': '0.1' }],
  ['checked for viruses', { 'X-Virus-Scanned': 'ClamAV at mx.example.com', 'X-Virus-Status': 'Clean' }],
  ['forwarded with SRS', {}, { envelope: 'SRS0=xYz=AB=example.com=ana@forwarder.example' }],
  ['sent with BATV', {}, { envelope: 'prvs=0123456789=ana@example.com' }],
  ['the provider tells no envelope', {}, { envelope: null }],
  ['sent through Amazon SES', { 'X-SES-Outgoing': '2026.06.12' }, { envelope: '0100018f-000000@amazonses.com' }],
  ['named like a daemon', {}, { from: 'anna.daemon@example.com' }],
  ['named like an answer', {}, { from: 'noreen.replinger@example.com' }],
  ['named like a list', {}, { from: 'lister@example.com' }],
  ['a shared mailbox', {}, { from: 'info@example.com' }],
  ['a support mailbox', {}, { from: 'support@example.com' }],
  ['a desk for returns', {}, { from: 'return-desk@example.com', envelope: 'returns@example.com' }],
]

test('60 kinds of mails of people all count as such', () => {
  assert.equal(human.length, 60)
  const missed = human.flatMap(([why, headers, written]) => {
    const cause = automaticCause(received(headers, written), installation)
    return cause === null ? [] : [`${why}: ${cause}`]
  })
  assert.deepEqual(missed, [])
})
