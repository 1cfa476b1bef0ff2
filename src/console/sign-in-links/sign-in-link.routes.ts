import { admin } from '../../http/access/access.ts'
import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { linkUrl } from './sign-in-link.rules.ts'
import {
  NewSignInLink,
  SignInLinkCreated,
  SignInLinkList,
  SignInLinkQuery,
  signInLinkView,
} from './sign-in-link.schema.ts'
import type { SignInLinks } from './sign-in-link.service.ts'

const tag = 'Console'
const path = '/v1/platform/admin/sign-in-links'

export function signInLinkRoutes({ links, clock }: { links: SignInLinks; clock: Clock }): Route[] {
  return [
    route({
      method: 'POST',
      path,
      name: 'createSignInLink',
      tag,
      summary: 'Create a sign-in link',
      description:
        'Makes a link that opens the console signed in, once. The session depends on the admin key: if that is revoked, the link and the session end.',
      access: admin('OWNER'),
      isSensitive: true,
      usesOrigin: true,
      body: NewSignInLink,
      answers: { 201: SignInLinkCreated },
      idempotent: true,
      handle: async ({ platform, admin: maker, origin, body }) => {
        const { token, ...link } = await links.create(platform, maker, body)
        const { id, role, keyId, expiresAt } = link
        const shown = { id, role, keyId, expiresAt: expiresAt.toISOString(), url: linkUrl(origin ?? '', token) }
        return secret(created(`${path}/${id}`, { signInLink: shown }))
      },
    }),
    route({
      method: 'GET',
      path,
      name: 'listSignInLinks',
      tag,
      summary: 'List sign-in links',
      description: 'Newest first. Links that were used or have expired stay in the list for 30 days.',
      access: admin('OWNER'),
      query: SignInLinkQuery,
      answers: { 200: SignInLinkList },
      handle: async ({ platform, query: { page = 1, limit = 20 } }) => {
        const { items, total } = await links.list(platform, { page, limit })
        const now = clock.now()
        return ok({
          signInLinks: items.map((link) => signInLinkView(link, now)),
          pagination: toPagination({ page, limit }, total),
        })
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:linkId`,
      name: 'deleteSignInLink',
      tag,
      summary: 'Delete a sign-in link',
      description: 'The link can no longer be used. A session that it has opened stays; end that one by itself.',
      access: admin('OWNER'),
      answers: { 204: null },
      handle: async ({ platform, params }) => {
        await links.remove(platform, params.linkId)
        return noContent()
      },
    }),
  ]
}
