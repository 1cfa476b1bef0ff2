import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

const Kind = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What the job does.',
  examples: ['identity.users.drop-ended'],
})

const State = StringEnum(['dead', 'failed', 'queued', 'active'], {
  description:
    '`queued`: the job waits to run. `active`: it is running. `failed`: an attempt failed and will be retried. `dead`: it has used all its attempts.',
})

export const JobQuery = StrictObject({ ...PageQuery, kind: Type.Optional(Kind), state: Type.Optional(State) })

const JobAnswer = Type.Object(
  {
    id: Id,
    kind: Kind,
    tenantId: Nullable(Id, 'Null for work of the platform.'),
    state: State,
    attempts: Type.Integer({ description: 'Attempts so far, including one that is running.', examples: [5] }),
    attemptsMax: Type.Integer({ examples: [5] }),
    error: Nullable(Type.String({ examples: ['connect ECONNREFUSED 192.0.2.7:25'] }), 'Why the last try failed.'),
    enqueuedAt: Timestamp,
    runAt: {
      ...Timestamp,
      description: 'The job does not run before this time. For a failed job, the time of its next attempt.',
    },
    startedAt: Nullable(Timestamp, 'When the last try began.'),
    diedAt: Nullable(Timestamp),
  },
  { title: 'Job' },
)

export const JobList = StrictObject({ jobs: Type.Array(JobAnswer), pagination: PaginationSchema })

export const RevivedJob = StrictObject({ job: StrictObject({ id: Id, kind: Kind }) })

export const JobsToRevive = StrictObject({ kind: Kind })

export const RevivedJobs = StrictObject({
  retried: Type.Integer({
    description: 'The number of retried jobs: at most 1000 per call, the oldest first.',
    examples: [12],
  }),
})
