import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { AccessQuestion, AccessVerdict } from './access-check.schema.ts'
import { type AccessCheckDeps, accessCheckService } from './access-check.service.ts'

export function accessCheckRoutes(deps: AccessCheckDeps): Route[] {
  const check = accessCheckService(deps)
  return [
    route({
      method: 'POST',
      path: '/admin/access-check',
      name: 'checkAccess',
      tag: 'Administration',
      summary: 'Explain why a caller is let in or refused',
      description:
        'All checks that stand between an API key and a use of a license, in their order. Nothing is changed, used up or stamped. Always the same twelve checks; `passed` is null for those that were not asked about or that a failed one makes pointless.',
      // A question in the body, because keys do not belong into an address.
      access: admin('VIEWER'),
      body: AccessQuestion,
      answers: { 200: AccessVerdict },
      handle: async ({ platform, body }) => {
        const checks = await check(platform, body)
        return ok({ allowed: checks.every(({ passed }) => passed !== false), checks })
      },
    }),
  ]
}
