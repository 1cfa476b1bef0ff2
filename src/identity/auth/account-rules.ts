import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import { normalizeEmail, parseEmail } from '../users/email.rules.ts'
import type { PasswordChange, Registration } from './auth.schema.ts'
import { refuseBadPassword } from './password-refusal.ts'

export function registrationRules({ email, password }: Fitting<Registration>): FieldRule[] {
  const address = (email && normalizeEmail(email)) || ''
  return [
    ruleFor(email, (text) => parseEmail(text)),
    ruleFor(password, (text) => refuseBadPassword(text, address, 'password')),
  ]
}

export function passwordChangeRules({ newPassword }: Fitting<PasswordChange>, email: string): FieldRule[] {
  return [ruleFor(newPassword, (text) => refuseBadPassword(text, email, 'newPassword'))]
}
