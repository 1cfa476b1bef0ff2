import type { TenantScope } from '../../storage/scope.ts'
import type { AnswerReader } from './audience.rules.ts'

/** Where a quote stands. */
export type CitedPlace = {
  kind: 'document' | 'meeting'
  itemId: string
  version: number
  place: number
  start: number
  end: number
}

export type KnowledgeQuote = CitedPlace & {
  quote: string
  title: string
  page: number | null
  headings: string[]
  speaker: string | null
  timestamp: string | null
}

export type DraftedAnswer = {
  found: boolean
  engine: 'local' | 'llm'
  /** `text`: as a model wrote it. Null: the quote itself. */
  parts: { text: string | null; quotes: KnowledgeQuote[] }[]
}

export type AskedForReader = {
  orgId: string
  reader: AnswerReader
  question: string
  userId: string | null
  meetingId: string | null
}

/**
 * What mail asks of the knowledge base. Written out here: it knows organizations, which send their invitations by mail, so a type of
 * its own would make the imports run in a circle.
 */
export type AnswersForReaders = {
  /** The answer, and after one of a model what takes its place. Refuses USAGE_EXCEEDED and UNAVAILABLE. */
  find(scope: TenantScope, asked: AskedForReader): Promise<readonly DraftedAnswer[]>
  /** The same without counting it, by quotes alone. */
  preview(scope: TenantScope, asked: AskedForReader): Promise<readonly DraftedAnswer[]>
  /** What the places say now, as the reader may read them; null for what is gone. They are held until the transaction ends. */
  hold(
    tx: TenantScope,
    readers: { orgId: string; reader: AnswerReader },
    places: readonly CitedPlace[],
  ): Promise<(KnowledgeQuote | null)[]>
}
