import { tenantKey } from '../../http/access/access.ts'
import { ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import { ValidationAnswer, ValidationRequest } from './validation.schema.ts'
import { type ValidationService, validationRules } from './validation.service.ts'

export function validationRoute(validate: ValidationService): Route {
  return route({
    method: 'POST',
    path: '/vault/v1/licenses/validate',
    name: 'validateLicense',
    tag: 'Licenses',
    summary: 'Validate a license key',
    description:
      'Checks whether a license key can be used. The answer is always 200; `valid` has the result and `code` the reason. Takes no use unless `consume` is true. If several codes apply, the answer has the first in this order: NOT_FOUND, REVOKED, EXPIRED, PRODUCT_MISMATCH, USES_EXHAUSTED.',
    access: tenantKey(),
    body: ValidationRequest,
    answers: { 200: ValidationAnswer },
    idempotent: true,
    rules: ({ body }) => validationRules(body),
    handle: async ({ scope, apiKey, body }) => {
      const verdict = await validate(scope, apiKey.products, body)
      return secret(ok({ ...verdict, expiresAt: isoOrNull(verdict.expiresAt) }))
    },
  })
}
