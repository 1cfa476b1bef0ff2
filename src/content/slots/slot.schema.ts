import type { Static } from 'typebox'
import { FileRecord } from '../../kernel/bundle.ts'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  Slug,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { addressLengthMax } from '../address.rules.ts'
import { slotKinds, slotsMax } from './slot.rules.ts'

const slotLinksMax = 60
const slotOrderMax = 1_000_000

const Kind = Type.String({
  maxLength: 40,
  description: `One of ${slotKinds.join(', ')}, in any case.`,
  examples: ['HERO_SLIDE'],
})

const SlotSlug = {
  ...Slug,
  description: 'Identifies the slot in bundles. Derived from the kind when absent.',
  examples: ['welcome'],
}

const Address = Type.String({
  minLength: 1,
  maxLength: addressLengthMax,
  description: 'A path, or an address that starts with https:, http: or mailto:.',
  examples: ['/products/vault-vpn'],
})

const Link = StrictObject({
  label: Type.String({ minLength: 1, maxLength: 80, examples: ['API reference'] }),
  href: Address,
})

/** The members of a slot in requests and bundles. */
const terms = {
  title: Nullable(Type.String({ maxLength: 200, examples: ['One address for everything you sell'] })),
  subtitle: Nullable(Type.String({ maxLength: 500, examples: ['Tenants, licenses and a VPN behind one API.'] })),
  body: Nullable(Type.String({ maxLength: 20_000, examples: ['Start with the **reference**.'] }), 'Markdown.'),
  href: Nullable(Address, 'The link of the slot.'),
  ctaLabel: Nullable(Type.String({ maxLength: 80, examples: ['Read on'] }), 'The text of the button.'),
  productSlug: Nullable(Type.String({ maxLength: 64, examples: ['vault-vpn'] }), 'The product to show.'),
  links: Type.Array(Link, { maxItems: slotLinksMax, description: 'Only for FOOTER_LINKS.', examples: [[]] }),
  order: Type.Integer({ minimum: 0, maximum: slotOrderMax, description: 'Position within its kind.', examples: [0] }),
  isActive: Type.Boolean({ description: 'Whether the slot can be shown.', examples: [true] }),
  startsAt: Nullable(TimestampInput, 'Shown from this time on; null for no start.'),
  endsAt: Nullable(TimestampInput, 'Shown until this time; null for no end.'),
}

const mediaId = Nullable(Id, 'An uploaded file.')

export const SlotChange = Type.Partial(
  StrictObject({ ...terms, mediaId: { ...mediaId, examples: [null] } as typeof mediaId }),
  {
    additionalProperties: false,
    examples: [{ title: 'Now with IPv6', endsAt: '2027-12-31T23:59:59.000Z' }],
  },
)
export type SlotChange = Static<typeof SlotChange>

export const NewSlot = Type.Object(
  { kind: Kind, slug: Type.Optional(SlotSlug), ...(SlotChange.properties as typeof SlotChange.properties) },
  {
    additionalProperties: false,
    examples: [{ kind: 'HERO_SLIDE', title: 'One address for everything you sell', href: '/products' }],
  },
)
export type NewSlot = Static<typeof NewSlot>

/** A slot of a bundle. Its file is named by digest, everything else by name. */
export const SlotRecord = Type.Object(
  {
    slug: SlotSlug,
    kind: Kind,
    ...Type.Partial(StrictObject(terms)).properties,
    media: Type.Optional(Nullable(FileRecord, 'An uploaded file, named by the SHA-256 of its content.')),
  },
  { title: 'SlotRecord', additionalProperties: false },
)
export type SlotRecord = Static<typeof SlotRecord>

const Variant = Type.Object(
  { url: Type.String(), width: Type.Integer(), height: Type.Integer(), size: Type.Integer(), mimeType: Type.String() },
  { additionalProperties: true },
)

const SlotMedia = Nullable(
  Type.Object(
    {
      id: Id,
      url: Type.String({ examples: ['/media/0193b6a0/hero.webp'] }),
      alt: Nullable(Type.String({ examples: ['A bridge at night'] })),
      mimeType: Type.String({ examples: ['image/webp'] }),
      width: Nullable(Type.Integer({ examples: [1920] })),
      height: Nullable(Type.Integer({ examples: [1080] })),
      variants: Type.Unsafe<Record<string, Static<typeof Variant>>>({
        type: 'object',
        additionalProperties: Variant,
        examples: [{}],
      }),
    },
    { examples: [null] },
  ),
)

const shown = {
  id: Id,
  slug: SlotSlug,
  kind: StringEnum(slotKinds),
  ...terms,
  startsAt: Nullable(Timestamp),
  endsAt: Nullable(Timestamp),
  bodyHtml: Nullable(Type.String({ examples: ['<p>Start with the <strong>reference</strong>.</p>'] }), 'Safe HTML.'),
  media: SlotMedia,
}

/** As the public sees it. */
export const PublicSlot = Type.Object(shown, { title: 'HomepageSlot' })
export type PublicSlot = Static<typeof PublicSlot>

const SlotAnswer = Type.Object(
  {
    ...shown,
    mediaId,
    isLive: Type.Boolean({ description: 'Whether the homepage shows it now.', examples: [true] }),
    revision: Type.Integer({ examples: [1] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Slot' },
)
export type SlotAnswer = Static<typeof SlotAnswer>

export const SlotQuery = StrictObject({
  ...PageQuery,
  kind: Type.Optional(Kind),
  isActive: Type.Optional(Type.Boolean({ description: 'Only active or only inactive slots.', examples: [true] })),
})

export const SlotList = StrictObject({ slots: Type.Array(SlotAnswer), pagination: PaginationSchema })
export const SlotDetail = StrictObject({ slot: SlotAnswer })

export const SlotOrder = StrictObject({
  kind: Kind,
  ids: Type.Array(Id, {
    minItems: 1,
    maxItems: slotsMax,
    description: 'The slots of the kind in their new order. Slots that are not listed follow in their old order.',
  }),
})
export type SlotOrder = Static<typeof SlotOrder>

export const OrderedSlots = StrictObject({ slots: Type.Array(SlotAnswer, { maxItems: slotsMax }) })
