import { closestMatch } from '../../kernel/closest-match.ts'
import { invalidField } from '../../kernel/refusal.ts'

export const productTypes = ['SDK', 'API', 'APP', 'SERVICE'] as const
export type ProductType = (typeof productTypes)[number]

export const productStatuses = ['DRAFT', 'COMING_SOON', 'BETA', 'LIVE', 'DEPRECATED'] as const
export type ProductStatus = (typeof productStatuses)[number]

/** Other words for a status. A product in development stands in the public catalog: it is coming soon, no draft. */
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

/** `label` is the word as it was sent; null where that is the stored word itself. */
export type ParsedWord<W extends string> = { word: W; label: string | null }

/** Reads a type in any letter case, with spaces or hyphens for underscores. Refuses VALIDATION_ERROR naming `path`. */
export function parseType(sent: string, path: string): ParsedWord<ProductType> {
  return parseWord(sent, { path, words: productTypes, aliases: {} })
}

/** The same for a status, by its aliases too. */
export function parseStatus(sent: string, path: string): ParsedWord<ProductStatus> {
  return parseWord(sent, { path, words: productStatuses, aliases: statusAliases })
}

/** The words of a comma list: what a filter asks for. */
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
  // Of the letters of English alone: in other languages letters exist that become these ones in upper case.
  const plain = label.replace(/[a-z]/g, (letter) => letter.toUpperCase()).replace(/[ -]+/g, '_')
  const word = words.find((known) => known === plain) ?? (Object.hasOwn(aliases, plain) ? aliases[plain] : undefined)
  if (word !== undefined) return { word, label: label === word ? null : label }
  const accepted = [...words, ...Object.keys(aliases)]
  const near = closestMatch(plain, accepted)?.word
  const message = `must be one of ${accepted.join(', ')}, in any letter case; the nearest is ${near}`
  throw invalidField(path, { code: 'enum', message })
}
