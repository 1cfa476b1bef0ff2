import type { ReceivedMail } from '../../harness/mail-server.ts'

/** What comes back from somebody to whom a mail went. */
export type Reaction = { from: string; to: string; lines: string[] }
export type Correspondent = {
  /** How many mails in a thread may be sent to it by themselves. */
  answersMax: number
  react(mail: ReceivedMail, count: number): Reaction | Promise<Reaction[]>
}

const addressIn = (header: string | undefined): string => /<([^<>]+)>/.exec(header ?? '')?.[1] ?? header ?? ''
const answerTo = ({ headers }: ReceivedMail): string => addressIn(headers['reply-to'] ?? headers['from'])
const threaded = ({ headers }: ReceivedMail): string[] => [
  `In-Reply-To: ${headers['message-id']}`,
  `References: ${headers['message-id']}`,
]
const head = (mail: ReceivedMail, subject: string): string[] => [
  `From: Vera <${mail.to[0]}>`,
  `To: ${answerTo(mail)}`,
  `Subject: ${subject}`,
]
const question = 'I am away. When does the venue open?'

/** Automatic correspondents, as standards want them and as they are. */
export const correspondents: Record<string, Correspondent> = {
  'vacation by RFC 3834': {
    answersMax: 0,
    react: (mail) => ({
      ...{ from: '', to: mail.from },
      lines: [...head(mail, 'Auto: Venue'), 'Auto-Submitted: auto-replied (vacation)', ...threaded(mail), '', question],
    }),
  },
  'vacation that says it by its subject alone': {
    answersMax: 0,
    react: (mail, count) => ({
      ...{ from: mail.to[0] ?? '', to: answerTo(mail) },
      lines: [...head(mail, 'Out of office: Venue'), ...threaded(mail), '', `${question} (${count})`],
    }),
  },
  'vacation without any mark, always in the same words': {
    answersMax: 1,
    react: (mail) => ({
      ...{ from: mail.to[0] ?? '', to: answerTo(mail) },
      lines: [...head(mail, 'Re: Venue'), ...threaded(mail), '', question],
    }),
  },
  'vacation without any mark, always in other words': {
    answersMax: 3,
    react: (mail, count) => ({
      ...{ from: mail.to[0] ?? '', to: answerTo(mail) },
      lines: [...head(mail, 'Re: Venue'), ...threaded(mail), '', `Ticket ${count} was opened. ${question}`],
    }),
  },
  'a program that begins a conversation each time': {
    answersMax: 3,
    react: (mail, count) => ({
      ...{ from: mail.to[0] ?? '', to: answerTo(mail).replace(/\+[a-z2-7]{26}@/, '@') },
      lines: [...head(mail, `Ticket ${count}`), '', `Ticket ${count} was opened. ${question}`],
    }),
  },
  'a bounce by RFC 3464': {
    answersMax: 0,
    react: (mail) => ({
      ...{ from: '', to: mail.from },
      lines: [
        ...['From: MAILER-DAEMON@corr.example', `To: ${mail.from}`, 'Subject: Undelivered', 'MIME-Version: 1.0'],
        ...[
          'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
          '',
          '--b',
          '',
          'Unknown.',
          '--b',
        ],
        ...['Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; corr.example', ''],
        ...[`Final-Recipient: rfc822; ${mail.to[0]}`, 'Action: failed', 'Status: 5.1.1', '--b--'],
      ],
    }),
  },
  'a bounce in plain words, to the sender': {
    answersMax: 0,
    react: (mail) => ({
      ...{ from: 'postmaster@corr.example', to: answerTo(mail) },
      lines: ['From: postmaster@corr.example', 'Subject: Failure', '', `Nobody has this address. ${question}`],
    }),
  },
  'a bounce in plain words, by a person of the domain': {
    answersMax: 0,
    react: (mail) => ({
      ...{ from: 'help@corr.example', to: answerTo(mail) },
      lines: ['From: Help <help@corr.example>', 'Subject: Failure', ...threaded(mail), '', `Unknown. ${question}`],
    }),
  },
}
