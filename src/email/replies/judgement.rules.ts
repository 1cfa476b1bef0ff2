import type { AutomaticCause } from '../../mime/automatic.ts'
import type { Replies } from '../configs/config.rules.ts'
import { audienceOf, type Sender } from './audience.rules.ts'
import type { ReplyCause, Trace, TraceLine, TraceStep } from './trace.rules.ts'

/** A received mail, as far as it decides whether it is answered. */
export type JudgedMail = {
  /** Null: it could be read. */
  quarantine: string | null
  authenticity: 'pass' | 'none' | 'fail'
  automatic: AutomaticCause | null
  asksToStop: boolean
  /** Why its sender gets no mail. */
  suppression: string | null
  /** Whether it reached an address of the organization or the tenant. */
  isAddressed: boolean
  /** In a thread whose people do not include the sender. */
  isStranger: boolean
  isRepeated: boolean
  hasQuestion: boolean
}

type Judged = { mail: JudgedMail; sender: Sender; replies: Replies }

type Check = {
  step: TraceStep
  passed: string
  stops?: [ReplyCause, string] | false
  holds?: [ReplyCause, string] | false
}

/**
 * What can be said before anything is searched: one line for each step, until one stops. Costs nothing, so that mails that are not
 * answered cost nothing.
 */
export function judge({ mail, sender, replies }: Judged): Trace {
  const trace: TraceLine[] = []
  for (const check of checks({ mail, sender, replies })) {
    const line = toLine(check)
    trace.push(line)
    if (line.result === 'stopped') break
  }
  return trace
}

function toLine({ step, passed, stops, holds }: Check): TraceLine {
  if (stops) return { step, result: 'stopped', cause: stops[0], detail: stops[1] }
  if (holds) return { step, result: 'held', cause: holds[0], detail: holds[1] }
  return { step, result: 'passed', cause: null, detail: passed }
}

function checks({ mail, sender, replies }: Judged): Check[] {
  const { authenticity, automatic, suppression, quarantine } = mail
  const audience = audienceOf(sender, replies)
  return [
    {
      step: 'parsed',
      passed: 'The mail could be read.',
      stops: quarantine !== null && ['QUARANTINED', `The mail is kept aside: ${quarantine}.`],
    },
    {
      step: 'authentic',
      passed: 'The domain of the sender confirms the mail.',
      stops: authenticity === 'fail' && [
        'NOT_AUTHENTIC',
        'The domain of the sender says that the mail is not from it.',
      ],
      holds: authenticity === 'none' && ['UNPROVEN_SENDER', 'Nothing proves the sender, so a person has to decide.'],
    },
    {
      step: 'automatic',
      passed: 'A person may have written it.',
      stops: automatic !== null && ['AUTOMATIC', `A program has written it (${automatic}).`],
    },
    {
      step: 'suppressed',
      passed: 'The sender may get mails.',
      stops:
        (mail.asksToStop && ['ASKED_TO_STOP', 'The sender wants no more mails.']) ||
        (suppression !== null && ['SUPPRESSED', `The sender gets no mails (${suppression}).`]),
    },
    {
      step: 'addressed',
      passed: 'It was sent to an address of this installation.',
      stops: !mail.isAddressed && ['NOT_ADDRESSED', 'It reached no address of an organization or a tenant.'],
    },
    {
      step: 'threaded',
      passed: 'The sender belongs to the conversation.',
      stops: mail.isStranger && ['STRANGER_IN_THREAD', 'The sender does not belong to the conversation.'],
    },
    {
      step: 'allowed',
      passed: `The sender counts as: ${audience ?? 'nobody'}.`,
      stops:
        (replies.mode === 'off' && ['MODE_OFF', 'Answers are switched off.']) ||
        (audience === null && ['SENDER_NOT_ALLOWED', 'The sender is not among those who get answers.']) ||
        (!mail.hasQuestion && ['NO_QUESTION', 'The mail holds no words of its own.']),
    },
    {
      step: 'quota',
      passed: 'It does not repeat an earlier mail.',
      stops: mail.isRepeated && ['REPEATED', 'The same words came before in this conversation.'],
    },
  ]
}
