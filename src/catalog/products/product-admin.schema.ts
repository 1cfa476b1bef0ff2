import type { Static } from 'typebox'
import { Id, Nullable, SingleLine, Slug, StrictObject, Timestamp, TimestampInput } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { MultilineText, WebAddress } from '../texts.schema.ts'

const Name = SingleLine({ lettersMax: 120, example: 'Photo Lab' })
const Tagline = MultilineText({ lettersMax: 300, example: 'Edit pictures where they are.' })
const Description = MultilineText({
  lettersMax: 50_000,
  example: 'Crop, correct and share pictures, in **one** place.',
  description: 'Markdown.',
})
const TypeWord = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'SDK, API, APP or SERVICE, in any letter case.',
  examples: ['service'],
})
const StatusWord = Type.String({
  minLength: 1,
  maxLength: 32,
  description:
    'DRAFT (the default), COMING_SOON, BETA, LIVE or DEPRECATED, in any letter case, with hyphens or spaces. Also development, in-development, dev (COMING_SOON), alpha, preview (BETA), published, active (LIVE), retired, sunset (DEPRECATED).',
  examples: ['development'],
})
const Tag = SingleLine({ lettersMax: 40, example: 'pictures' })

const Links = StrictObject({
  website: Type.Optional(WebAddress('https://photolab.example')),
  repo: Type.Optional(WebAddress('https://git.example/photolab')),
  support: Type.Optional(WebAddress('https://photolab.example/support')),
  changelog: Type.Optional(WebAddress('https://photolab.example/changes')),
})

export const Seo = StrictObject({
  title: Type.Optional(Nullable(SingleLine({ lettersMax: 200, example: 'Photo Lab' }))),
  description: Type.Optional(
    Nullable(MultilineText({ lettersMax: 500, example: 'Crop, correct and share pictures.' })),
  ),
  imageId: Type.Optional(Nullable(Id, 'An uploaded picture.')),
  noindex: Type.Optional(Type.Boolean({ examples: [false] })),
})

const ApiPrefix = Type.String({
  maxLength: 64,
  pattern: '^(?:/[a-z0-9][a-z0-9._-]*)+$',
  description: 'The path prefix of its routes.',
  examples: ['/photolab/v1'],
})

const terms = {
  tagline: Type.Optional(Nullable(Tagline)),
  description: Type.Optional(Nullable(Description)),
  isFeatured: Type.Optional(Type.Boolean({ examples: [true] })),
  sortOrder: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [100] }), 'Smaller comes first; 100 if absent.'),
  ),
  apiPrefix: Type.Optional(Nullable(ApiPrefix)),
  iconMediaId: Type.Optional(Nullable(Id, 'An uploaded picture.')),
  coverMediaId: Type.Optional(Nullable(Id, 'An uploaded picture.')),
  tags: Type.Optional(Nullable(Type.Array(Tag, { maxItems: 20 }))),
  links: Type.Optional(Nullable(Links)),
  seo: Type.Optional(Nullable(Seo)),
}

const example = {
  slug: 'photo-lab',
  name: 'Photo Lab',
  type: 'service',
  status: 'development',
  description: 'Crop, correct and share pictures, in **one** place.',
}

export const NewProduct = Type.Object(
  { slug: Slug, name: Name, type: TypeWord, status: Type.Optional(StatusWord), ...terms },
  { additionalProperties: false, examples: [example] },
)
export type NewProduct = Static<typeof NewProduct>

export const ProductChange = Type.Object(
  {
    slug: Type.Optional(Slug),
    name: Type.Optional(Name),
    type: Type.Optional(TypeWord),
    status: Type.Optional(StatusWord),
    force: Type.Optional(
      Type.Boolean({ description: 'Allows a move back that is otherwise refused.', examples: [false] }),
    ),
    ...terms,
    sunsetAt: Type.Optional(Nullable(TimestampInput, 'When a DEPRECATED product ends.')),
    replacedBy: Type.Optional(Nullable(Slug, 'The slug of the product that replaces a DEPRECATED one.')),
  },
  { additionalProperties: false, examples: [{ status: 'live', description: 'Now for everybody.' }] },
)
export type ProductChange = Static<typeof ProductChange>

export const PreviewRequest = Type.Object(
  {
    expiresInSeconds: Type.Optional(
      Type.Integer({ minimum: 60, maximum: 604_800, default: 3600, description: 'At most 7 days.', examples: [3600] }),
    ),
  },
  { additionalProperties: false },
)

export const PreviewLink = StrictObject({
  url: Type.String({
    description: 'The path of the product with the token in it.',
    examples: ['/products/photo-lab?preview=mi97kw2o.0e3qY0m0Vv1r6nq3kqTzqk2mYb0xT5l1o8u4dJm7cWs'],
  }),
  expiresAt: Timestamp,
})
