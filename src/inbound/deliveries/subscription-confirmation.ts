import { Unprocessable } from '../processing.ts'
import { isSubscribeUrl } from '../schemes/sns-message.ts'

/** Requests the address that a provider sent to confirm a subscription. */
export type ConfirmSubscription = (url: string) => Promise<void>

const timeoutMs = 10_000

/** Only at Amazon SNS: other addresses in a signed message are not requested, and no redirect is followed. */
export const confirmSnsSubscription: ConfirmSubscription = async (url) => {
  if (!isSubscribeUrl(url))
    throw new Unprocessable('The address that confirms the subscription is not one of Amazon SNS.')
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`Amazon SNS answered ${answer.status}.`)
}
