import { isoOrNull, Nullable, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { TenantScope } from '../../storage/scope.ts'

/** A time in which a bot was not in its meeting, though it went on: nothing of it is in the transcript. */
export type TranscriptGap = {
  from: Date
  /** Null: it is not over. */
  to: Date | null
  cause: string
  /** Where it begins in the transcript. */
  offsetSeconds: number
}

/** Those of all bots of a meeting. */
export type FindGaps = (scope: TenantScope, meetingId: string) => Promise<TranscriptGap[]>

export const GapsAnswer = Type.Array(
  StrictObject({
    from: Timestamp,
    to: Nullable(Timestamp, 'Null: the bot has not returned yet.'),
    cause: Type.String({ examples: ['RUNNER_LOST'] }),
    offsetMs: Type.Integer({
      minimum: 0,
      description: 'Where it begins in the transcript, in milliseconds.',
      examples: [900_000],
    }),
  }),
  {
    description:
      'Times during which a bot was away from the running meeting, for example because its runner died. Nothing that was said then is in the transcript.',
  },
)

export function gapViews(gaps: readonly TranscriptGap[]) {
  return gaps.map(({ from, to, cause, offsetSeconds }) => {
    return { from: from.toISOString(), to: isoOrNull(to), cause, offsetMs: Math.round(offsetSeconds * 1000) }
  })
}
