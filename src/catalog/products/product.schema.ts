import type { Static } from 'typebox'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { PublicDownload } from '../downloads/download.schema.ts'
import { FeatureAnswer } from '../features/feature.schema.ts'
import { PlanAnswer } from '../plans/plan.schema.ts'
import { Picture, ProductMediaAnswer } from '../product-media/product-media.schema.ts'
import { PublicVersion } from '../versions/version.schema.ts'
import { productStatuses, productTypes } from './product-vocabulary.rules.ts'

const Address = (example: string) => Nullable(Type.String({ examples: [example] }))

const LinksAnswer = StrictObject({
  website: Address('https://photolab.example'),
  repo: Address('https://git.example/photolab'),
  support: Address('https://photolab.example/support'),
  changelog: Address('https://photolab.example/changes'),
})

const SeoAnswer = StrictObject({
  title: Nullable(Type.String({ examples: ['Photo Lab: edit pictures in the browser'] })),
  description: Nullable(Type.String({ examples: ['Crop, correct and share pictures.'] })),
  imageId: Nullable(Id, 'An uploaded picture.'),
  noindex: Type.Boolean({ description: 'Search engines are asked to leave it out.', examples: [false] }),
})

const reached = (what: string) => Nullable(Timestamp, `When its status was first ${what}.`)

/** A line of the table of contents of a product's docs. */
const DocLine = Type.Object({
  slug: Type.String({ examples: ['quickstart'] }),
  title: Type.String({ examples: ['Quickstart'] }),
  section: Nullable(Type.String({ examples: ['Start'] })),
  order: Type.Integer({ examples: [0] }),
})
export type DocLine = Static<typeof DocLine>

export const ProductAnswer = Type.Object(
  {
    id: Id,
    slug: Type.String({ examples: ['vault-vpn'] }),
    name: Type.String({ examples: ['Vault VPN'] }),
    tagline: Type.String({ examples: ['WireGuard for your customers, gated by licenses.'] }),
    description: Type.String({
      description: 'Markdown.',
      examples: ['Register devices, hand out .conf files and gate every connection by a license.'],
    }),
    descriptionHtml: Type.String({
      description: 'The description as sanitized HTML, safe to embed in any page.',
      examples: ['<p>Register devices, hand out .conf files and gate every connection by a license.</p>'],
    }),
    type: StringEnum(productTypes, { description: 'What kind of product it is.' }),
    typeLabel: Nullable(Type.String({ examples: ['service'] }), 'The type as it was entered, if that differs.'),
    status: StringEnum(productStatuses, { description: 'A DRAFT is not public.' }),
    statusLabel: Nullable(Type.String({ examples: ['development'] }), 'The status as it was entered, if that differs.'),
    isFeatured: Type.Boolean({ examples: [true] }),
    sortOrder: Type.Integer({ description: 'Smaller comes first.', examples: [100] }),
    apiPrefix: Nullable(Type.String({ examples: ['/vault/v1'] }), 'The path prefix of its routes.'),
    iconMediaId: Nullable(Id),
    icon: Nullable(Picture),
    coverMediaId: Nullable(Id),
    cover: Nullable(Picture),
    tags: Type.Array(Type.String({ examples: ['vpn'] })),
    links: LinksAnswer,
    seo: SeoAnswer,
    features: Type.Array(FeatureAnswer),
    plans: Type.Array(PlanAnswer),
    media: Type.Array(ProductMediaAnswer),
    downloads: Type.Array(PublicDownload),
    versions: Type.Array(PublicVersion),
    latestVersion: Nullable(Type.String({ examples: ['1.4.0'] }), 'The newest stable version that is not yanked.'),
    docs: Type.Array(DocLine),
    announcedAt: reached('COMING_SOON'),
    betaAt: reached('BETA'),
    launchedAt: reached('LIVE'),
    deprecatedAt: reached('DEPRECATED'),
    sunsetAt: Nullable(Timestamp, 'When a DEPRECATED product ends.'),
    replacedBy: Nullable(
      Type.String({ examples: ['photo-lab'] }),
      'The slug of the product that replaces a DEPRECATED one.',
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Type.Integer({
      description: 'Counts changes of the product and of everything that belongs to it.',
      examples: [1],
    }),
  },
  { title: 'Product' },
)
export type ProductAnswer = Static<typeof ProductAnswer>

const words = (what: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      description: `${what}, in any letter case. Separate several with commas.`,
      examples: [example],
    }),
  )

export const ProductQuery = StrictObject({
  ...PageQuery,
  type: words('SDK, API, APP or SERVICE', 'APP'),
  status: words('COMING_SOON, BETA, LIVE or DEPRECATED', 'LIVE,BETA'),
  featured: Type.Optional(
    Type.Boolean({ description: 'true: only featured products; false: only the others.', examples: [true] }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Text to find in slug, name, tagline, description or tags, in any letter case.',
      examples: ['wireguard'],
    }),
  ),
})
export type ProductQuery = Static<typeof ProductQuery>

export const PreviewQuery = StrictObject({
  preview: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The token of a preview link. It shows drafts too.',
      examples: ['mi97kw2o.0e3qY0m0Vv1r6nq3kqTzqk2mYb0xT5l1o8u4dJm7cWs'],
    }),
  ),
})

export const ProductList = StrictObject({ products: Type.Array(ProductAnswer), pagination: PaginationSchema })
export const ProductDetail = StrictObject({ product: ProductAnswer })
