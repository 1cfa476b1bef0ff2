import { Unprocessable } from '../processing.ts'
import { isSubscribeUrl } from '../schemes/sns-message.ts'

/** Asks for an address once, which tells its owner that what it asked for is wanted. Refuses to ask anywhere else. */
export type Confirm = (url: string) => Promise<void>

const timeoutMs = 10_000

/** Of Amazon SNS alone: any other address in a signed message is not asked for, and no redirect is followed. */
export const confirmAtSns: Confirm = async (url) => {
  if (!isSubscribeUrl(url)) throw new Unprocessable('The address to confirm at is not one of Amazon SNS.')
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`Amazon SNS answered ${answer.status}.`)
}
