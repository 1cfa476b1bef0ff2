import { type FieldError, fieldErrorText, Refusal } from '../kernel/refusal.ts'

/** A refusal of several fields at once, for what a schema cannot say. */
export function invalidAll(errors: FieldError[]): Refusal {
  return new Refusal('VALIDATION_ERROR', {
    detail: errors.map(({ path, message }) => fieldErrorText(path, message)).join(' '),
    errors,
  })
}

export function conflict(detail: string): Refusal {
  return new Refusal('STATE_CONFLICT', { detail })
}
