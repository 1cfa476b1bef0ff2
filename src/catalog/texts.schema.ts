import { Nullable, type SingleLineOptions } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'

/** Text of any number of lines. May be empty. */
export function MultilineText({ lettersMax, example, description }: SingleLineOptions) {
  return Type.String({
    maxLength: lettersMax,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    ...(description === undefined ? {} : { description }),
    examples: [example],
  })
}

/** Excludes user info, and characters that could end an HTML attribute. */
const addressPattern =
  'https?://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:[/?#][^\\s\\p{Cc}<>"\'`\\\\]*)?'

export function WebAddress(example: string) {
  return Nullable(
    Type.String({ maxLength: 2048, pattern: `^${addressPattern}$`, examples: [example] }),
    'An http or https address.',
  )
}

/** Where a button leads: an absolute address, or a path of this service. */
export const LinkTarget = Type.String({
  maxLength: 2048,
  pattern: `^(?:${addressPattern}|/(?:[^/\\s\\p{Cc}<>"'\`\\\\][^\\s\\p{Cc}<>"'\`\\\\]*)?)$`,
  description: 'An http or https address, or a path that starts with a slash.',
  examples: ['https://example.com/buy'],
})
