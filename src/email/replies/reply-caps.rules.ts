import { sha256Digest } from '../../kernel/checksum.ts'
import type { Replies } from '../configs/config.rules.ts'

/** `windowStart`: when the hour or day began in which at most `max` answers are sent by themselves. */
export type ReplyCap = { kind: 'day' | 'thread' | 'sender'; subject: string; windowStart: Date; max: number }

type Capped = {
  mail: { id: string; threadId: string | null; from: string }
  ownerId: string
  replies: Pick<Replies, 'perDay' | 'perThreadDay' | 'perSenderHour'>
  now: Date
}

const hourMs = 3600 * 1000
const windowStart = (now: Date, lengthMs: number) => new Date(Math.floor(now.getTime() / lengthMs) * lengthMs)

export function replyCaps({ mail, ownerId, replies, now }: Capped): ReplyCap[] {
  const [hour, day] = [windowStart(now, hourMs), windowStart(now, 24 * hourMs)]
  const sender = sha256Digest(mail.from).toString('base64url')
  return [
    { kind: 'day', subject: ownerId, windowStart: day, max: replies.perDay },
    { kind: 'thread', subject: mail.threadId ?? mail.id, windowStart: day, max: replies.perThreadDay },
    { kind: 'sender', subject: sender, windowStart: hour, max: replies.perSenderHour },
  ]
}
