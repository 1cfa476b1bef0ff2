import { endUserOptionalKey } from '../http/access/access.ts'
import { ok } from '../http/answer.ts'
import { type Route, route } from '../http/route.ts'
import { productSlugs } from '../kernel/products.ts'
import { DigestBody, DigestDetail } from './digest.schema.ts'
import type { Digests } from './digest.service.ts'

const access = endUserOptionalKey(productSlugs.assistant)
const path = '/assistant/v1/email/digest'
const tag = 'E-mail'

/** Each user's own. */
export function digestRoutes(digests: Digests): Route[] {
  return [
    route({
      method: 'GET',
      path,
      name: 'getEmailDigest',
      tag,
      summary: 'Get when you receive a digest',
      access,
      answers: { 200: DigestDetail },
      handle: async ({ scope, user }) => ok({ digest: await digests.get(scope, user) }),
    }),
    route({
      method: 'PUT',
      path,
      name: 'setEmailDigest',
      tag,
      summary: 'Set when you receive a digest',
      description:
        'Meetings that you may read and that ended since the last one, with their decisions, and your open tasks. None is sent if there is nothing to report, or if your address is not verified. What you leave out stays as it is.',
      access,
      body: DigestBody,
      answers: { 200: DigestDetail },
      handle: async ({ scope, user, body }) => ok({ digest: await digests.change(scope, user, body) }),
    }),
  ]
}
