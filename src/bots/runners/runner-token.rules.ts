import { hasBase62Check, type RandomBytes, randomBase62, sha256Digest, withBase62Check } from '../../kernel/checksum.ts'

/** What a runner keeps, what it enrolls with once, and what appends to a bot of the provider `push`: 178 random bits. */
export type TokenKind = 'runner' | 'enrollment' | 'ingest'

const prefixes: Record<TokenKind, string> = { runner: 'atrrunner_', enrollment: 'atrenroll_', ingest: 'atringest_' }
const randomLength = 30
const checkLength = 6

export function newToken(kind: TokenKind, random: RandomBytes): { token: string; hash: Buffer } {
  const token = withBase62Check(prefixes[kind] + randomBase62(randomLength, random))
  return { token, hash: sha256Digest(token) }
}

/** The hash under which a token is stored; null for a text that cannot be one. */
export function readToken(kind: TokenKind, text: string): Buffer | null {
  const prefix = prefixes[kind]
  const hasForm = text.startsWith(prefix) && text.length === prefix.length + randomLength + checkLength
  return hasForm && hasBase62Check(text) ? sha256Digest(text) : null
}
