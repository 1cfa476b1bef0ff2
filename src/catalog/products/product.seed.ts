import { productSlugs } from '../../kernel/products.ts'
import type { Product } from './product.store.ts'

/** The three products of the specification, as they stand after the first start. */
export const seededProducts: Omit<Product, 'id' | 'createdAt' | 'updatedAt'>[] = [
  {
    slug: productSlugs.vpn,
    name: 'Vault VPN',
    tagline: 'WireGuard for your customers, gated by licenses.',
    description:
      'Register devices, hand out WireGuard configuration files and start sessions under `/vault/v1`. Every session takes one use of a license; an SDK can validate a license key before it connects.',
    type: 'APP',
    status: 'LIVE',
    statusLabel: null,
    isFeatured: true,
    features: [
      {
        title: 'Stock WireGuard apps',
        description: 'A .conf file or QR code for each device; no client of our own to install.',
      },
      { title: 'IPv4 and IPv6', description: 'Every device has one address of each, never given twice.' },
      {
        title: 'Keys stay yours',
        description: 'Send a public key and no private key is ever held here; otherwise it is kept encrypted.',
      },
      {
        title: 'Licensed sessions',
        description: 'Exactly one use a session, however many requests race for the last one.',
      },
    ],
    plans: [
      {
        name: 'TRIAL',
        description: 'Five connections to try it out; made by itself at the first connect.',
        maxUses: 5,
      },
      { name: 'STARTER', description: 'One hundred connections unless agreed otherwise.', maxUses: 100 },
      { name: 'PRO', description: 'Unlimited connections.', maxUses: null },
      { name: 'ENTERPRISE', description: 'Unlimited connections, custom configuration and an SLA.', maxUses: null },
    ],
  },
  {
    slug: productSlugs.assistant,
    name: 'Meeting Assistant',
    tagline: 'Transcripts in, summaries out.',
    description:
      'Stores meetings with their transcripts and settings and summarises them, under `/assistant/v1`. In beta.',
    type: 'APP',
    status: 'BETA',
    statusLabel: null,
    isFeatured: true,
    features: [
      {
        title: 'Two lengths',
        description: 'A summary of 4 to 6 sentences, or one of 400 to 700 words with a part for each person.',
      },
      { title: 'Personalities', description: 'The tone can be supportive or challenging; the facts stay the same.' },
    ],
    plans: [],
  },
  {
    slug: productSlugs.editing,
    name: 'Editing SDK',
    tagline: 'Editing for a cross-platform UI toolkit.',
    description:
      'An SDK in development. What is there today is license validation: `POST /vault/v1/licenses/validate`.',
    type: 'SDK',
    status: 'COMING_SOON',
    statusLabel: 'development',
    isFeatured: false,
    features: [{ title: 'License validation', description: 'Validate a key, or take one use of it in the same call.' }],
    plans: [],
  },
]
