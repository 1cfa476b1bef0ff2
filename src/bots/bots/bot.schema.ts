import type { Static } from 'typebox'
import { meetingPlatforms, meetingUrlLengthMax } from '../../kernel/meeting-links.ts'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  SingleLine,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import {
  autoLeaveDefault,
  botStatuses,
  chatAnswerModes,
  consentDecisions,
  consentModes,
  providers,
} from '../bot.rules.ts'

const sourceBytesMax = 1024 * 1024

const seconds = (name: keyof typeof autoLeaveDefault, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, examples: [autoLeaveDefault[name]] })
const autoLeaveMembers = {
  waitingRoomSeconds: seconds('waitingRoomSeconds', 3600),
  aloneSeconds: seconds('aloneSeconds', 3600),
  nobodyCameSeconds: seconds('nobodyCameSeconds', 7200),
  silenceSeconds: seconds('silenceSeconds', 14_400),
  silenceAfterSeconds: seconds('silenceAfterSeconds', 14_400),
  maxSeconds: seconds('maxSeconds', 14_400),
}
const AutoLeaveChange = Type.Object(
  Object.fromEntries(Object.entries(autoLeaveMembers).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [N in keyof typeof autoLeaveMembers]: ReturnType<typeof Type.Optional<(typeof autoLeaveMembers)[N]>>
  },
  {
    additionalProperties: false,
    description: 'When the bot leaves automatically. Absent members keep their defaults.',
  },
)

const DisplayName = SingleLine({ lettersMax: 60, example: 'Ada’s assistant (notes)' })
const ConsentMessage = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description:
    'Posted in the chat before anything is kept. The words about `!agree`, `!stop` and `!forget` are added if they are missing.',
  examples: ['I take notes for Ada. Write !stop to end this, or !forget to also erase the notes.'],
})
const ConsentMode = StringEnum(consentModes, {
  description:
    '`notice`: posting the notice is enough. `required`: nothing is kept until a participant writes `!agree` or the organizer confirms.',
})
const changeable = {
  displayName: Type.Optional(DisplayName),
  joinAt: Type.Optional(Nullable(TimestampInput, 'When the bot joins. Null: now.')),
  consentMessage: Type.Optional(ConsentMessage),
  consentMode: Type.Optional(ConsentMode),
  autoLeave: Type.Optional(AutoLeaveChange),
  chatAnswers: Type.Optional(
    StringEnum(chatAnswerModes, {
      description: '`mention`: the bot answers when it is asked by name in the chat, and uses only this meeting.',
    }),
  ),
}

export const NewBot = Type.Object(
  {
    meetingUrl: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: meetingUrlLengthMax,
        description: 'A link for joining. A meeting is created for it.',
        examples: ['https://meet.jit.si/weekly'],
      }),
    ),
    meetingId: Type.Optional({ ...Id, description: 'An existing meeting that has a `joinUrl`.' }),
    orgId: Type.Optional({ ...Id, description: 'With `meetingUrl`: the organization of the new meeting.' }),
    provider: Type.Optional(
      StringEnum(providers, {
        description:
          'Who sends the bot. Absent: the policy’s, else the first that is set up and can join there; without a link `replay`.',
      }),
    ),
    ...changeable,
    source: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: sourceBytesMax,
        description: 'For `replay`: `sample`, the id of a meeting, or the text of a WebVTT, SRT or JSON file.',
        examples: ['sample'],
      }),
    ),
    speed: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 60,
        default: 1,
        description: 'For `replay`: how fast it plays.',
        examples: [60],
      }),
    ),
  },
  { additionalProperties: false, examples: [{ provider: 'replay', source: 'sample', speed: 60 }] },
)
export type NewBot = Static<typeof NewBot>

export const BotChange = StrictObject(changeable)
export type BotChange = Static<typeof BotChange>

export const BotMessage = StrictObject({
  text: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', examples: ['Please repeat the date.'] }),
})

export const ConsentAnswer = StrictObject({
  decision: StringEnum(['confirm', 'refuse'] as const, { description: '`refuse`: the bot leaves.' }),
})

const Consent = StrictObject({
  mode: ConsentMode,
  message: Type.String({ examples: ['I take notes.'] }),
  postedAt: Nullable(Timestamp, 'When the notice was posted. Nothing is kept before that.'),
  delivered: Type.Boolean({
    description: 'False: the meeting has no chat, so only the name says it.',
    examples: [true],
  }),
  decisions: Type.Array(
    StrictObject({
      at: Timestamp,
      by: Type.String({ examples: ['Ada Lovelace'] }),
      decision: StringEnum(consentDecisions),
    }),
  ),
})

const members = {
  id: Id,
  meetingId: Id,
  orgId: Nullable(Id),
  requestedBy: Nullable(Id),
  platform: StringEnum([...meetingPlatforms, 'none'] as const),
  provider: StringEnum(providers),
  displayName: DisplayName,
  status: StringEnum(botStatuses),
  reason: Nullable(
    Type.String({ examples: ['MEETING_ENDED'] }),
    'Why it has this status. See the documentation of bots.',
  ),
  detail: Nullable(Type.String({ examples: ['leftUnconfirmed'] })),
  joinAt: Nullable(Timestamp),
  occurrence: StrictObject({
    platform: StringEnum([...meetingPlatforms, 'none'] as const),
    room: Type.String({ examples: ['meet.jit.si/weekly'] }),
    start: Nullable(Timestamp, 'Null: the meeting was already running.'),
  }),
  autoLeave: StrictObject(autoLeaveMembers),
  consent: Consent,
  chatAnswers: StringEnum(chatAnswerModes),
  speed: Type.Integer({ examples: [1] }),
  attempt: Type.Integer({ examples: [1] }),
  admittedAt: Nullable(Timestamp),
  leftAt: Nullable(Timestamp),
  leftUnconfirmed: Type.Boolean({
    description: 'Whether nobody has confirmed that the bot has left.',
    examples: [false],
  }),
  seconds: Type.Integer({ description: 'Between admission and leaving, of all attempts.', examples: [1800] }),
  gaps: Type.Array(
    StrictObject({ from: Timestamp, to: Nullable(Timestamp), cause: Type.String({ examples: ['RUNNER_LOST'] }) }),
    { description: 'Gaps in the transcript.' },
  ),
  health: Nullable(StringEnum(['ok', 'deaf'] as const), '`deaf`: people talk, but no words arrive.'),
  runnerId: Nullable(Id),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
  revision: Type.Integer({ examples: [1] }),
}

export const BotAnswer = Type.Object(members, { title: 'Bot', additionalProperties: false })
export type BotAnswer = Static<typeof BotAnswer>

const EventAnswer = StrictObject({
  at: Timestamp,
  type: StringEnum(['status', 'refused', 'consent', 'gap', 'health', 'command', 'calendar', 'vendor'] as const),
  from: Nullable(Type.String({ examples: ['joining'] })),
  to: Nullable(Type.String({ examples: ['in_meeting'] })),
  reason: Nullable(Type.String({ examples: ['USER_REQUEST'] })),
  detail: Nullable(Type.String({ examples: ['page.png'] })),
})

export const BotWithEvents = Type.Object(
  { ...members, events: Type.Array(EventAnswer), artifacts: Type.Array(Type.String({ examples: ['page.png'] })) },
  { title: 'BotWithEvents', additionalProperties: false },
)

export const BotDeployed = StrictObject({
  bot: BotAnswer,
  ingest: Type.Optional(
    StrictObject(
      {
        url: Type.String({ examples: ['/assistant/v1/bot-ingest/entries'] }),
        token: Type.String({ examples: ['atringest_...'] }),
      },
      { description: 'For `push`: a token, shown only once, with which a program can append entries.' },
    ),
  ),
})

export const BotQuery = StrictObject({
  ...PageQuery,
  meetingId: Type.Optional(Id),
  orgId: Type.Optional(Id),
  status: Type.Optional(StringEnum(botStatuses)),
  live: Type.Optional(
    Type.Boolean({ description: 'True: only bots that have not ended. False: only bots that have ended.' }),
  ),
})

export const BotList = StrictObject({ bots: Type.Array(BotAnswer), pagination: PaginationSchema })
