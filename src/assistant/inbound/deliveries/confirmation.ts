import { Unprocessable } from '../processing.ts'

/** Asks for an address once, which tells its owner that what it asked for is wanted. Refuses to ask anywhere else. */
export type Confirm = (url: string) => Promise<void>

const timeoutMs = 10_000
// Where Amazon's own verification looks for certificates, too.
const snsHost = /^sns\.[a-z0-9-]{3,30}\.amazonaws\.com(?:\.cn)?$/

/** Of Amazon SNS alone: any other address in a signed message is not asked for, and no redirect is followed. */
export const confirmAtSns: Confirm = async (text) => {
  const url = URL.parse(text)
  const isSns =
    url !== null &&
    url.protocol === 'https:' &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    snsHost.test(url.hostname)
  if (!isSns) throw new Unprocessable('The address to confirm at is not one of Amazon SNS.')
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`Amazon SNS answered ${answer.status}.`)
}
