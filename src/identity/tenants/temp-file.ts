import { randomBytes } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Refusal } from '../../kernel/refusal.ts'

export type FileContent = { content: Readable; sizeBytes: number }

export type TempFile = {
  /** Writes the text, compressed; what was written before is gone. Refuses UNAVAILABLE when the disk is full or it takes too long. */
  writeGzip(text: AsyncIterable<string>): Promise<void>
  /** What was written. The file is gone once the stream has ended or is destroyed. */
  read(): Promise<FileContent>
  close(): Promise<void>
}

/** Under the minute after which proxies commonly give a silent answer up; whoever fills it holds a connection meanwhile. */
const writeMaxMs = 55_000

/** A file without a name: nobody else can open it, and a process that is killed leaves nothing behind. */
export async function openTempFile({ timeoutMs = writeMaxMs } = {}): Promise<TempFile> {
  const path = join(tmpdir(), `atrium-${randomBytes(16).toString('hex')}`)
  const file = await open(path, 'ax+', 0o600)
  await unlink(path)
  return {
    writeGzip: async (text) => {
      await file.truncate(0)
      const signal = AbortSignal.timeout(timeoutMs)
      const write = async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await file.appendFile(chunk)
      }
      try {
        await pipeline(text, createGzip(), write, { signal })
      } catch (error) {
        const { name, code } = error as { name?: unknown; code?: unknown }
        throw name === 'AbortError' || code === 'ENOSPC' ? new Refusal('UNAVAILABLE') : error
      }
    },
    read: async () => {
      const { size: sizeBytes } = await file.stat()
      return { content: file.createReadStream({ start: 0 }), sizeBytes }
    },
    close: () => file.close(),
  }
}
