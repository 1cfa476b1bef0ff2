import { hasBase62Check, type RandomBytes, randomBase62, sha256Digest, withBase62Check } from '../kernel/checksum.ts'

/** The token that a node keeps, and the one it enrolls with once. Bearer tokens of 178 random bits: an unsalted hash stores them safely. */
export type NodeTokenKind = 'node' | 'enrollment'

const prefixes: Record<NodeTokenKind, string> = { node: 'atrnode_', enrollment: 'atrenroll_' }
const randomLength = 30
const checkLength = 6

export type NewNodeToken = { token: string; hash: Buffer }

export function newNodeToken(kind: NodeTokenKind, random: RandomBytes): NewNodeToken {
  const token = withBase62Check(prefixes[kind] + randomBase62(randomLength, random))
  return { token, hash: sha256Digest(token) }
}

/** The hash under which a token is stored; null for a text that cannot be one, without asking the database. */
export function readNodeToken(kind: NodeTokenKind, text: string): Buffer | null {
  const prefix = prefixes[kind]
  const hasForm = text.startsWith(prefix) && text.length === prefix.length + randomLength + checkLength
  return hasForm && hasBase62Check(text) ? sha256Digest(text) : null
}
