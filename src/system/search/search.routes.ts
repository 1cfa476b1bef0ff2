import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { type Found, foundKinds } from '../../kernel/found.ts'
import { Id, Nullable, SingleLine, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'

const SearchRequest = StrictObject({
  q: SingleLine({
    lettersMax: 256,
    example: 'northwind',
    description:
      'An id, the start of an e-mail address, a part of the name or slug of a tenant, a license key, an API key or the start of one (`atr_Ab3d`), or the id of a request.',
  }),
})

const SearchResults = StrictObject({
  results: Type.Array(
    Type.Object(
      {
        kind: StringEnum(foundKinds, {
          description: 'AUDIT_ENTRIES: what a request changed; `id` is that of the request.',
        }),
        id: Type.String({ examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] }),
        tenantId: Nullable(Id),
        name: Type.String({ examples: ['Northwind'] }),
        detail: Nullable(
          Type.String({ examples: ['northwind'] }),
          'What distinguishes it from others with the same name.',
        ),
      },
      { title: 'PlatformSearchResult' },
    ),
    { description: 'At most ten of a kind. An exact slug comes first.' },
  ),
})

export type SearchDeps = {
  /** Each finds things of its own. */
  searches: ((platform: PlatformScope, text: string) => Promise<Found[]>)[]
}

export function searchRoutes({ searches }: SearchDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/platform/admin/search',
      name: 'searchPlatform',
      tag: 'Administration',
      summary: 'Find anything',
      description:
        'Finds tenants, users, keys, licenses, devices, VPN sessions and servers, and audit entries. A POST, because a key in an address would end up in logs. It changes nothing.',
      access: admin('VIEWER'),
      body: SearchRequest,
      answers: { 200: SearchResults },
      handle: async ({ platform, body }) => {
        const text = body.q.trim()
        const found = await Promise.all(searches.map((search) => search(platform, text)))
        return ok({ results: found.flat() })
      },
    }),
  ]
}
