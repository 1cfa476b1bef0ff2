import { endUser, optionalTenantKey } from '../../http/access/access.ts'
import { accepted, noContent } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { parseEmail } from '../users/email.rules.ts'
import { base, tag } from './auth-mounts.ts'
import { Accepted, ForgottenPassword, PasswordReset, Verification } from './recovery.schema.ts'
import type { Recovery } from './recovery.service.ts'

/** Password reset and e-mail verification. */
export function recoveryRoutes(recovery: Recovery): Route[] {
  return [...resetRoutes(recovery), ...verificationRoutes(recovery)]
}

function resetRoutes(recovery: Recovery): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/password/forgot`,
      name: 'forgotPassword',
      tag,
      summary: 'Request a password reset mail',
      description:
        'The answer is the same whether or not an account has this address. An account gets at most three mails per hour, and an address at most three per rate limit window. Only the token of the latest mail is valid, for one hour.',
      access: optionalTenantKey(),
      body: ForgottenPassword,
      answers: { 202: Accepted },
      rules: ({ body }) => [ruleFor(body.email, (email) => parseEmail(email))],
      handle: async ({ scope, body }) => {
        await recovery.forgot(scope, body.email)
        return accepted({ message: 'If an account has this address, a mail is on its way.' })
      },
    }),
    route({
      method: 'POST',
      path: `${base}/password/reset`,
      name: 'resetPassword',
      tag,
      summary: 'Set a new password with a reset token',
      description:
        'The token can be used once. It ends all sessions of the user, unlinks a Google account and marks the e-mail address as verified. An invalid token gives `VALIDATION_ERROR` at `/body/token`. A rejected password does not use up the token.',
      access: optionalTenantKey(),
      body: PasswordReset,
      answers: { 204: null },
      refusals: ['PASSWORD_REJECTED'],
      rules: ({ scope, body }) => recovery.resetRules(scope, body),
      handle: async ({ scope, body }) => {
        await recovery.reset(scope, body)
        return noContent()
      },
    }),
  ]
}

function verificationRoutes(recovery: Recovery): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/verify-email`,
      name: 'verifyEmail',
      tag,
      summary: 'Verify an e-mail address',
      description:
        'Send the token of the verification mail, which is sent after registration and after a change of the address. It can be used once, within 24 hours. An invalid token gives `VALIDATION_ERROR` at `/body/token`.',
      access: optionalTenantKey(),
      body: Verification,
      answers: { 204: null },
      handle: async ({ scope, body }) => {
        await recovery.verify(scope, body.token)
        return noContent()
      },
    }),
    route({
      method: 'POST',
      path: `${base}/verify-email/resend`,
      name: 'resendVerification',
      tag,
      summary: 'Resend the verification mail',
      description:
        'The answer is the same if no mail is sent: because the address is already verified, because the account got three mails within the hour, or because the address got three within a rate limit window.',
      access: endUser(),
      answers: { 202: Accepted },
      handle: async ({ scope, user }) => {
        await recovery.resend(scope, user)
        return accepted({ message: 'If the address is not verified yet, a mail is on its way.' })
      },
    }),
  ]
}
