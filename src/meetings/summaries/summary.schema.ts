import type { Static } from 'typebox'
import { modelFailureReasons } from '../../ai/model-failure.ts'
import { Id, Nullable, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { GapsAnswer } from '../entries/gap.schema.ts'
import { summaryModes } from '../meetings/meeting.rules.ts'

export const SummaryQuery = StrictObject({
  mode: Type.Optional(
    StringEnum(summaryModes, {
      description: "Default: the mode in the meeting's settings, which is `short` at first.",
    }),
  ),
})

/** `TOO_LITTLE`: the transcript has too few words to ask a model. */
export const fallbackReasons = [...modelFailureReasons, 'TOO_LITTLE'] as const
export type FallbackReason = (typeof fallbackReasons)[number]

const Entries = Type.Array(Type.Integer(), {
  description: 'The numbers (`seq`) of the entries it rests on.',
  examples: [[1, 4]],
})
const Name = Type.String({ examples: ['Ada Lovelace'] })
const Confidence = StringEnum(['high', 'low'], {
  description:
    'high: said in so many words, or agreed to by somebody else. low: it may be one; it is not in the text of the summary.',
})
const engines = ['local', 'llm'] as const
const bases = ['transcript', 'excerpt', 'empty'] as const

const members = {
  summary: Type.String({
    description: 'Plain text. short: 4 to 6 sentences. detailed: 400 to 700 words, with each heading on its own line.',
    examples: ['In the meeting “Weekly planning”, Ada Lovelace and Ben discussed the budget. ...'],
  }),
  sentenceCount: Type.Integer({ examples: [5] }),
  wordCount: Type.Integer({ examples: [96] }),
  contributions: Type.Array(
    StrictObject({
      speaker: Name,
      share: Type.Number({ description: 'The share of all spoken words, from 0 to 1.', examples: [0.62] }),
      turns: Type.Integer({ examples: [12] }),
      text: Type.String({ examples: ['Ada Lovelace (62%): “The budget is final because the board approved it”.'] }),
    }),
    { description: 'Everybody who spoke, most words first.' },
  ),
  topics: Type.Array(Type.String({ examples: ['budget'] })),
  decisions: Type.Array(
    StrictObject({
      text: Type.String({ examples: ['We ship on Friday'] }),
      confidence: Confidence,
      entries: Entries,
    }),
  ),
  actionItems: Type.Array(
    StrictObject({
      text: Type.String({ examples: ['I will send the figures by Friday'] }),
      owner: Nullable(Name),
      due: Nullable(Type.String({ examples: ['by Friday'] }), "The speaker's own words."),
      confidence: Confidence,
      entries: Entries,
    }),
  ),
  questions: Type.Array(
    StrictObject({ text: Type.String({ examples: ['Who writes the forecast'] }), speaker: Name, entries: Entries }),
  ),
  citations: Type.Array(
    StrictObject({
      sentence: Type.String({ examples: ['Ada Lovelace said that the budget is final.'] }),
      section: Nullable(
        Type.String({ examples: ['Main points'] }),
        'The heading above the sentence. Null in short mode.',
      ),
      basis: StringEnum(['speech', 'record', 'model'], {
        description:
          'speech: quotes or reports the cited entries. record: states counts, times or what is missing. model: written by the model and checked against the cited entries.',
      }),
      isPadding: Type.Boolean({
        description: 'Whether the sentence only fills the promised length.',
        examples: [false],
      }),
      entries: Entries,
    }),
    { description: 'The sentences of the summary in their order, each with the entries it rests on.' },
  ),
  basis: StringEnum(bases, {
    description:
      'transcript: the whole transcript was read. excerpt: it was too long, so fair parts of it were read; `contributions` still count all of it. empty: the transcript has no entries yet.',
  }),
}

/** The stored part of a summary. The rest of an answer depends on the moment of the request. */
const SummaryBody = StrictObject(members)
export type SummaryBody = Static<typeof SummaryBody>

export type StoredSummary = {
  contentRevision: number
  title: string
  engine: (typeof engines)[number]
  engineVersion: string
  /** The model that was configured when the summary was made. */
  model: string | null
  fallbackReason: FallbackReason | null
  body: SummaryBody
  generatedAt: Date
}

const { basis, ...rest } = members
export const SummaryAnswer = Type.Object(
  {
    meetingId: Id,
    mode: StringEnum(summaryModes),
    ...rest,
    engine: StringEnum(engines, {
      description: 'local: without a language model. llm: the configured language model.',
    }),
    model: Nullable(
      Type.String({ examples: ['gpt-4o-mini'] }),
      'The model that wrote the summary. Null: the local engine wrote it.',
    ),
    fallbackReason: Nullable(
      StringEnum(fallbackReasons),
      'Why the local engine wrote the summary although a model is configured. Null: no model is configured, or the model wrote it.',
    ),
    basis,
    gaps: GapsAnswer,
    revision: Type.Integer({ description: 'The revision of the summarized meeting.', examples: [3] }),
    generatedAt: Timestamp,
  },
  { title: 'Summary', additionalProperties: false },
)
export type SummaryAnswer = Static<typeof SummaryAnswer>
