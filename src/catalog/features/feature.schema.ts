import type { Static } from 'typebox'
import { Id, Nullable, SingleLine, Slug, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { OrderAnswer, OrderInput } from '../product-child/product-child.schema.ts'
import { MultilineText } from '../texts.schema.ts'

const Title = SingleLine({ lettersMax: 120, example: 'Stock WireGuard apps' })
const Description = MultilineText({ lettersMax: 2000, example: 'A .conf file or QR code for each device.' })
const Icon = SingleLine({ lettersMax: 64, example: 'shield', description: 'The name of an icon that the pages know.' })
const Group = SingleLine({ lettersMax: 64, example: 'Security' })
const Availability = Type.Unsafe<Record<string, boolean | string>>({
  type: 'object',
  maxProperties: 20,
  propertyNames: { type: 'string', pattern: '^[A-Z][A-Z0-9_]{0,31}$' },
  additionalProperties: { type: ['boolean', 'string'], maxLength: 120 },
  description: 'Maps the code of a plan to whether it has the feature, or to how much of it.',
  examples: [{ TRIAL: false, PRO: true, ENTERPRISE: 'with an SLA' }],
})
const FeatureSlug = {
  ...Slug,
  description: 'Unique in the product. Made from the title if absent.',
  examples: ['stock-apps'],
}

const terms = {
  slug: Type.Optional(FeatureSlug),
  description: Type.Optional(Nullable(Description)),
  icon: Type.Optional(Nullable(Icon)),
  group: Type.Optional(Nullable(Group)),
  isHighlighted: Type.Optional(Type.Boolean({ examples: [true] })),
  availability: Type.Optional(Nullable(Availability)),
  order: Type.Optional(OrderInput),
}

export const NewFeature = StrictObject({ title: Title, ...terms })
export type NewFeature = Static<typeof NewFeature>
export const FeatureChange = Type.Object(
  { title: Type.Optional(Title), ...terms },
  { additionalProperties: false, examples: [{ isHighlighted: true, order: 0 }] },
)
export type FeatureChange = Static<typeof FeatureChange>

export const FeatureAnswer = Type.Object(
  {
    id: Id,
    slug: FeatureSlug,
    title: Title,
    description: Description,
    icon: Nullable(Icon),
    group: Nullable(Group),
    isHighlighted: Type.Boolean({ examples: [true] }),
    availability: Availability,
    order: OrderAnswer,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'ProductFeature' },
)
export type FeatureAnswer = Static<typeof FeatureAnswer>
