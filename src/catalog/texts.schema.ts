import { Nullable, type SingleLineOptions } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'

/** Lines of text, also none. */
export function MultilineText({ lettersMax, example, description }: SingleLineOptions) {
  return Type.String({
    maxLength: lettersMax,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    ...(description === undefined ? {} : { description }),
    examples: [example],
  })
}

/** Nothing that could end an attribute of a page it is put into, and no user info. */
const addressPattern =
  'https?://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:[/?#][^\\s\\p{Cc}<>"\'`\\\\]*)?'

export function WebAddress(example: string) {
  return Nullable(
    Type.String({ maxLength: 2048, pattern: `^${addressPattern}$`, examples: [example] }),
    'An http or https address.',
  )
}

/** Where a button leads: elsewhere, or a path here. */
export const LinkTarget = Type.String({
  maxLength: 2048,
  pattern: `^(?:${addressPattern}|/(?:[^/\\s\\p{Cc}<>"'\`\\\\][^\\s\\p{Cc}<>"'\`\\\\]*)?)$`,
  description: 'An http or https address, or a path that starts with a slash.',
  examples: ['https://example.com/buy'],
})
