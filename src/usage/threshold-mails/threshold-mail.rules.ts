import { type LimitEffect, type LimitedName, meterOfLimit, meters } from '../meters/meter.rules.ts'
import type { ReachedThreshold } from '../meters/threshold.service.ts'

export type ThresholdText = { subject: string; paragraphs: string[] }

/** What is counted, as in `of 200 meetings`. */
const nouns: Record<LimitedName, string> = {
  meetings: 'meetings',
  transcriptWords: 'words in transcripts',
  modelTokens: 'tokens of the language model',
  modelTokensPerDay: 'tokens of the language model',
  asks: 'answered questions',
  documentPages: 'document pages',
  botMinutes: 'minutes of meeting bots',
  storageBytes: 'bytes of storage',
  documents: 'documents',
  vpnSessions: 'VPN sessions',
  vpnBytes: 'bytes through the VPN',
  webhookDeliveries: 'webhook deliveries',
  mails: 'mails',
  apiCalls: 'API requests',
  summaries: 'summaries',
  transcriptMinutes: 'minutes of transcripts',
}

/** What is refused at a limit. Of others nothing is. */
const refused: Partial<Record<LimitedName, string>> = {
  meetings: 'no more meetings can be created',
  transcriptWords: 'no more transcripts can be imported or begun; an active meeting continues to its end',
  asks: 'no more questions are answered',
  documentPages: 'no more document pages are read; documents that wait fail, and can be tried again in the next window',
  botMinutes: 'no more bots can be sent to meetings, and those in a meeting leave a minute later',
  vpnBytes: 'no new VPN sessions can be started; open ones stay',
}

/** `subject`: the name of the organization, or the address of the user; null for the tenant, and for who is gone. */
type WhoseLimit = { subject: string | null; isOfEachUser: boolean }

export function thresholdText(
  { counter, window, percent }: ReachedThreshold,
  { subject, isOfEachUser }: WhoseLimit,
): ThresholdText {
  const { limitedName, scope, used, limit, effect } = counter
  const noun = nouns[limitedName]
  const owner = { tenant: 'Your tenant', org: 'The organization', user: 'The user' }[scope]
  const named = subject === null ? owner : `${owner} ${subject}`
  const when = window.span === 'day' ? 'today' : 'this month'
  const end = `${window.to} 00:00 UTC`
  const of = `${amount(used)} of ${amount(limit)} ${noun}`
  if (meters[meterOfLimit(limitedName).meter].kind === 'stock')
    return {
      subject: `${percent} % of the limit: ${noun}`,
      paragraphs: [
        `${named} stores ${of}, which is ${percent} % of the limit or more.`,
        limitSource(counter.plan, scope),
        'At 100 % nothing more can be stored. Nothing that is stored is taken away.',
      ],
    }
  return {
    subject: `${percent} % of the limit: ${noun}`,
    paragraphs: [
      `${named} has used ${of} ${when}, which is ${percent} % of the limit or more.`,
      isOfEachUser ? limitOfEachUser : limitSource(counter.plan, scope),
      `The ${window.span} ends at ${end}. ${consequence({ limitedName, effect, isReached: used >= limit })}`,
    ],
  }
}

const limitOfEachUser =
  'An administrator of your tenant has set this limit for each user. Others may have reached it, too: such a mail comes once a day.'

function limitSource(plan: string, scope: string): string {
  if (plan === 'OWN')
    return `An administrator of your tenant has set this limit for the ${scope === 'org' ? 'organization' : 'user'}.`
  if (plan === 'OVERRIDE') return 'This limit was set for your tenant, instead of that of its plan.'
  if (plan === 'DEFAULT') return 'This is the limit of the installation.'
  return `This is the limit of the plan ${plan}.`
}

function consequence({
  limitedName,
  effect,
  isReached,
}: {
  limitedName: LimitedName
  effect: LimitEffect
  isReached: boolean
}): string {
  const until = isReached ? 'Until then' : 'From 100 % on,'
  if (effect === 'FALL_BACK')
    return `${until} the service answers without the language model, with its own simpler engine. Nothing is refused.`
  if (effect === 'REFUSE') return `${until} ${refused[limitedName] ?? 'more is refused'}.`
  return 'Nothing is refused at 100 %. You are only told.'
}

/** 1234567 is 1,234,567. */
function amount(value: number): string {
  return value.toLocaleString('en-US')
}
