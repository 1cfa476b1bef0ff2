import { randomBytes } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Refusal } from '../../kernel/refusal.ts'

export type SpooledFile = { content: Readable; sizeBytes: number }

export type Spool = {
  /** Writes the text, compressed; what was written before is gone. Refuses UNAVAILABLE when the disk is full. */
  fill(text: AsyncIterable<string>): Promise<void>
  /** What was written. The file is gone once the stream has ended or is destroyed. */
  read(): Promise<SpooledFile>
  close(): Promise<void>
}

/** A file without a name: nobody else can open it, and a process that is killed leaves nothing behind. */
export async function openSpool(): Promise<Spool> {
  const path = join(tmpdir(), `atrium-${randomBytes(16).toString('hex')}`)
  const file = await open(path, 'ax+', 0o600)
  await unlink(path)
  return {
    fill: async (text) => {
      await file.truncate(0)
      try {
        await pipeline(text, createGzip(), async (chunks: AsyncIterable<Buffer>) => {
          for await (const chunk of chunks) await file.appendFile(chunk)
        })
      } catch (error) {
        throw (error as { code?: unknown }).code === 'ENOSPC' ? new Refusal('UNAVAILABLE') : error
      }
    },
    read: async () => {
      const { size: sizeBytes } = await file.stat()
      return { content: file.createReadStream({ start: 0 }), sizeBytes }
    },
    close: () => file.close(),
  }
}
