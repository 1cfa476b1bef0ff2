import { type Dovecot, hasSieve, startDovecot } from '../../harness/dovecot.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../../harness/mail-server.ts'
import { smtpConversation } from '../../harness/smtp-conversation.ts'
import type { Correspondent, Reaction } from './correspondents.ts'

type Account = { dovecot: Dovecot; outgoing: MailServer }

/** Answers each mail, however soon it comes after another. */
const vacation =
  'require ["vacation", "vacation-seconds"];\nvacation :seconds 0 "I am away. When does the venue open?";\n'
const always = ['sieve_extensions = +vacation-seconds', 'sieve_vacation_min_period = 0']

/** Accounts of a real mail server. Each is started with its first mail; `close` gets what ends it. */
export function sieveCorrespondents(address: string, close: (() => Promise<void>)[]): Record<string, Correspondent> {
  const account = (script: string, settings: string[]) => correspondent({ script, settings }, close)
  const withSender = 'sieve_vacation_send_from_recipient = yes'
  return {
    'Dovecot: vacation': account(vacation, always),
    'Dovecot: vacation with the sender in the envelope': account(vacation, [...always, withSender]),
    'Dovecot: as a person would, behind a gateway that removes marks': behindGateway(
      account(vacation.replace(':seconds 0', ':seconds 0 :subject "Re: Venue"'), [...always, withSender]),
    ),
    'Dovecot: all mail is redirected to us': account(`redirect "${address}";\n`, []),
  }
}

function correspondent(of: { script: string; settings: string[] }, close: (() => Promise<void>)[]): Correspondent {
  let started: Promise<Account> | null = null
  const start = async (): Promise<Account> => {
    if (!hasSieve) throw new Error('Install dovecot-imapd, dovecot-lmtpd and dovecot-sieve.')
    const outgoing = await startMailServer()
    const dovecot = await startDovecot('unused', { sieve: { ...of, smtpPort: outgoing.port } })
    close.push(dovecot.close, outgoing.close)
    return { dovecot, outgoing }
  }
  return {
    answersMax: 3,
    react: async (mail) => {
      started ??= start()
      return deliver(await started, mail)
    },
  }
}

const marks = /^(?:Auto-Submitted|X-Auto-Response-Suppress|Precedence):.*\r\n/gim

/** Neither side is told that the other is a program, and answers go to Reply-To. */
function behindGateway({ answersMax, react }: Correspondent): Correspondent {
  return {
    answersMax,
    react: async (mail, count) => {
      const raw = Buffer.from(mail.raw.toString('latin1').replace(marks, ''), 'latin1')
      const reactions = [await react({ ...mail, raw }, count)].flat()
      return reactions.map(({ from, lines }) => ({
        ...{ from, to: mail.headers['reply-to'] ?? '' },
        lines: lines.join('\r\n').replace(marks, '').split('\r\n'),
      }))
    },
  }
}

/** What the account sends because of a mail, when the server has taken it. */
async function deliver({ dovecot, outgoing }: Account, { from, to, raw }: ReceivedMail): Promise<Reaction[]> {
  const before = outgoing.received.length
  const data = raw
    .toString('latin1')
    .replace(/\r\n\./g, '\r\n..')
    .trimEnd()
  const said = ['LHLO mx.corr.example', `MAIL FROM:<${from}>`, `RCPT TO:<${to[0]}>`, 'DATA', `${data}\r\n.`]
  const answers = await smtpConversation(dovecot.lmtpPort, said, 'latin1')
  if (!answers.at(-1)?.startsWith('250')) throw new Error(answers.join('\n'))
  return outgoing.received.slice(before).map((sent) => ({
    ...{ from: sent.from, to: sent.to[0] ?? '' },
    lines: sent.raw.toString().split('\r\n'),
  }))
}
