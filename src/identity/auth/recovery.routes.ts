import { accepted, noContent } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { AuthMount } from './auth-mounts.ts'
import { Accepted, ForgottenPassword, PasswordReset, Verification } from './recovery.schema.ts'
import type { Recovery } from './recovery.service.ts'

const tag = 'Users'

/** Password reset and e-mail verification. */
export function recoveryRoutes(mount: AuthMount, recovery: Recovery): Route[] {
  return [...resetRoutes(mount, recovery), ...verificationRoutes(mount, recovery)]
}

function resetRoutes({ prefix, keyAccess, operationName: named }: AuthMount, recovery: Recovery): Route[] {
  return [
    route({
      method: 'POST',
      path: `${prefix}/password/forgot`,
      name: named('ForgotPassword'),
      tag,
      summary: 'Request a password reset mail',
      description:
        'The answer is the same whether or not an account has this address. An account gets at most three mails per hour, and an address at most three per rate limit window. Only the token of the latest mail is valid, for one hour.',
      access: keyAccess,
      body: ForgottenPassword,
      answers: { 202: Accepted },
      handle: async ({ scope, body }) => {
        await recovery.forgot(scope, body.email)
        return accepted({ message: 'If an account has this address, a mail is on its way.' })
      },
    }),
    route({
      method: 'POST',
      path: `${prefix}/password/reset`,
      name: named('ResetPassword'),
      tag,
      summary: 'Set a new password with a reset token',
      description:
        'The token can be used once. It ends all sessions of the user, unlinks a Google account and marks the e-mail address as verified. An invalid token gives `VALIDATION_ERROR` at `/body/token`. A rejected password does not use up the token.',
      access: keyAccess,
      body: PasswordReset,
      answers: { 204: null },
      refusals: ['PASSWORD_REJECTED'],
      handle: async ({ scope, body }) => {
        await recovery.reset(scope, body)
        return noContent()
      },
    }),
  ]
}

function verificationRoutes(
  { prefix, keyAccess, userAccess, operationName: named }: AuthMount,
  recovery: Recovery,
): Route[] {
  return [
    route({
      method: 'POST',
      path: `${prefix}/verify-email`,
      name: named('VerifyEmail'),
      tag,
      summary: 'Verify an e-mail address',
      description:
        'Send the token of the verification mail, which is sent after registration and after a change of the address. It can be used once, within 24 hours. An invalid token gives `VALIDATION_ERROR` at `/body/token`.',
      access: keyAccess,
      body: Verification,
      answers: { 204: null },
      handle: async ({ scope, body }) => {
        await recovery.verify(scope, body.token)
        return noContent()
      },
    }),
    route({
      method: 'POST',
      path: `${prefix}/verify-email/resend`,
      name: named('ResendVerification'),
      tag,
      summary: 'Resend the verification mail',
      description:
        'The answer is the same if no mail is sent: because the address is already verified, because the account got three mails within the hour, or because the address got three within a rate limit window.',
      access: userAccess,
      answers: { 202: Accepted },
      handle: async ({ scope, user }) => {
        await recovery.resend(scope, user)
        return accepted({ message: 'If the address is not verified yet, a mail is on its way.' })
      },
    }),
  ]
}
