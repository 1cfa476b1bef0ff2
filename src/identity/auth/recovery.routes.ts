import { accepted, noContent } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { AuthMount } from './auth-mounts.ts'
import { Accepted, ForgottenPassword, PasswordReset, Verification } from './recovery.schema.ts'
import type { Recovery } from './recovery.service.ts'

const tag = 'Users'

/** What a person does with the mails of an account. */
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
      summary: 'Ask for a mail that resets the password',
      description:
        'Answered alike whether or not somebody has the address. At most three mails an hour go to one account, and three in a rate limit window to one address, whoever has it; the token in the last one works, for an hour.',
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
      summary: 'Set a new password with the token of a mail',
      description:
        'The token works once. Ends every session of the user and the link to a Google account, and the address is verified by it. A token that does not work is a `VALIDATION_ERROR` at `/body/token`; a password that is refused leaves the token as it was.',
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
      summary: 'Verify the address with the token of a mail',
      description:
        'The mail is sent at the registration and when the address changes; its token works once, for 24 hours. One that does not work is a `VALIDATION_ERROR` at `/body/token`.',
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
      summary: 'Ask for another mail that verifies the own address',
      description:
        'Answered alike where the address is verified already and where three mails were sent within the hour, or within a rate limit window to the same address: then none is.',
      access: userAccess,
      answers: { 202: Accepted },
      handle: async ({ scope, user }) => {
        await recovery.resend(scope, user)
        return accepted({ message: 'If the address is not verified yet, a mail is on its way.' })
      },
    }),
  ]
}
