import { invalidField } from '../../kernel/refusal.ts'

export const timeZoneDefault = 'UTC'

/** Refuses VALIDATION_ERROR for a name that is not in the time zone database of this Node. */
export function requireTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw invalidField('/body/timeZone', {
      code: 'format',
      message: 'must be an IANA time zone, for example Europe/Berlin',
    })
  }
}

/** Refuses VALIDATION_ERROR unless the name was repeated, against deleting the wrong organization by mistake. */
export function requireConfirmation({ name }: { name: string }, confirm: string): void {
  if (confirm !== name)
    throw invalidField('/query/confirm', { code: 'const', message: 'must be the name of the organization' })
}
