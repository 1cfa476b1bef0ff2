import type { Static } from 'typebox'
import { meetingUrlLengthMax } from '../../kernel/meeting-links.ts'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
  visiblePattern,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { EntryAnswer, NewEntries } from '../entries/entry.schema.ts'
import { cancelCauses, meetingStatuses, personalityNames, summaryModes, ttlDaysDefault } from './meeting.rules.ts'
import { meetingAccesses, meetingScopes, type ShareAccess, shareAccesses, visibilities } from './sharing.rules.ts'

/** One line: no control characters or line ends, and not only spaces. */
const oneVisibleLine = visiblePattern('\\p{Cc}\\p{Zl}\\p{Zp}')

const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: oneVisibleLine,
  description: 'One line. Spaces around it are removed.',
  examples: ['Weekly planning'],
})
const ttlMeaning = 'The meeting is deleted after this many days without activity. Null: never.'
const ttlDays = Type.Integer({ minimum: 1, maximum: 3650, examples: [90] })
const ParticipantName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: oneVisibleLine,
  examples: ['Ada Lovelace'],
})
const Email = Type.String({
  minLength: 3,
  maxLength: 320,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  examples: ['ada@example.com'],
})

const Participants = Type.Array(
  Type.Unsafe<string | { name: string; email?: string | null }>({
    type: ['object', 'string'],
    minLength: 1,
    maxLength: 200,
    pattern: oneVisibleLine,
    properties: { name: ParticipantName, email: Type.Optional(Nullable(Email)) },
    required: ['name'],
    additionalProperties: false,
    description: 'A name, or a name with an e-mail address.',
    examples: [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
  }),
  { maxItems: 500 },
)

const settingsMembers = {
  personality: StringEnum(personalityNames, {
    description:
      'Sets the tone of summaries and answers and the extra section of detailed summaries, but never facts or length.',
  }),
  summaryMode: StringEnum(summaryModes, { description: 'The mode of a summary when the request names none.' }),
}
export const SettingsChange = Type.Object(
  { personality: Type.Optional(settingsMembers.personality), summaryMode: Type.Optional(settingsMembers.summaryMode) },
  { additionalProperties: false, examples: [{ personality: 'challenger', summaryMode: 'detailed' }] },
)
export type SettingsChange = Static<typeof SettingsChange>

export const SettingsAnswer = StrictObject({ settings: StrictObject(settingsMembers) })

const Visibility = StringEnum(visibilities, {
  description:
    '`private`: only the owner. `org`: all members of the organization may read. `members`: those in `sharedWith`.',
})
const Shares = Type.Array(
  StrictObject({
    userId: Id,
    access: StringEnum(shareAccesses, {
      description: '`write` also adds to the transcript, changes, starts, ends and cancels. Viewers only read.',
    }),
  }),
  { maxItems: 200 },
)
const sharingMembers = {
  orgId: Type.Optional(
    Nullable(
      Id,
      'The organization with which the meeting is shared. You need the role member in it. Another one without a `visibility` means `org`, and null means `private`.',
    ),
  ),
  visibility: Type.Optional(Visibility),
  sharedWith: Type.Optional({
    ...Shares,
    description: 'Members of the organization, and what each may do. With `org`, only `write` makes a difference.',
  }),
}

const CalendarEvent = StrictObject({
  uid: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: oneVisibleLine,
    description: 'The UID of iCalendar: the same in the calendars of all who were invited.',
    examples: ['7kukuqrfedlm2f9t4v9o@google.com'],
  }),
  occurrence: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 40,
      pattern: oneVisibleLine,
      examples: ['2026-11-24T09:00:00.000Z'],
    }),
    'Which occurrence of a series, by its originally planned start (RECURRENCE-ID). Null: it does not recur.',
  ),
})

const optionalMembers = {
  ttl_days: Type.Optional(Nullable(ttlDays, ttlMeaning)),
  participants: Type.Optional(Participants),
  scheduledAt: Type.Optional(Nullable(TimestampInput, 'The planned start of the meeting.')),
  scheduledEnd: Type.Optional(Nullable(TimestampInput, 'The planned end, after `scheduledAt`.')),
  joinUrl: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: meetingUrlLengthMax,
        examples: ['https://zoom.us/j/98765432100?pwd=c2VjcmV0'],
      }),
      'The link for joining: an https address, stored encrypted and shown without passcodes. Sending it back as it was shown changes nothing.',
    ),
  ),
  calendarEvent: Type.Optional(Nullable(CalendarEvent, 'The calendar event of the meeting.')),
}

export const NewMeeting = Type.Object(
  {
    title: Title,
    ...optionalMembers,
    ttl_days: Type.Optional(Nullable(ttlDays, `${ttlMeaning} Default: ${ttlDaysDefault}.`)),
    settings: Type.Optional(SettingsChange),
    ...sharingMembers,
    transcript: Type.Optional(NewEntries),
  },
  { additionalProperties: false, examples: [{ title: 'Weekly planning', ttl_days: 90 }] },
)
export type NewMeeting = Static<typeof NewMeeting>

export const MeetingChange = StrictObject({
  title: Type.Optional(Title),
  ...optionalMembers,
  ...sharingMembers,
  participants: Type.Optional(Nullable(Participants, 'Replaces all participants. Null: none.')),
})
export type MeetingChange = Static<typeof MeetingChange>

export const MeetingQuery = StrictObject({
  ...PageQuery,
  scope: Type.Optional(
    StringEnum(meetingScopes, {
      description: '`own`: your meetings. `shared`: those of others that you may read. `all`: both.',
    }),
  ),
  orgId: Type.Optional({ ...Id, description: 'Only meetings of this organization.' }),
  status: Type.Optional(StringEnum(meetingStatuses)),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Searches the titles, ignoring case.',
      examples: ['planning'],
    }),
  ),
  from: Type.Optional({ ...TimestampInput, description: 'Returns meetings created at this time or later.' }),
  to: Type.Optional({ ...TimestampInput, description: 'Returns meetings created before this time.' }),
})

const members = {
  id: Id,
  title: Title,
  status: StringEnum(meetingStatuses, {
    description: 'The first entry makes a scheduled meeting active. completed, cancelled and failed are final.',
  }),
  cause: Nullable(
    StringEnum(cancelCauses),
    '`MISSED`: the calendar event is over, and nobody started the meeting. Null: there is no such cause.',
  ),
  ttl_days: Nullable(ttlDays, ttlMeaning),
  settings: StrictObject(settingsMembers),
  participants: Type.Array(StrictObject({ name: ParticipantName, email: Nullable(Email) })),
  ownerId: Id,
  orgId: Nullable(Id, 'The organization with which the meeting is shared.'),
  visibility: Visibility,
  sharedWith: Type.Unsafe<{ userId: string; access: ShareAccess }[] | null>({
    ...Shares,
    type: ['array', 'null'],
    description: 'Shown to the owner alone; null for others.',
  }),
  access: StringEnum(meetingAccesses, { description: 'What you may do.' }),
  entryCount: Type.Integer({ description: 'The number of entries in the transcript.', examples: [1] }),
  wordCount: Type.Integer({ examples: [7] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  scheduledAt: Nullable(Timestamp),
  scheduledEnd: Nullable(Timestamp),
  joinUrl: Nullable(
    Type.String({ examples: ['https://zoom.us/j/98765432100'] }),
    'The link for joining, without passcodes.',
  ),
  calendarEvent: Nullable(CalendarEvent),
  startedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
  expiresAt: Nullable(
    Timestamp,
    'The last activity plus `ttl_days`. The meeting is deleted soon after this time. Null: never.',
  ),
  revision: Type.Integer({ description: 'Grows with every change. The ETag contains it.', examples: [1] }),
}

export const MeetingAnswer = Type.Object(members, { title: 'Meeting', additionalProperties: false })
export type MeetingAnswer = Static<typeof MeetingAnswer>

export const MeetingWithTranscript = Type.Object(
  {
    ...members,
    transcript: Type.Array(EntryAnswer),
    transcriptTruncated: Type.Boolean({
      description: 'Whether the transcript has more entries. `GET .../transcript?afterSeq=` returns the rest.',
      examples: [false],
    }),
  },
  { title: 'MeetingWithTranscript', additionalProperties: false },
)

export const MeetingList = StrictObject({ meetings: Type.Array(MeetingAnswer), pagination: PaginationSchema })
