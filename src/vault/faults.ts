import { type Fault, Refusal } from '../kernel/refusal.ts'

/** A refusal of one field of the request, for what a schema cannot say. */
export function invalid(path: string, message: string): Refusal {
  return invalidAll([{ path, code: 'invalid', message }])
}

export function invalidAll(errors: Fault[]): Refusal {
  return new Refusal('VALIDATION_ERROR', {
    detail: errors.map(({ path, message }) => `${path}: ${message}`).join(' '),
    errors,
  })
}

export function conflict(detail: string): Refusal {
  return new Refusal('STATE_CONFLICT', { detail })
}
