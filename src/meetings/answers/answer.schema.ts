import type { Static } from 'typebox'
import { modelFailureReasons } from '../../ai/model-failure.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { OffsetAnswer } from '../entries/entry.schema.ts'

/** `NOTHING_FOUND`: no passage fits the question, so the model was not asked. */
export const answerFallbackReasons = [...modelFailureReasons, 'NOTHING_FOUND'] as const
export type AnswerFallbackReason = (typeof answerFallbackReasons)[number]

export const CitationAnswer = StrictObject({
  seq: Type.Integer({ description: 'The number of the entry.', examples: [12] }),
  speaker: Type.String({ examples: ['Ada Lovelace'] }),
  ...OffsetAnswer,
  quote: Type.String({ examples: ['I will send the figures by Friday.'] }),
})
export type Citation = Static<typeof CitationAnswer>
