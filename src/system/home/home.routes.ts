import type { Static } from 'typebox'
import type { PublicProduct } from '../../catalog/index.ts'
import { open } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { preferredMediaType } from '../../http/negotiation.ts'
import { htmlType, pageAnswer } from '../../http/page.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { homePage, type ServiceState } from './home.page.ts'

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

type HomeDeps = {
  version: string
  clock: Clock
  publicProducts: (platform: PlatformScope) => Promise<PublicProduct[]>
  /** The state that `/health` tells. */
  state: () => Promise<ServiceState>
}

const json = 'application/json'
/** The page shows the state of the service, so it is not cached for longer. */
const pageSeconds = 1

export function homeRoutes({ version, clock, publicProducts, state }: HomeDeps): Route[] {
  const listProducts = async (platform: PlatformScope) => (await publicProducts(platform)).map(productLine)
  const showPage = async (platform: PlatformScope) => {
    const current = await state()
    // While the database is away the page still says so.
    const products = current === 'unavailable' ? null : await listProducts(platform).catch(() => null)
    const validUntil = new Date(clock.now().getTime() + pageSeconds * 1000)
    return { ...pageAnswer(homePage({ version, state: current, products })), validUntil }
  }
  return [
    route({
      method: 'GET',
      path: '/',
      name: 'home',
      tag: 'Utility',
      summary: 'List the products and the main links',
      description:
        'JSON, unless `Accept` prefers `text/html`, as browsers do: then a page for people with the state of the service, the documentation and the first steps.',
      access: open('the front door'),
      answers: { 200: { rawTypes: [htmlType], json: Home, description: 'The products and links, or the page.' } },
      cache: { maxAgeSeconds: 0 },
      handle: async ({ platform, headers: { accept } }) => {
        if (preferredMediaType(accept, [json, 'text/html']) !== json) return showPage(platform)
        const products = await listProducts(platform)
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
