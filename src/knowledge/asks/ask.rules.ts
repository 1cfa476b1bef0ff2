import type { CitedPlace } from '../search/passage.rules.ts'
import type { AskFallbackReason } from './ask.schema.ts'

export type AskPart = {
  /** As a model wrote it. Null: the quote itself. */
  text: string | null
  /** Indexes into the citations. */
  citations: number[]
}

/** An answered question, as it is kept. */
export type Ask = {
  id: string
  orgId: string
  userId: string
  question: string
  found: boolean
  engine: 'local' | 'llm'
  model: string | null
  fallbackReason: AskFallbackReason | null
  corrected: Record<string, string>
  searched: { documents: number; meetings: number; waiting: number }
  createdAt: Date
  parts: AskPart[]
  citations: CitedPlace[]
  /** Shown where nothing was found. */
  closest: CitedPlace[]
}

export type AskFeedback = { helpful: boolean; comment: string | null }
export type KeptAsk = Ask & { feedback: AskFeedback | null }

const askRetentionMs = 30 * 24 * 60 * 60 * 1000

/** Older answers are shown to nobody, and deleted the next night. */
export const asksKeptSince = (now: Date): Date => new Date(now.getTime() - askRetentionMs)

const nothingFound = 'Nothing that you may read answers this question.'

export type QuotedPart = { text: string | null; numbers: number[]; quotes: string[] }

/** The whole answer as text, with the numbers of what it quotes. */
export function answerText(parts: readonly QuotedPart[]): string {
  if (parts.length === 0) return nothingFound
  return parts
    .map(({ text, numbers, quotes }) => `${text ?? `“${quotes[0] ?? ''}”`} ${numbers.map((n) => `[${n}]`).join('')}`)
    .join(' ')
}
