import { createHash } from 'node:crypto'

/** A term as the index stores it: with the prefix of its organization. */
export type Lexeme = string

/**
 * Three letters that come before each term of an organization. One index holds the terms of all tenants; so a word that is
 * common elsewhere costs nothing here. Two organizations may share a prefix: every query names the organization, too.
 */
export function lexemePrefix(orgId: string): string {
  return createHash('sha256').update(orgId).digest('base64url').slice(0, 3)
}

/** As a quoted word of PostgreSQL's `tsvector` and `tsquery`. */
export function quoteLexeme(lexeme: Lexeme): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** A `tsvector` as text. `terms`: their positions, from 1. A term keeps at most 256 positions. */
export function tsVectorText(prefix: string, terms: ReadonlyMap<string, readonly number[]>): string {
  return [...terms].map(([term, positions]) => `${quoteLexeme(prefix + term)}:${positions.join(',')}`).join(' ')
}

/** A `tsquery` that finds what has any of the lexemes. */
export function anyOf(lexemes: readonly Lexeme[]): string {
  return lexemes.map(quoteLexeme).join(' | ')
}

/** How often each lexeme stands in a `tsvector` that PostgreSQL wrote as text. */
export function countPositions(vector: string, lexemes: readonly Lexeme[]): number[] {
  return lexemes.map((lexeme) => {
    const quoted = `${quoteLexeme(lexeme)}:`
    const at = findLexeme(vector, quoted)
    if (at === -1) return 0
    let count = 1
    for (let place = at + quoted.length; place < vector.length && vector[place] !== ' '; place++)
      if (vector[place] === ',') count += 1
    return count
  })
}

/** A lexeme begins at the start or after a space: elsewhere the same letters are the end of another one. */
function findLexeme(vector: string, quoted: string): number {
  for (let from = 0; ; ) {
    const at = vector.indexOf(quoted, from)
    if (at <= 0 || vector[at - 1] === ' ') return at
    from = at + 1
  }
}
