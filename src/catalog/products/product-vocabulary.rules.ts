import { closestMatch } from '../../kernel/closest-match.ts'
import { invalidField } from '../../kernel/refusal.ts'

export const productTypes = ['SDK', 'API', 'APP', 'SERVICE'] as const
export type ProductType = (typeof productTypes)[number]

export const productStatuses = ['DRAFT', 'COMING_SOON', 'BETA', 'LIVE', 'DEPRECATED'] as const
export type ProductStatus = (typeof productStatuses)[number]

/** Other words for a status. A product in development is public, so it is COMING_SOON and not a DRAFT. */
const statusAliases: Record<string, ProductStatus> = {
  DEVELOPMENT: 'COMING_SOON',
  IN_DEVELOPMENT: 'COMING_SOON',
  DEV: 'COMING_SOON',
  ALPHA: 'BETA',
  PREVIEW: 'BETA',
  PUBLISHED: 'LIVE',
  ACTIVE: 'LIVE',
  RETIRED: 'DEPRECATED',
  SUNSET: 'DEPRECATED',
}

/** `label` is the word as it was sent, or null if that is the stored word. */
export type ParsedWord<W extends string> = { word: W; label: string | null }

/** Accepts any letter case, and spaces or hyphens in place of underscores. Refuses VALIDATION_ERROR at `path`. */
export function parseType(sent: string, path: string): ParsedWord<ProductType> {
  return parseWord(sent, { path, words: productTypes, aliases: {} })
}

/** Like `parseType`, and accepts the aliases too. */
export function parseStatus(sent: string, path: string): ParsedWord<ProductStatus> {
  return parseWord(sent, { path, words: productStatuses, aliases: statusAliases })
}

/** Parses the comma-separated words of a filter. */
export function parseWordList<W extends string>(
  sent: string,
  path: string,
  read: (word: string, path: string) => ParsedWord<W>,
): W[] {
  return [...new Set(sent.split(',').map((word) => read(word, path).word))]
}

function parseWord<W extends string>(
  sent: string,
  { path, words, aliases }: { path: string; words: readonly W[]; aliases: Record<string, W> },
): ParsedWord<W> {
  const label = sent.trim()
  // Only English letters: some letters of other languages become these in upper case.
  const plain = label.replace(/[a-z]/g, (letter) => letter.toUpperCase()).replace(/[ -]+/g, '_')
  const word = words.find((known) => known === plain) ?? (Object.hasOwn(aliases, plain) ? aliases[plain] : undefined)
  if (word !== undefined) return { word, label: label === word ? null : label }
  const accepted = [...words, ...Object.keys(aliases)]
  const closest = closestMatch(plain, accepted)?.word
  const message = `must be one of ${accepted.join(', ')}, in any letter case; the closest is ${closest}`
  throw invalidField(path, { code: 'enum', message })
}
