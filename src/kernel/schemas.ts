import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { Type } from './type.ts'

/** Schemas that every capability uses. `examples` appear in the API reference. */

export const Id = Type.String({
  format: 'uuid',
  description: 'UUIDv7, lower case.',
  examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
})

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] })

/** A timestamp sent by a client: RFC 3339 with an offset. */
export const TimestampInput = Type.String({
  format: 'date-time',
  maxLength: 40,
  examples: ['2027-12-31T23:59:59.000Z'],
})

/** A day in UTC. */
export const Day = Type.String({ format: 'date', examples: ['2026-11-21'] })

/** Also allows `null`, in the form (`type: [..., 'null']`) that validates and serialises fast. */
export function Nullable<T extends TSchema>(schema: T, description?: string) {
  const { type, enum: words, ...rest } = schema as TSchema & { type?: string; enum?: unknown[] }
  const options = { ...rest, ...(description === undefined ? {} : { description }) }
  return Type.Unsafe<Static<T> | null>({
    ...options,
    type: [type, 'null'],
    ...(words ? { enum: [...words, null] } : {}),
  })
}

/**
 * A member of an answer that is a secret: administrators below OWNER get null instead. Another member should be a hint by
 * which they recognize it.
 */
export function OwnerOnly<T extends TSchema>(schema: T, description: string) {
  return Type.Unsafe<Static<T> | null>({ ...Nullable(schema, description), [ownerOnlyMark]: true })
}

/** Marks such members for the HTTP layer, and in the API reference. */
export const ownerOnlyMark = 'x-owner-only'

export type SingleLineOptions = { lettersMax: number; example: string; description?: string }

/** The spaces of `\s` that are neither control characters nor ends of lines. */
const spaces = ' \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff'

/**
 * A pattern for texts with a visible character and without `excluded` ones, which are written as in a character class and
 * include all control characters. Takes linear time: nothing that comes before the first visible character may be one.
 * @param moreSpaces spaces that are not excluded either.
 */
export function visiblePattern(excluded: string, moreSpaces = ''): string {
  return `^[${spaces}${moreSpaces}]*[^${excluded}\\s][^${excluded}]*$`
}

/** One line with a visible character and without control characters. */
export function SingleLine({ lettersMax, example, description }: SingleLineOptions) {
  return Type.String({
    minLength: 1,
    maxLength: lettersMax,
    pattern: visiblePattern('\\p{Cc}', '\\u2028\\u2029'),
    ...(description === undefined ? {} : { description }),
    examples: [example],
  })
}

/** A name in URLs. */
export const Slug = Type.String({
  minLength: 2,
  maxLength: 64,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  description: 'Lower-case letters and digits, with single hyphens between them.',
  examples: ['photo-lab'],
})

/** One of a fixed set of strings: one schema for the type, the validation and the document. */
export function StringEnum<const T extends readonly string[]>(words: T, options: { description?: string } = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], examples: [words[0]], ...options })
}

/** An object that allows no other members. */
export function StrictObject<P extends TProperties>(properties: P, options: { description?: string } = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export const PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1, description: 'Counts from 1.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Entries a page.' })),
}

// Years of four digits that do not begin with zero: they keep four digits when days are subtracted.
const dayText = (description: string, example: string) =>
  Type.String({ format: 'date', pattern: '^[1-9]', description, examples: [example] })

/** Read by `periodOf`. */
export const PeriodQuery = {
  from: Type.Optional(dayText('First day, UTC. Absent: 29 days before `to`.', '2026-11-01')),
  to: Type.Optional(dayText('Last day, UTC. Absent: today.', '2026-11-30')),
}

export const PaginationSchema = StrictObject({
  page: Type.Integer({ examples: [1] }),
  limit: Type.Integer({ examples: [20] }),
  total: Type.Integer({ examples: [1] }),
  totalPages: Type.Integer({ examples: [1] }),
})

export function isoOrNull(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}
