import type { PGlite } from '@electric-sql/pglite'

// The first byte of messages that PostgreSQL answers only when a later one asks for it: parse, bind, describe, execute, close.
const unanswered = new Set([...'PBDEC'].map((type) => type.charCodeAt(0)))

/**
 * What `createPgConfig` uses of PGlite, with the messages of a statement handed over together. It would hand over each by
 * itself, which takes as long as a small statement.
 */
export function inWholeStatements(pglite: PGlite): PGlite {
  let waiting: Uint8Array[] = []
  const execProtocolStream: PGlite['execProtocolStream'] = async (message, options) => {
    waiting.push(message)
    if (unanswered.has(message[0] as number)) return []
    const messages = waiting.length === 1 ? message : Buffer.concat(waiting)
    waiting = []
    // The files of this process need no copying to anywhere.
    return pglite.execProtocolStream(messages, { ...options, syncToFs: false })
  }
  return { waitReady: pglite.waitReady, execProtocolStream } as PGlite
}
