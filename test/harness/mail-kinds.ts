import type { Installation, MailToJudge } from '../../src/mime/automatic.ts'

export type MailKind = {
  /** Who sent it, or why it may look like a program's. */
  by: string
  from?: string
  envelope?: string | null
  headers?: Record<string, string>
  types?: string[]
  verdicts?: Record<string, string>
  /** Null: it has no Message-ID. */
  id?: string | null
}

export const kindsInstallation: Installation = {
  isOwnAddress: (address) => address.toLowerCase().endsWith('@mail.atrium.example'),
  isOwnMessageId: (id) => id.endsWith('@mail.atrium.example>'),
}

/** The mail as it is when it was read. */
export function judgedKind(kind: MailKind): MailToJudge {
  const { headers = {}, types = ['text/plain'] } = kind
  return {
    ...outside(kind),
    headers: Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
    subject: headers['Subject'] ?? '',
    senders: [sender(kind)],
    messageId: messageId(kind),
    contentTypes: types,
  }
}

const sender = ({ from = 'ana@example.com' }: MailKind): string => from
const messageId = ({ id = '<CAF7x@mail.example.com>' }: MailKind): string | null => id

/** What is known beside the bytes of a mail. */
export function outside(kind: MailKind) {
  const { envelope = sender(kind), verdicts = {} } = kind
  return { envelopeFrom: kind.envelope === undefined ? sender(kind) : envelope, verdicts }
}

/** Its bytes, as they are on the way. */
export function rawKind(kind: MailKind): Buffer {
  const [type = 'text/plain', ...parts] = kind.types ?? []
  const isMultipart = type.startsWith('multipart/')
  const whole = isMultipart && !type.includes('boundary=') ? `${type}; boundary=b` : type
  const id = messageId(kind)
  const lines = [
    `From: ${sender(kind)}`,
    'To: team@mail.atrium.example',
    ...(id === null ? [] : [`Message-ID: ${id}`]),
    ...Object.entries(kind.headers ?? {}).map(([name, value]) => `${name}: ${onTheWay(value)}`),
    ...['MIME-Version: 1.0', `Content-Type: ${whole}`, ''],
    ...(isMultipart ? [...parts.flatMap((one) => ['--b', `Content-Type: ${one}`, '', contentOf(one)]), '--b--'] : []),
    ...(isMultipart ? [] : ['Where are the slides?']),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}

const contentOf = (type: string): string =>
  type.startsWith('text/calendar') ? 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' : 'Subject: Slides\r\n\r\nWhere are the slides?'

/** Letters beside ASCII are sent as an encoded word (RFC 2047). */
const onTheWay = (value: string): string =>
  /^[\x20-\x7e]*$/.test(value) ? value : `=?utf-8?B?${Buffer.from(value).toString('base64')}?=`

const answered = { 'In-Reply-To': '<x@mail.atrium.example>' }
const report = ['multipart/report; report-type=delivery-status; boundary=b', 'message/delivery-status']

/** Mails of programs. */
export const automaticMails: MailKind[] = [
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

const toUs = { 'In-Reply-To': '<tok@mail.atrium.example>' }

/** Mails of people, as their programs send them, beside what looks like a program's. */
const human: [by: string, headers: Record<string, string>, rest?: Omit<MailKind, 'by' | 'headers'>][] = [
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

/** Mails of people. */
export const humanMails: MailKind[] = human.map(([by, headers, rest]) => ({ by, headers, ...rest }))
