import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { AccessQuestion, AccessVerdict } from './access-check.schema.ts'
import { type AccessCheckDeps, accessCheckService, questionRules } from './access-check.service.ts'

export function accessCheckRoutes(deps: AccessCheckDeps): Route[] {
  const check = accessCheckService(deps)
  return [
    route({
      method: 'POST',
      path: '/admin/access-check',
      name: 'checkAccess',
      tag: 'Administration',
      summary: 'Explain why a caller is accepted or refused',
      description:
        'Runs all checks between an API key and the use of a license, in order, without changing anything. The answer always has the same twelve checks. `passed` is null for a check that was not part of the request or was skipped because an earlier one failed.',
      // POST, because keys must not appear in a URL.
      access: admin('VIEWER'),
      body: AccessQuestion,
      answers: { 200: AccessVerdict },
      rules: ({ body }) => questionRules(body),
      handle: async ({ platform, body }) => {
        const checks = await check(platform, body)
        return ok({ allowed: checks.every(({ passed }) => passed !== false), checks })
      },
    }),
  ]
}
