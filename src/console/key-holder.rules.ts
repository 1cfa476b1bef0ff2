import { createHmac } from 'node:crypto'

/** The admin key that a session or a link depends on: a named one by its id, or the one of the environment. */
export type KeyHolder = { adminKeyId: string | null; keyFingerprint: Buffer | null }

/** Recognizes the key of the environment without being able to check guesses: that takes `secret`. */
export function keyFingerprint(secret: Buffer, adminKey: string): Buffer {
  return createHmac('sha256', secret).update(adminKey).digest()
}
