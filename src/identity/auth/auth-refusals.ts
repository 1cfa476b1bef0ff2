import { invalidField, Refusal } from '../../kernel/refusal.ts'
import { normalizeEmail } from '../users/email.rules.ts'
import { isCommonPassword } from './common-passwords.ts'
import { passwordProblem } from './password.rules.ts'

/** The address of a body in its stored form. Refuses VALIDATION_ERROR where it is none. */
export function emailOf(text: string): string {
  const email = normalizeEmail(text)
  if (email === null) throw invalidField('/body/email', { code: 'format', message: 'must be an e-mail address' })
  return email
}

/** Refuses PASSWORD_REJECTED for a password that is no good for the owner of the address. */
export function refuseBadPassword(password: string, email: string, member: string): void {
  const message = passwordProblem(password, { email, isCommon: isCommonPassword })
  if (message === null) return
  const errors = [{ path: `/body/${member}`, code: 'password', message }]
  throw new Refusal('PASSWORD_REJECTED', { detail: message, errors })
}
