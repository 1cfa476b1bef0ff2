import { isLasting, type MailboxCause } from '../configs/mailbox-health.rules.ts'

const minuteMs = 60_000

/** The wait after so many failures in a row: doubled each time. */
export function retryMs(cause: MailboxCause, failures: number): number {
  const [first, longest] = isLasting(cause) ? [5 * minuteMs, 360 * minuteMs] : [minuteMs / 2, 30 * minuteMs]
  return Math.min(first * 2 ** Math.min(failures - 1, 20), longest)
}

const headBytesMax = 64 * 1024

/** The envelope sender, which the last server writes above the mail (RFC 5321 section 4.4). Empty for a bounce; null: not known. */
export function returnPath(bytes: Buffer): string | null {
  const head = bytes.subarray(0, headBytesMax).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length
  return /^Return-Path:[ \t]{0,10}<?([^\s<>]{0,320})>?[ \t]{0,10}\r?$/im.exec(head.slice(0, end))?.[1] ?? null
}
