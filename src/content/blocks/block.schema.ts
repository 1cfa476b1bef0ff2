import type { Static } from 'typebox'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { blockTypes, defaultLocale, keyLengthMax, keyPattern } from './block.rules.ts'

export const keysMax = 100

export const BlockKey = Type.String({
  minLength: 1,
  maxLength: keyLengthMax,
  pattern: keyPattern,
  description: 'Lower-case letters, digits, dots, hyphens and underscores.',
  examples: ['pricing.headline'],
})

const Locale = Type.String({
  minLength: 2,
  maxLength: 35,
  description: `A language tag (BCP 47), in any case. Default: ${defaultLocale}.`,
  examples: [defaultLocale],
})

const Value = Type.Unsafe<unknown>({
  description: 'A value of the block’s type: a string for text, markdown and url; anything for json.',
  examples: ['Pay for what you *use*.'],
})

const BlockType = StringEnum(blockTypes, { description: 'The type of the value.' })
const Description = Nullable(
  Type.String({ maxLength: 500, examples: ['Above the table of plans'] }),
  'A note for editors.',
)

export const BlockContent = Type.Object(
  {
    type: { ...BlockType, examples: ['markdown'] } as typeof BlockType,
    value: Value,
    description: Type.Optional(Description),
  },
  { additionalProperties: false },
)
export type BlockContent = Static<typeof BlockContent>

export const NewBlock = Type.Object(
  { key: BlockKey, locale: Type.Optional(Locale), ...BlockContent.properties },
  { additionalProperties: false },
)
export type NewBlock = Static<typeof NewBlock>

export const BlockChange = Type.Partial(BlockContent, { additionalProperties: false })
export type BlockChange = Static<typeof BlockChange>

/** A block of a bundle. */
export const BlockRecord = Type.Object(
  { key: BlockKey, locale: Type.Optional(Locale), ...BlockContent.properties },
  { title: 'BlockRecord', additionalProperties: false },
)
export type BlockRecord = Static<typeof BlockRecord>

const shown = {
  key: BlockKey,
  locale: Locale,
  type: BlockType,
  value: Value,
  html: Nullable(
    Type.String({ examples: ['<p>Pay for what you <em>use</em>.</p>'] }),
    'Safe HTML of a markdown block.',
  ),
  updatedAt: Timestamp,
}

/** As the public sees it. */
const PublicBlock = Type.Object(shown, { title: 'PublicContentBlock' })
export type PublicBlock = Static<typeof PublicBlock>

const BlockAnswer = Type.Object(
  { id: Id, ...shown, description: Description, revision: Type.Integer({ examples: [1] }), createdAt: Timestamp },
  { title: 'ContentBlock' },
)
export type BlockAnswer = Static<typeof BlockAnswer>

export const LocaleQuery = StrictObject({ locale: Type.Optional(Locale) })

export const PublicBlockQuery = StrictObject({
  ...PageQuery,
  keys: Type.Optional(
    Type.String({
      maxLength: 8000,
      description: `Only these keys, separated by commas; at most ${keysMax}.`,
      examples: ['pricing.headline,pricing.note'],
    }),
  ),
  locale: Type.Optional(Locale),
})

export const BlockQuery = StrictObject({
  ...PageQuery,
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text to find in the key or the description.', examples: ['headline'] }),
  ),
  prefix: Type.Optional(
    Type.String({ maxLength: keyLengthMax, description: 'The start of the key.', examples: ['pricing.'] }),
  ),
  locale: Type.Optional(Locale),
  type: Type.Optional(BlockType),
})

export const PublicBlockList = StrictObject({ blocks: Type.Array(PublicBlock), pagination: PaginationSchema })
export const PublicBlockDetail = StrictObject({ block: PublicBlock })
export const BlockList = StrictObject({ blocks: Type.Array(BlockAnswer), pagination: PaginationSchema })
export const BlockDetail = StrictObject({ block: BlockAnswer })
