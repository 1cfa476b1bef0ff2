import type { Meeting } from '../meetings/meeting.rules.ts'
import type { AnswerFallbackReason, Citation } from './answer.schema.ts'

export type Question = { meeting: Meeting; text: string }

/** A piece of an answer, and what of the transcript it rests on. */
export type AnswerPart = { text: string; citations: Citation[] }

export type Answer = {
  found: boolean
  parts: AnswerPart[]
  engine: 'local' | 'llm'
  /** Why the local engine answered although there is a model. */
  fallbackReason: AnswerFallbackReason | null
}
