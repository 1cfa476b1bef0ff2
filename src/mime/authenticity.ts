import { Readable } from 'node:stream'
import { withTimeout } from '../kernel/with-timeout.ts'
import { readInSteps } from './read-in-steps.ts'

/** Asks name servers. Rejects with `code` ENOTFOUND or ENODATA where there is no record. */
export type ResolveRecords = (name: string, type: string) => Promise<string[] | string[][]>

/** Who delivered a mail to us as the mail server of its recipient. */
export type SmtpClient = { ip: string; helo: string }

export type MailEnvelope = {
  /** Empty for a bounce. Null: not known. */
  from: string | null
  /** Null: another server took the mail before us, and SPF says nothing. */
  client: SmtpClient | null
}

export type CheckedMail = {
  /** `none`: the domain of the sender says nothing that can be checked. */
  authenticity: 'pass' | 'none' | 'fail'
  /** The domain that sealed the mail, if its ARC chain holds and it says that DMARC passed. */
  arcSealer: string | null
  /** The results of each check, for people. */
  verdicts: Record<string, string>
}

const timeoutMs = 20_000
/**
 * Checking takes longer the longer its lines and its headers are, in one piece: a body of one line of 25 MiB holds the event loop for
 * a second. No mail server takes lines of more than 998 bytes (RFC 5321, section 4.5.3.1.6), and Exchange writes 30 KB of headers.
 */
const lineBytesMax = 16 * 1024
const headerBytesMax = 64 * 1024
const headerLinesMax = 1000
/** Of DKIM and ARC. A mail that ten servers sealed has 30. */
const signaturesMax = 40
const isSignature = (line: string): boolean => /^(?:dkim-|arc-message-)signature:|^arc-seal:/i.test(line)
const unchecked: CheckedMail = { authenticity: 'none', arcSealer: null, verdicts: {} }

/**
 * Whether the domain of `From` has sent the mail, by DMARC (RFC 7489) on its bytes. Name servers that do not answer leave it at
 * `none`. Nothing in the mail makes it fail with an error.
 */
export async function checkAuthenticity(
  bytes: Buffer,
  { from, client }: MailEnvelope,
  { resolve, hostname }: { resolve: ResolveRecords; hostname: string },
): Promise<CheckedMail> {
  if (!isCheckable(bytes)) return unchecked
  const { authenticate } = await import('mailauth')
  const checking = authenticate(Readable.from(readInSteps(bytes)), {
    resolver: resolve,
    mta: hostname,
    sender: from ?? '',
    // Without an address SPF is left out.
    ...(client === null ? {} : { ip: client.ip, helo: client.helo }),
    disableBimi: true,
    rejectRsaSha1: true,
  })
  try {
    const { authenticity, arcSealer, verdicts } = judge(await withTimeout(timeoutMs, checking))
    const { spf = null, ...others } = verdicts
    return { authenticity, arcSealer, verdicts: client === null || spf === null ? others : verdicts }
  } catch {
    return unchecked
  }
}

function isCheckable(bytes: Buffer): boolean {
  const found = bytes.indexOf('\r\n\r\n')
  const headersEnd = found < 0 ? bytes.length : found
  if (headersEnd > headerBytesMax) return false
  const headers = bytes.toString('latin1', 0, headersEnd).split('\n')
  if (headers.length > headerLinesMax || headers.filter(isSignature).length > signaturesMax) return false
  // From the start of one line to the last line that starts within its limit: one step for each line would take 50 ms for 2 MiB of empty ones.
  for (let at = 0; bytes.length - at > lineBytesMax; ) {
    const end = bytes.lastIndexOf(10, at + lineBytesMax)
    if (end < at) return false
    at = end + 1
  }
  return true
}

type Result = Awaited<ReturnType<typeof import('mailauth')['authenticate']>>

function judge({ dmarc, dkim, spf, arc, dmarcSkipReason }: Result): CheckedMail {
  const verdicts: Record<string, string> = {
    ...(spf ? { spf: spf.status.result } : {}),
    dkim:
      dkim.results.find(({ status }) => status.result === 'pass')?.status.result ??
      dkim.results[0]?.status.result ??
      'none',
    dmarc: dmarc ? dmarc.status.result : 'none',
    ...(arc ? { arc: arc.status.result } : {}),
  }
  const isSealed = arc && arc.status.result === 'pass' && arc.authenticationResults?.['dmarc']?.result === 'pass'
  const arcSealer = isSealed && arc.signature ? (arc.signature.signingDomain?.toLowerCase() ?? null) : null
  // Two senders: a program shows one of them, and the check was of the other.
  if (dmarcSkipReason?.startsWith('multiple')) return { authenticity: 'fail', arcSealer: null, verdicts }
  if (!dmarc) return { authenticity: 'none', arcSealer, verdicts }
  if (dmarc.status.result === 'fail') return { authenticity: 'fail', arcSealer, verdicts }
  return { authenticity: isWhole(dmarc) ? 'pass' : 'none', arcSealer, verdicts }
}

/** A signature of a part of the body (`l=`) lets anybody add the rest. */
function isWhole({ status, alignment }: Exclude<Result['dmarc'], false>): boolean {
  if (status.result !== 'pass') return false
  return Boolean(alignment.spf.result) || !alignment.dkim.underSized
}
