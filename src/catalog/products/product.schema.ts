import type { Static } from 'typebox'
import { Closed, Id, Nullable, PageQuery, PaginationAnswer, Timestamp, Words } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

export const productTypes = ['SDK', 'API', 'APP', 'SERVICE'] as const
const productStatuses = ['DRAFT', 'COMING_SOON', 'BETA', 'LIVE', 'DEPRECATED'] as const

const Feature = Closed({
  title: Type.String({ examples: ['One .conf for every device'] }),
  description: Type.String({ examples: ['Works with the stock WireGuard apps.'] }),
})

const Plan = Closed({
  name: Type.String({ examples: ['TRIAL'] }),
  description: Type.String({ examples: ['Five connections to try it out.'] }),
  maxUses: Nullable(Type.Integer({ examples: [5] }), 'Connections included; null: unlimited.'),
})

export const ProductAnswer = Type.Object(
  {
    id: Id,
    slug: Type.String({ examples: ['vault-vpn'] }),
    name: Type.String({ examples: ['Vault VPN'] }),
    tagline: Type.String({ examples: ['WireGuard for your customers, gated by licenses.'] }),
    description: Type.String({
      examples: ['Register devices, hand out .conf files and gate every connection by a license.'],
    }),
    type: Words(productTypes, { description: 'What kind of product it is.' }),
    status: Words(productStatuses, { description: 'A DRAFT is not public.' }),
    statusLabel: Nullable(
      Type.String({ examples: ['development'] }),
      'The status in the word it was entered with, where that differs.',
    ),
    isFeatured: Type.Boolean({ examples: [true] }),
    features: Type.Array(Feature),
    plans: Type.Array(Plan),
    downloads: Type.Array(Type.Object({}, { additionalProperties: true }), { examples: [[]] }),
    versions: Type.Array(Type.Object({}, { additionalProperties: true }), { examples: [[]] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Product' },
)
export type ProductAnswer = Static<typeof ProductAnswer>

export const ProductQuery = Closed({
  ...PageQuery,
  type: Type.Optional(
    Type.String({ maxLength: 32, description: 'SDK, API, APP or SERVICE, in any case.', examples: ['APP'] }),
  ),
})

export const ProductList = Closed({ products: Type.Array(ProductAnswer), pagination: PaginationAnswer })
export const ProductDetail = Closed({ product: ProductAnswer })
