import { invalidField } from './refusal.ts'

/** Whether a time in the form of RFC 3339 exists for us. */
export function isTimestamp(text: string): boolean {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.getUTCFullYear() <= 9999
}

/** Parses a timestamp up to the year 9999 that was sent at `path`. Refuses VALIDATION_ERROR for any other text. */
export function parseTimestamp(text: string, path: string): Date {
  const at = new Date(text)
  // RFC 3339 has leap seconds, Date has none.
  if (Number.isNaN(at.getTime()))
    throw invalidField(path, { code: 'format', message: 'must be a date and time that exist' })
  // An offset can push the end of 9999 into a year that ISO 8601 writes with six digits.
  if (at.getUTCFullYear() > 9999)
    throw invalidField(path, { code: 'maximum', message: 'must be before the year 10000' })
  return at
}

/** Parses a timestamp in the future, up to the year 9999, that was sent at `path`. Refuses VALIDATION_ERROR otherwise. */
export function parseFutureTimestamp(text: string, now: Date, path: string): Date {
  const at = parseTimestamp(text, path)
  if (at <= now) throw invalidField(path, { code: 'exclusiveMinimum', message: 'must be in the future' })
  return at
}
