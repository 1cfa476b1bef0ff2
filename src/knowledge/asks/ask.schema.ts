import type { Static } from 'typebox'
import { modelFailureReasons } from '../../ai/model-failure.ts'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { Corrected, filterFields, placeFields, Searched } from '../search/search.schema.ts'

/** `NOTHING_FOUND`: no passage fits the question, so the model was not asked. */
export const askFallbackReasons = [...modelFailureReasons, 'NOTHING_FOUND'] as const
export type AskFallbackReason = (typeof askFallbackReasons)[number]

const Question = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '\\S',
  examples: ['How long do we keep the audit log?'],
})

export const AskBody = StrictObject({
  question: Question,
  ...filterFields,
  engine: Type.Optional(
    StringEnum(['auto', 'local'], {
      description: '`auto`: by the language model, if there is one. `local`: by quotes alone, whatever is configured.',
    }),
  ),
})

const Citation = Type.Object(
  {
    n: Type.Integer({ description: 'Its number in this answer.', examples: [1] }),
    ...placeFields,
    quote: Type.String({
      description: 'Verbatim, as it is stored.',
      examples: ['Entries of the audit log are kept for a year.'],
    }),
    start: Type.Integer({
      description:
        'Where the quote begins, in code points of the document as text (`content?format=text`) or of the text of the entry.',
      examples: [1042],
    }),
    end: Type.Integer({ description: 'Where it ends, exclusive.', examples: [1087] }),
  },
  { title: 'AskCitation', additionalProperties: false },
)
export type CitationView = Static<typeof Citation>

const Part = StrictObject({
  text: Type.String({
    description: 'A sentence of the answer.',
    examples: ['Entries of the audit log are kept for a year.'],
  }),
  citations: Type.Array(Type.Integer(), {
    description: 'The numbers of the citations that it is based on.',
    examples: [[1]],
  }),
})

const answerFields = {
  answerId: Id,
  found: Type.Boolean({ description: 'Whether an answer was found in what you may read.' }),
  answer: Type.String({
    description: 'The whole answer as text. Numbers in brackets are those of the citations.',
    examples: ['“Entries of the audit log are kept for a year.” [1]'],
  }),
  parts: Type.Array(Part),
  citations: Type.Array(Citation),
  closest: Type.Array(StrictObject({ citation: Citation }), {
    description: 'If nothing was found: up to three quotes that come nearest.',
  }),
  corrected: Corrected,
  engine: StringEnum(['local', 'llm']),
  model: Nullable(
    Type.String({ description: 'The name of the language model that wrote the answer.', examples: ['gpt-5'] }),
  ),
  fallbackReason: Nullable(
    StringEnum(askFallbackReasons),
    'Why the local engine answered although a model is configured.',
  ),
  searched: Searched,
  generatedAt: Timestamp,
}

export const AskAnswer = Type.Object(answerFields, { title: 'AskAnswer', additionalProperties: false })
export type AskAnswerView = Static<typeof AskAnswer>

const Feedback = {
  helpful: Type.Boolean(),
  comment: Type.Optional(Type.String({ maxLength: 2000, examples: ['It quotes last year’s policy.'] })),
}
export const FeedbackBody = StrictObject(Feedback)

const KeptAsk = Type.Object(
  {
    ...answerFields,
    question: Question,
    feedback: Nullable(
      StrictObject({ helpful: Type.Boolean(), comment: Nullable(Type.String({ examples: ['Thanks.'] })) }),
    ),
  },
  { title: 'KeptAsk', additionalProperties: false },
)
export type KeptAskView = Static<typeof KeptAsk>
export const AskDetail = StrictObject({ ask: KeptAsk })

const AskLine = Type.Object(
  {
    answerId: Id,
    question: Question,
    found: Type.Boolean(),
    engine: StringEnum(['local', 'llm']),
    generatedAt: Timestamp,
  },
  { title: 'AskLine', additionalProperties: false },
)
export const AskList = StrictObject({ asks: Type.Array(AskLine), pagination: PaginationSchema })
export const AskListQuery = StrictObject({ ...PageQuery })
