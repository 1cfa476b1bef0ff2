import type { Static } from 'typebox'
import type { PublicProduct } from '../../catalog/index.ts'
import { open } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'

const ProductLine = Type.Object(
  {
    slug: Type.String({ examples: ['vault-vpn'] }),
    name: Type.String({ examples: ['Vault VPN'] }),
    tagline: Type.String({ examples: ['WireGuard for your customers, gated by licenses.'] }),
    type: Type.String({ examples: ['APP'] }),
    status: Type.String({ examples: ['LIVE'] }),
    link: Type.String({ examples: ['/products/vault-vpn'] }),
  },
  { title: 'ProductLine' },
)

const Home = StrictObject({
  name: Type.String({ examples: ['Atrium'] }),
  version: Type.String({ examples: ['0.1.0'] }),
  products: Type.Array(ProductLine),
  links: StrictObject({
    docs: Type.String({ examples: ['/docs'] }),
    openapi: Type.String({ examples: ['/openapi.json'] }),
    health: Type.String({ examples: ['/health'] }),
  }),
})

type PublicProducts = (platform: PlatformScope) => Promise<PublicProduct[]>

export function homeRoutes({ version, publicProducts }: { version: string; publicProducts: PublicProducts }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/',
      name: 'home',
      tag: 'Utility',
      summary: 'List the products and the main links',
      access: open('the front door'),
      answers: { 200: Home },
      cache: { maxAgeSeconds: 0 },
      handle: async ({ platform }) => {
        const products = (await publicProducts(platform)).map(productLine)
        return ok({
          name: 'Atrium',
          version,
          products,
          links: { docs: '/docs', openapi: '/openapi.json', health: '/health' },
        })
      },
    }),
  ]
}

function productLine({ slug, name, tagline, type, status }: PublicProduct): Static<typeof ProductLine> {
  return { slug, name, tagline, type, status, link: `/products/${slug}` }
}
