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
  /** Writes the text, compressed, and replaces earlier content. Refuses UNAVAILABLE if the disk is full or writing takes too long. */
  writeGzip(text: AsyncIterable<string>): Promise<void>
  /** Opens the content for reading. The file is deleted when the stream ends, is destroyed, or is read too slowly. */
  read(): Promise<FileContent>
  close(): Promise<void>
}

/** Less than the minute after which proxies commonly close a silent connection. The writer holds a database connection meanwhile. */
const writeMaxMs = 55_000

/** Half a megabit a second, and a minute for pauses: a client that stops reading would otherwise keep the file forever. */
const readMaxMs = (sizeBytes: number): number => 60_000 + sizeBytes / 64

/** A file without a name: no other process can open it, and a killed process leaves nothing behind. */
export async function openTempFile({ timeoutMs = writeMaxMs, readTimeoutMs = readMaxMs } = {}): Promise<TempFile> {
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
      const content = file.createReadStream({ start: 0 })
      const timeout = setTimeout(() => content.destroy(), readTimeoutMs(sizeBytes)).unref()
      content.once('close', () => clearTimeout(timeout))
      return { content, sizeBytes }
    },
    close: () => file.close(),
  }
}
