import type { Meeting } from '../meetings/meeting.rules.ts'
import type { AnswerFallbackReason, Citation } from './answer.schema.ts'

export type Question = { meeting: Meeting; text: string; userId: string }

/** A part of an answer and the entries it rests on. */
export type AnswerPart = { text: string; citations: Citation[] }

export type Answer = {
  found: boolean
  parts: AnswerPart[]
  engine: 'local' | 'llm'
  /** Why the local engine answered although a model is configured. */
  fallbackReason: AnswerFallbackReason | null
}
