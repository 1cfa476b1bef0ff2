import type { Static } from 'typebox'
import { Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { decidingCause, replyCauses, replyOutcomes, type Trace, traceOutcome, traceSteps } from './trace.rules.ts'

export const DraftBody = StrictObject({
  text: Type.String({
    minLength: 1,
    maxLength: 100_000,
    pattern: '\\S',
    description: 'The whole text of the mail, with its signature.',
    examples: ['The venue opens at noon.'],
  }),
})

const Step = Type.Object(
  {
    step: StringEnum(traceSteps),
    result: StringEnum(['passed', 'held', 'stopped'], {
      description: 'held: the answer waits for a person. stopped: there is no answer.',
    }),
    cause: Nullable(StringEnum(replyCauses)),
    detail: Type.String({
      description: 'For people. It contains no text and no address of the mail.',
      examples: ['A person may have written it.'],
    }),
  },
  { title: 'EmailTraceStep', additionalProperties: false },
)

const TraceAnswer = Type.Object(
  {
    outcome: Nullable(
      StringEnum(replyOutcomes),
      'ignored: there is no answer. command: the mail was a command. Null: the mail has not been processed yet.',
    ),
    cause: Nullable(StringEnum(replyCauses), 'What decided. Null: nothing spoke against sending.'),
    steps: Type.Array(Step, {
      description: 'In the order in which they were made. A step that stopped is the last one.',
    }),
  },
  { title: 'EmailTrace', additionalProperties: false },
)

export const TraceDetail = StrictObject({ trace: TraceAnswer })

export const Simulated = StrictObject({
  trace: TraceAnswer,
  draft: Nullable(
    Type.Object(
      {
        to: Type.String({ examples: ['ana@example.com'] }),
        subject: Type.String({ examples: ['Re: Notes of Thursday'] }),
        text: Type.String({ examples: ['This is what I found:\n\n“We ship on Thursday.” [1]'] }),
      },
      { title: 'SimulatedEmail', additionalProperties: false },
    ),
    'The answer with its quotes, or the confirmation of a command. Null: there would be no answer.',
  ),
})

export function traceView(trace: Trace | null): Static<typeof TraceAnswer> {
  if (trace === null) return { outcome: null, cause: null, steps: [] }
  return { outcome: traceOutcome(trace), cause: decidingCause(trace), steps: [...trace] }
}
