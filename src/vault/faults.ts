import { type FieldError, fieldErrorText, Refusal } from '../kernel/refusal.ts'

/** Refuses several fields at once, for rules that a schema cannot express. */
export function validationError(errors: FieldError[]): Refusal {
  return new Refusal('VALIDATION_ERROR', {
    detail: errors.map(({ path, message }) => fieldErrorText(path, message)).join(' '),
    errors,
  })
}

export function conflict(detail: string): Refusal {
  return new Refusal('STATE_CONFLICT', { detail })
}
