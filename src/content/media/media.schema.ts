import type { Static } from 'typebox'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  SingleLine,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { mediaKinds } from './media-type.rules.ts'

const alt = SingleLine({ lettersMax: 500, example: 'A laptop with the Vault VPN app' })
const title = SingleLine({ lettersMax: 200, example: 'The app on a laptop' })
const caption = SingleLine({ lettersMax: 2000, example: 'Photographed in the office.' })
const folder = Type.String({
  maxLength: 200,
  pattern: '^[a-z0-9]+(?:[-_][a-z0-9]+)*(?:/[a-z0-9]+(?:[-_][a-z0-9]+)*)*$',
  description: 'A folder path in lower case.',
  examples: ['products/vault-vpn'],
})
const tags = Type.Array(SingleLine({ lettersMax: 50, example: 'screenshot' }), { maxItems: 20, uniqueItems: true })
const focal = (side: string) =>
  Type.Integer({ minimum: 0, maximum: 100, description: `Per cent from the ${side}. Default: 50.`, examples: [50] })

/** The text fields of an upload. */
export const MediaFields = StrictObject({
  alt: Type.Optional(alt),
  title: Type.Optional(title),
  caption: Type.Optional(caption),
  folder: Type.Optional(folder),
  tags: Type.Optional(tags),
  focalX: Type.Optional(focal('left')),
  focalY: Type.Optional(focal('top')),
})
export type MediaFields = Static<typeof MediaFields>

export const MediaChange = StrictObject({
  alt: Type.Optional(Nullable(alt, 'Text for people who cannot see the image.')),
  title: Type.Optional(Nullable(title)),
  caption: Type.Optional(Nullable(caption)),
  folder: Type.Optional(Nullable(folder)),
  tags: Type.Optional(tags),
  focalX: Type.Optional(focal('left')),
  focalY: Type.Optional(focal('top')),
})
export type MediaChange = Static<typeof MediaChange>

export const MediaQuery = StrictObject({
  ...PageQuery,
  q: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Text to find in names, texts and tags, in any case.',
      examples: ['laptop'],
    }),
  ),
  kind: Type.Optional(StringEnum(mediaKinds)),
  folder: Type.Optional(folder),
  unused: Type.Optional(Type.Boolean({ description: 'true: only unused files. false: only files in use.' })),
})

const url = Type.String({ examples: ['/media/9f86d081884c7d659a2feaa0c55ad015/laptop.jpg'] })
const size = Type.Integer({ description: 'Bytes.', examples: [48213] })

const Variant = StrictObject({
  url,
  width: Type.Integer({ examples: [480] }),
  height: Type.Integer({ examples: [320] }),
  size,
  mimeType: Type.String({ examples: ['image/webp'] }),
})

const exampleVariants = {
  thumb: {
    url: '/media/d7a8fbb307d7809469ca9abcb0082e4f/thumb-laptop.webp',
    width: 160,
    height: 107,
    size: 3120,
    mimeType: 'image/webp',
  },
}

const members = {
  id: Id,
  filename: Type.String({ examples: ['laptop.jpg'] }),
  originalName: Type.String({ description: 'The name that the file was uploaded under.', examples: ['Laptop.JPG'] }),
  mimeType: Type.String({ description: 'Detected from the bytes.', examples: ['image/jpeg'] }),
  kind: StringEnum(mediaKinds),
  size,
  sha256: Type.String({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
  width: Nullable(Type.Integer({ examples: [1600] }), 'Pixels, as displayed.'),
  height: Nullable(Type.Integer({ examples: [1067] })),
  hasAlpha: Nullable(Type.Boolean({ examples: [false] })),
  alt: Nullable(alt),
  title: Nullable(title),
  caption: Nullable(caption),
  tags: Type.Array(Type.String({ examples: ['screenshot'] })),
  folder: Nullable(folder),
  focalX: Type.Integer({ examples: [50] }),
  focalY: Type.Integer({ examples: [50] }),
  url,
  variants: Type.Unsafe<Record<string, Static<typeof Variant>>>({
    type: 'object',
    additionalProperties: Variant,
    description:
      '`thumb` 160, `sm` 480, `md` 960, `lg` 1920 wide or less, and `og` 1200 x 630; none where images cannot be scaled here.',
    examples: [exampleVariants],
  }),
  placeholder: Nullable(
    Type.String({ examples: ['data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='] }),
    'An image of at most 16 pixels, to show while the image loads.',
  ),
  uploadedBy: Type.String({ examples: ['Ana, support'] }),
  usedByCount: Type.Integer({ examples: [1] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Type.Integer({ examples: [1] }),
}

export const MediaAnswer = Type.Object(members, { title: 'Media' })
export type MediaAnswer = Static<typeof MediaAnswer>

const usedBy = Type.Array(
  StrictObject({
    kind: Type.String({ examples: ['product'] }),
    id: Id,
    label: Type.String({ examples: ['vault-vpn'] }),
  }),
)

export const MediaUploaded = StrictObject({
  media: MediaAnswer,
  items: Type.Optional(Type.Array(MediaAnswer, { description: 'For several files: all of them, in the order sent.' })),
  duplicate: Type.Optional(Type.Boolean({ description: 'true: all files were uploaded before.', examples: [true] })),
})
export const MediaDetail = StrictObject({ media: Type.Object({ ...members, usedBy }, { title: 'MediaWithUses' }) })
export const MediaChanged = StrictObject({ media: MediaAnswer })
export const MediaList = StrictObject({ media: Type.Array(MediaAnswer), pagination: PaginationSchema })
