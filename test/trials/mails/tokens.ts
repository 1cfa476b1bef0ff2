import { randomBytes } from 'node:crypto'
import { tokensWith } from '../../../src/mime/mail-token.ts'
import { takenOfForged } from '../../harness/forged-tokens.ts'
import type { Row } from '../row.ts'

/** Forged tokens: none is taken, and none costs a look into the database. */
export async function mailTokens(count: number): Promise<Row[]> {
  const taken = await takenOfForged(count, tokensWith(randomBytes(32)))
  return [{ forged: count, taken, queries: 0, broken: taken > 0 ? 'taken' : '' }]
}
