import type { Json } from '../json.ts'
import { valueAt } from '../json.ts'
import { type IgnoredDelivery, ignored, type MailReport } from './normalized-delivery.ts'
import { listAt, oneLine } from './payload.ts'

const addressesMax = 50

/** https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html and, with `eventType`, event-publishing-retrieving-sns-contents.html */
export function readSesReport(notice: Json, kind: string | null): MailReport | IgnoredDelivery {
  const mail = valueAt(notice, 'mail')
  const headers = listAt(valueAt(mail, 'headers'), 500).filter(
    (header) => oneLine(valueAt(header, 'name'), 200)?.toLowerCase() === 'message-id',
  )
  const of = {
    envelopeFrom: oneLine(valueAt(mail, 'source'), 320),
    messageIds: [
      ...headers.map((header) => valueAt(header, 'value')),
      valueAt(mail, 'commonHeaders', 'messageId'),
    ].flatMap((id) => oneLine(id, 1000) ?? []),
  }
  if (kind === 'Bounce') {
    const isForGood = oneLine(valueAt(notice, 'bounce', 'bounceType'), 50) === 'Permanent'
    const addresses = addressesAt(valueAt(notice, 'bounce', 'bouncedRecipients'), 'emailAddress')
    return report(isForGood ? 'rejected' : 'deferred', addresses, of)
  }
  if (kind === 'Complaint') {
    if (oneLine(valueAt(notice, 'complaint', 'complaintFeedbackType'), 50) === 'not-spam')
      return ignored('Somebody said that a mail is no spam.')
    return report('complaint', addressesAt(valueAt(notice, 'complaint', 'complainedRecipients'), 'emailAddress'), of)
  }
  return ignored(`Nothing is done for ${kind ?? 'a notification without a type'}.`)
}

/** By https://postmarkapp.com/developer/api/bounce-api#bounce-types. Others say nothing of the address. */
const postmarkTypes = new Map<string, MailReport['what']>([
  ['HardBounce', 'rejected'],
  ['BadEmailAddress', 'rejected'],
  ['SoftBounce', 'deferred'],
  ['DnsError', 'deferred'],
  ['SpamNotification', 'complaint'],
  ['SpamComplaint', 'complaint'],
])

/** https://postmarkapp.com/developer/webhooks/bounce-webhook, and its SpamComplaint, which has the same members. */
export function readPostmarkReport(payload: Json, record: string): MailReport | IgnoredDelivery {
  const type = oneLine(valueAt(payload, 'Type'), 100) ?? record
  const what = postmarkTypes.get(record === 'SpamComplaint' ? record : type)
  if ((record !== 'Bounce' && record !== 'SpamComplaint') || what === undefined)
    return ignored(`Nothing is done for ${record === 'Bounce' ? type : record}.`)
  const address = oneLine(valueAt(payload, 'Email'), 320)
  return report(what, address === null ? [] : [address], { envelopeFrom: null, messageIds: [] })
}

function report(
  what: MailReport['what'],
  addresses: string[],
  of: Pick<MailReport, 'envelopeFrom' | 'messageIds'>,
): MailReport | IgnoredDelivery {
  return addresses.length === 0
    ? ignored('The report names no address.')
    : { kind: 'email.report', what, addresses, ...of }
}

function addressesAt(value: Json | undefined, member: string): string[] {
  return listAt(value, addressesMax).flatMap((one) => bareAddress(oneLine(valueAt(one, member), 400) ?? '') ?? [])
}

/** Amazon SES repeats what was sent, such as `Ana <ana@example.com>`. */
function bareAddress(text: string): string | null {
  return /<([^<>]{3,320})>\s{0,5}$/.exec(text)?.[1] ?? (text === '' ? null : text)
}
