import type { Static } from 'typebox'
import { meetingPlatforms } from '../../kernel/meeting-links.ts'
import { Id, Nullable, SingleLine, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { BotAnswer } from '../bots/bot.schema.ts'

const Epoch = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'When the program started, in milliseconds since 1970: the newest program with a token counts.',
  examples: [1_795_000_000_000],
})
const Platforms = Type.Array(StringEnum(meetingPlatforms), { maxItems: 10, examples: [['page', 'jitsi']] })
const Lease = Type.Integer({ minimum: 0, maximum: 2_147_483_647, examples: [1] })
const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [0] })
const AtMs = Type.Integer({
  minimum: 0,
  maximum: 400_000_000,
  description: 'Milliseconds since the admission of this attempt, by a clock that only goes forward.',
  examples: [12_500],
})
const text = (lettersMax: number, example: string) => Type.String({ maxLength: lettersMax, examples: [example] })

export const RunnerEnrollment = StrictObject({
  runnerVersion: SingleLine({ lettersMax: 100, example: '1.0.0' }),
  platforms: Platforms,
  slots: Type.Integer({ minimum: 1, maximum: 1000, description: 'The bots it can run at once.', examples: [4] }),
})
export const RunnerEnrolled = StrictObject({
  runnerToken: Type.String({ description: 'Shown once.', examples: ['atrrunner_...'] }),
  runner: StrictObject({ id: Id, name: Type.String({ examples: ['office'] }) }),
})

export const ClaimQuery = StrictObject({ wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, default: 0 })) })
export const Claim = StrictObject({ epoch: Epoch, platforms: Platforms })
export const Claimed = StrictObject({
  bot: BotAnswer,
  link: Type.String({ description: 'The complete link, with the passcode.', examples: ['https://meet.jit.si/weekly'] }),
  lease: Lease,
})

export const Heartbeat = StrictObject({
  epoch: Epoch,
  leases: Type.Array(
    StrictObject({
      botId: Id,
      lease: Lease,
      status: Type.Optional({ ...text(40, 'in_meeting'), description: 'For your logs: `events` change the status.' }),
    }),
    { maxItems: 1000 },
  ),
})
export const HeartbeatAnswer = StrictObject({
  commands: Type.Array(
    StrictObject({
      id: Id,
      botId: Id,
      kind: StringEnum(['leave', 'message', 'stop'] as const, {
        description: '`stop`: leave, and record nothing more, because a participant refused.',
      }),
      reason: Nullable(Type.String({ examples: ['USER_REQUEST'] })),
      text: Nullable(Type.String({ examples: ['Hello'] })),
    }),
  ),
  lost: Type.Array(Id, { description: 'Bots that are no longer yours. Leave within 10 seconds.' }),
})

const eventTypes = ['status', 'participants', 'notice', 'chat', 'health', 'left', 'command_done', 'speech'] as const
const ReportedEvent = StrictObject({
  seq: Seq,
  atMs: Type.Optional(AtMs),
  type: StringEnum(eventTypes),
  status: Type.Optional(text(40, 'waiting_room')),
  reason: Type.Optional(Nullable(text(60, 'MEETING_ENDED'))),
  detail: Type.Optional(Nullable(text(500, 'The host closed the meeting.'))),
  people: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, examples: [3] })),
  bots: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, examples: [0] })),
  delivered: Type.Optional(Type.Boolean()),
  from: Type.Optional(Nullable(text(200, 'Ada'))),
  text: Type.Optional(Nullable(text(4000, '!agree'))),
  health: Type.Optional(StringEnum(['ok', 'deaf'] as const)),
  commandId: Type.Optional(Nullable(Id)),
  isDone: Type.Optional(Type.Boolean()),
})
export type ReportedEvent = Static<typeof ReportedEvent>

export const EventReport = StrictObject({
  epoch: Epoch,
  botId: Id,
  lease: Lease,
  events: Type.Array(ReportedEvent, { minItems: 1, maxItems: 100 }),
})
export type EventReport = Static<typeof EventReport>

const ReportedEntry = StrictObject({
  segmentId: Type.String({ minLength: 1, maxLength: 190, examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57:1:1'] }),
  speaker: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', examples: ['Ada Lovelace'] }),
  text: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', examples: ['Good morning.'] }),
  atMs: AtMs,
  isFinal: Type.Optional(
    Type.Boolean({ description: 'False: a draft, which a later entry with the same id replaces.' }),
  ),
})

export const EntryReport = StrictObject({
  epoch: Epoch,
  botId: Id,
  lease: Lease,
  seq: Seq,
  entries: Type.Array(ReportedEntry, { minItems: 1, maxItems: 200 }),
})
export type EntryReport = Static<typeof EntryReport>

export const ArtifactQuery = StrictObject({
  botId: Id,
  lease: Lease,
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,63}$', examples: ['page.png'] }),
  epoch: Epoch,
})

export const Ingest = StrictObject({
  entries: Type.Array(
    StrictObject({
      segmentId: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9._-]+$', examples: ['17'] }),
      speaker: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', examples: ['Ada Lovelace'] }),
      text: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', examples: ['Good morning.'] }),
      atMs: AtMs,
      kind: Type.Optional(StringEnum(['speech', 'chat'] as const)),
    }),
    { maxItems: 200 },
  ),
  isEnded: Type.Optional(Type.Boolean({ description: 'True: the meeting is over.' })),
})
export type Ingest = Static<typeof Ingest>
