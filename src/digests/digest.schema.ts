import { StrictObject, StringEnum } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import { defaultDigest, frequencies } from './digest.rules.ts'

const Frequency = StringEnum(frequencies, { description: 'How often you get a digest. `off` (the default): never.' })
const TimeZone = Type.String({
  maxLength: 64,
  // Names only: an offset such as +01:00 knows no daylight saving time.
  pattern: '^[A-Za-z]',
  description: 'An IANA time zone: where your days begin.',
  examples: ['Europe/Berlin'],
})
const Hour = Type.Integer({
  minimum: 0,
  maximum: 23,
  description: 'At this hour of your time zone.',
  examples: [defaultDigest.hour],
})
const Weekday = Type.Integer({
  minimum: 1,
  maximum: 7,
  description: 'The day of a weekly digest. 1 is Monday, 7 is Sunday.',
  examples: [defaultDigest.weekday],
})

export const DigestBody = StrictObject({
  frequency: Frequency,
  timeZone: Type.Optional(TimeZone),
  hour: Type.Optional(Hour),
  weekday: Type.Optional(Weekday),
})

const Digest = Type.Object(
  { frequency: Frequency, timeZone: TimeZone, hour: Hour, weekday: Weekday },
  { title: 'EmailDigest', additionalProperties: false },
)
export const DigestDetail = StrictObject({ digest: Digest })
