import { Refusal } from '../../kernel/refusal.ts'
import { isCommonPassword } from './common-passwords.ts'
import { passwordProblem } from './password.rules.ts'

/** Refuses PASSWORD_REJECTED for a password that is too weak for the account with this address. */
export function refuseBadPassword(password: string, email: string, member: string): void {
  const message = passwordProblem(password, { email, isCommon: isCommonPassword })
  if (message === null) return
  const errors = [{ path: `/body/${member}`, code: 'password', message }]
  throw new Refusal('PASSWORD_REJECTED', { detail: message, errors })
}
