import type { Static } from 'typebox'
import { Id, Nullable, SingleLine, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { OrderAnswer, OrderInput } from '../product-child/product-child.schema.ts'
import { MultilineText, WebAddress } from '../texts.schema.ts'
import { productMediaKinds } from './product-media.rules.ts'

const Kind = StringEnum(productMediaKinds)
const Alt = SingleLine({
  lettersMax: 500,
  example: 'The list of devices',
  description: 'Alternative text. Required unless `kind` is VIDEO.',
})
const Caption = MultilineText({ lettersMax: 500, example: 'Every device has an address of its own.' })
const mediaNote = 'An uploaded file.'

const terms = {
  mediaId: Type.Optional(Nullable(Id, `${mediaNote} Exactly one of \`mediaId\` and \`url\` is required.`)),
  url: Type.Optional(WebAddress('https://video.example/watch/1')),
  alt: Type.Optional(Nullable(Alt)),
  caption: Type.Optional(Nullable(Caption)),
  posterMediaId: Type.Optional(Nullable(Id, 'An uploaded picture to show before a VIDEO plays.')),
  order: Type.Optional(OrderInput),
}

const example = { kind: 'VIDEO', url: 'https://video.example/watch/1', caption: 'A tour of two minutes.' }

export const NewProductMedia = Type.Object(
  { kind: Kind, ...terms },
  { additionalProperties: false, examples: [example] },
)
export type NewProductMedia = Static<typeof NewProductMedia>
export const ProductMediaChange = Type.Object(
  { kind: Type.Optional(Kind), ...terms },
  { additionalProperties: false, examples: [{ caption: 'A tour of three minutes.' }] },
)
export type ProductMediaChange = Static<typeof ProductMediaChange>

/** An uploaded picture with what a page needs to show it. */
export const Picture = Type.Object(
  {
    id: Id,
    url: Type.String({ examples: ['/media/0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57/devices.webp'] }),
    mimeType: Type.String({ examples: ['image/webp'] }),
    width: Nullable(Type.Integer({ examples: [1280] }), 'Pixels.'),
    height: Nullable(Type.Integer({ examples: [720] }), 'Pixels.'),
    alt: Nullable(Type.String({ examples: ['The list of devices'] })),
    variants: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Smaller versions by name: `{ url, width, height, size, mimeType }`.',
        examples: [{}],
      },
    ),
  },
  { title: 'Picture' },
)
export type Picture = Static<typeof Picture>

export const ProductMediaAnswer = Type.Object(
  {
    id: Id,
    kind: Kind,
    mediaId: Nullable(Id, mediaNote),
    url: Nullable(Type.String({ examples: ['https://video.example/watch/1'] }), 'The address of the picture or film.'),
    alt: Nullable(Alt),
    caption: Nullable(Caption),
    posterMediaId: Nullable(Id),
    posterUrl: Nullable(Type.String({ examples: ['/media/0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57/poster.webp'] })),
    width: Nullable(Type.Integer({ examples: [1280] }), 'Pixels.'),
    height: Nullable(Type.Integer({ examples: [720] }), 'Pixels.'),
    variants: Picture.properties.variants,
    order: OrderAnswer,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'ProductMedia' },
)
export type ProductMediaAnswer = Static<typeof ProductMediaAnswer>
