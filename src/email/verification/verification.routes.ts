import { accepted, ok, withHeaders } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { OwnerQuery } from '../configs/config.schema.ts'
import { emailAccess as access, emailBase, emailTag as tag } from '../owner.ts'
import { VerificationDetail, verificationView } from './verification.schema.ts'
import type { Verifications } from './verification.service.ts'

export function verificationRoutes(verifications: Verifications): Route[] {
  const common = { tag, access, query: OwnerQuery, refusals: ['INSUFFICIENT_ROLE', 'NOT_FOUND'] } as const
  return [
    route({
      ...common,
      refusals: ['INSUFFICIENT_ROLE', 'NOT_FOUND'],
      method: 'POST',
      path: `${emailBase}/config/verify`,
      name: 'verifyEmailConfig',
      summary: 'Verify the mail settings',
      description:
        'Logs in at the mail server, looks at the domain of `fromAddress`, and sends a mail to your own address, which has to arrive within 120 seconds. `Location` has the address of the steps. If a verification of the same settings is running, that one is returned.',
      answers: { 202: VerificationDetail },
      handle: async ({ scope, user, query: { orgId } }) => {
        const verification = await verifications.start(scope, { user, orgId })
        const ofOrg = orgId === undefined ? '' : `?orgId=${orgId}`
        const location = `${emailBase}/config/verifications/${verification.id}${ofOrg}`
        return withHeaders(accepted({ verification: verificationView(verification) }), { location })
      },
    }),
    route({
      ...common,
      refusals: ['INSUFFICIENT_ROLE', 'NOT_FOUND'],
      method: 'GET',
      path: `${emailBase}/config/verifications/:verificationId`,
      name: 'getEmailVerification',
      summary: 'Get a verification with its steps',
      description: 'Each failed step has the cause and the record to publish. It is kept for 90 days.',
      answers: { 200: VerificationDetail },
      handle: async ({ scope, user, params: { verificationId: id }, query: { orgId } }) =>
        ok({ verification: verificationView(await verifications.get(scope, { user, orgId, id })) }),
    }),
  ]
}
