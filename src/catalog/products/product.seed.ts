import { productSlugs } from '../../kernel/products.ts'
import { type FeatureFields, featureDefaults } from '../features/feature.rules.ts'
import { type PlanFields, planDefaults } from '../plans/plan.rules.ts'
import type { ProductFields } from './product.rules.ts'

type SeedTerms = Pick<
  ProductFields,
  'slug' | 'name' | 'tagline' | 'description' | 'type' | 'status' | 'statusLabel' | 'isFeatured' | 'sortOrder'
> &
  Pick<ProductFields, 'apiPrefix' | 'tags'>

export type ProductSeed = { product: SeedTerms; features: FeatureFields[]; plans: PlanFields[] }

const feature = (terms: Partial<FeatureFields> & Pick<FeatureFields, 'slug' | 'title'>): FeatureFields => ({
  ...featureDefaults,
  ...terms,
})

const plan = (terms: Partial<PlanFields> & Pick<PlanFields, 'code' | 'name'>): PlanFields => ({
  ...planDefaults,
  ...terms,
})

const vpn: ProductSeed = {
  product: {
    slug: productSlugs.vpn,
    name: 'Vault VPN',
    tagline: 'WireGuard for your customers, gated by licenses.',
    description: [
      'Your users register their devices, download a WireGuard configuration and connect, all under `/vault/v1`.',
      'Each session takes one use of a license, and ends when the license or the device is revoked.',
      'An SDK can ask whether a license key may be used before it connects: `POST /vault/v1/licenses/validate`.',
    ].join('\n\n'),
    type: 'APP',
    status: 'LIVE',
    statusLabel: null,
    isFeatured: true,
    sortOrder: 10,
    apiPrefix: '/vault/v1',
    tags: ['vpn', 'wireguard', 'licenses'],
  },
  features: [
    feature({
      slug: 'stock-apps',
      title: 'Stock WireGuard apps',
      description: 'A .conf file or QR code for each device; no client of our own to install.',
      group: 'Devices',
      isHighlighted: true,
    }),
    feature({
      slug: 'two-address-families',
      title: 'IPv4 and IPv6',
      description: 'Every device has one address of each, and no other device has them.',
      group: 'Devices',
    }),
    feature({
      slug: 'your-keys',
      title: 'Keys stay yours',
      description: 'Send a public key and no private key is ever held here; otherwise it is kept encrypted.',
      group: 'Security',
      isHighlighted: true,
    }),
    feature({
      slug: 'licensed-sessions',
      title: 'Licensed sessions',
      description: 'Exactly one use a session, however many requests race for the last one.',
      group: 'Licenses',
      isHighlighted: true,
      availability: { TRIAL: '5 uses', STARTER: '100 uses', PRO: 'unlimited', ENTERPRISE: 'unlimited' },
    }),
    feature({
      slug: 'license-validation',
      title: 'License validation',
      description: 'One request says whether a key is valid, for which plan and for how many more uses; it takes none.',
      group: 'Licenses',
    }),
    feature({
      slug: 'regions',
      title: 'Servers by region',
      description: 'A device is placed on a server of the region it asks for, or wherever there is most room.',
      group: 'Network',
    }),
  ],
  plans: [
    plan({
      code: 'TRIAL',
      name: 'Trial',
      description: 'Five connections to try it out; made by itself at the first connect.',
      maxUses: 5,
      features: ['5 connections', 'Made at the first connect'],
    }),
    plan({
      code: 'STARTER',
      name: 'Starter',
      description: 'One hundred connections unless agreed otherwise.',
      maxUses: 100,
      features: ['100 connections'],
    }),
    plan({
      code: 'PRO',
      name: 'Pro',
      description: 'Unlimited connections.',
      features: ['Unlimited connections'],
      isPopular: true,
    }),
    plan({
      code: 'ENTERPRISE',
      name: 'Enterprise',
      description: 'Unlimited connections, custom configuration and an SLA.',
      features: ['Unlimited connections', 'Custom configuration', 'An SLA'],
    }),
  ],
}

const assistant: ProductSeed = {
  product: {
    slug: productSlugs.assistant,
    name: 'Meeting Assistant',
    tagline: 'Transcripts in, summaries out.',
    description:
      'Stores meetings with their transcripts and settings and summarises them, under `/assistant/v1`. In beta.',
    type: 'APP',
    status: 'BETA',
    statusLabel: null,
    isFeatured: true,
    sortOrder: 20,
    apiPrefix: '/assistant/v1',
    tags: ['meetings', 'transcripts', 'summaries'],
  },
  features: [
    feature({
      slug: 'two-lengths',
      title: 'Two lengths',
      description: 'A summary of 4 to 6 sentences, or one of 400 to 700 words with a part for each person.',
      group: 'Summaries',
      isHighlighted: true,
    }),
    feature({
      slug: 'personalities',
      title: 'Personalities',
      description: 'The tone can be supportive or challenging; the facts stay the same.',
      group: 'Summaries',
      isHighlighted: true,
    }),
  ],
  plans: [],
}

const editing: ProductSeed = {
  product: {
    slug: productSlugs.editing,
    name: 'Editing SDK',
    tagline: 'Editing for a cross-platform UI toolkit.',
    description:
      'An SDK in development. What is there today is license validation: `POST /vault/v1/licenses/validate`.',
    type: 'SDK',
    status: 'COMING_SOON',
    statusLabel: 'development',
    isFeatured: false,
    sortOrder: 30,
    apiPrefix: null,
    tags: ['sdk', 'editing', 'licenses'],
  },
  features: [
    feature({
      slug: 'license-validation',
      title: 'License validation',
      description: 'Validate a key, or take one use of it in the same call.',
      group: 'Licenses',
      isHighlighted: true,
    }),
  ],
  plans: [],
}

/** The three built-in products, as a first start adds them. */
export const seededProducts = [vpn, assistant, editing]
