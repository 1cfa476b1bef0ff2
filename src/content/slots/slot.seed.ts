import { productSlugs } from '../../kernel/products.ts'
import type { SlotFields, SlotKind } from './slot.rules.ts'

type Seed = Partial<SlotFields> & { slug: string; kind: SlotKind }

/** The homepage after the first start: what this service is today, and where to read on. */
export const seededSlots: Seed[] = [
  {
    kind: 'HERO_SLIDE',
    slug: 'welcome',
    title: 'Several products, one address',
    subtitle: 'Tenants, users, API keys and licenses are the same for everything you sell here.',
    body: 'Atrium is the platform behind your products: **who may call**, **what they have paid for** and **how much of it is left** are answered in one place, for a VPN, a meeting assistant and an SDK alike.',
    href: '/docs',
    ctaLabel: 'Read the API reference',
  },
  {
    kind: 'HERO_SLIDE',
    slug: 'licenses-that-count',
    title: 'Licenses that count exactly',
    subtitle: 'However many requests race for the last use, one of them gets it.',
    body: 'Validate a key without using it up, or take one use of it in the same call. A license can end at a moment, after a number of uses, or never.',
    href: '/docs',
    ctaLabel: 'See how a key is validated',
  },
  {
    kind: 'FEATURED_BANNER',
    slug: 'vault-vpn-is-live',
    title: 'Vault VPN is live',
    subtitle: 'WireGuard for your customers, gated by licenses.',
    body: 'Your users register a device and get a `.conf` file or a QR code for the stock WireGuard app. Each session takes one use of a license.',
    href: `/products/${productSlugs.vpn}`,
    ctaLabel: 'About Vault VPN',
    productSlug: productSlugs.vpn,
  },
  {
    kind: 'PRODUCT_SPOTLIGHT',
    slug: 'spotlight-vault-vpn',
    title: 'Vault VPN',
    subtitle: 'Live',
    body: 'Devices, configuration files and sessions under `/vault/v1`, with an IPv4 and an IPv6 address for each device.',
    href: `/products/${productSlugs.vpn}`,
    ctaLabel: 'Open',
    productSlug: productSlugs.vpn,
  },
  {
    kind: 'PRODUCT_SPOTLIGHT',
    slug: 'spotlight-meeting-assistant',
    title: 'Meeting Assistant',
    subtitle: 'Beta',
    body: 'Keeps meetings with their transcripts under `/assistant/v1` and summarises them, in a few sentences or at length.',
    href: `/products/${productSlugs.assistant}`,
    ctaLabel: 'Open',
    productSlug: productSlugs.assistant,
  },
  {
    kind: 'PRODUCT_SPOTLIGHT',
    slug: 'spotlight-editing-sdk',
    title: 'Editing SDK',
    subtitle: 'In development',
    body: 'Editing for a cross-platform UI toolkit. What an app can use today is the validation of its license key.',
    href: `/products/${productSlugs.editing}`,
    ctaLabel: 'Open',
    productSlug: productSlugs.editing,
  },
  {
    kind: 'CTA_BLOCK',
    slug: 'first-steps',
    title: 'Make the first call',
    subtitle: 'A tenant, an API key, a user: three requests.',
    body: 'The reference runs in the browser and sends real requests. The document it is drawn from is OpenAPI 3.1, for generating a client in your language.',
    href: '/docs',
    ctaLabel: 'Open the reference',
  },
  {
    kind: 'FOOTER_LINKS',
    slug: 'footer-developers',
    title: 'Developers',
    links: [
      { label: 'API reference', href: '/docs' },
      { label: 'OpenAPI document', href: '/openapi.json' },
      { label: 'Error codes', href: '/docs/errors' },
      { label: 'Service status', href: '/health' },
    ],
  },
  {
    kind: 'FOOTER_LINKS',
    slug: 'footer-products',
    title: 'Products',
    links: [
      { label: 'All products', href: '/products' },
      { label: 'Vault VPN', href: `/products/${productSlugs.vpn}` },
      { label: 'Meeting Assistant', href: `/products/${productSlugs.assistant}` },
      { label: 'Editing SDK', href: `/products/${productSlugs.editing}` },
    ],
  },
]
