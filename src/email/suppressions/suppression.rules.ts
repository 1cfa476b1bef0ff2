import type { Owner } from '../configs/config.rules.ts'

export const suppressionReasons = ['bounce', 'delivery_failures', 'complaint', 'unsubscribed', 'manual'] as const
export type SuppressionReason = (typeof suppressionReasons)[number]

/** An address that gets no mail of the tenant. */
export type Suppression = Owner & {
  id: string
  address: string
  reason: SuppressionReason
  /** Null: for ever. */
  until: Date | null
  createdAt: Date
}

const dayMs = 24 * 60 * 60 * 1000

/** So many failures of delivery within this time, and the address rests for as long. */
export const failures = { count: 5, withinMs: 14 * dayMs }

const stopWords = ['stop', 'unsubscribe']

/** Whether somebody asks for no more mails: with the first line of their words, which says no more than that. */
export function asksToStop(replyText: string): boolean {
  const line = /^\s{0,100}([^\r\n]{0,40})(?:[\r\n]|$)/.exec(replyText)?.[1] ?? ''
  return stopWords.includes(line.toLowerCase().replace(/[\s.!"'*]+/g, ''))
}
