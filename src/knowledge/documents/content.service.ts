import { Readable } from 'node:stream'
import type { StoredFile } from '../../http/stored-file.ts'
import { contentDisposition, safeFileName } from '../../http/uploads/file-name.rules.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Documents } from './document.service.ts'
import { listChunks } from './document-chunk.store.ts'
import type { Target } from './document-record.ts'
import { findVersion, type StoredVersion } from './document-version.store.ts'

export type ContentFormat = 'original' | 'text'
export type Content = { file: StoredFile; headers: Record<string, string> }

export type Contents = ReturnType<typeof contentService>

const batchChunks = 100
/** What a browser may do with a file that somebody opens directly: nothing but save it. */
const contentPolicy = "default-src 'none'; sandbox"

/** The file of a version as it was uploaded, or the text that was read from it. */
export function contentService({ blobs, documents }: { blobs: Blobs; documents: Pick<Documents, 'get'> }) {
  /** `version`: default the current one. Refuses NOT_FOUND, and STATE_CONFLICT where there is no text yet. */
  async function open(
    scope: TenantScope,
    target: Target,
    { format, version }: { format: ContentFormat; version?: number | undefined },
  ): Promise<Content> {
    const document = await documents.get(scope, target)
    const found = await findVersion(scope, { documentId: document.id, version: version ?? document.version })
    if (found === null) throw notFound()
    if (format === 'original') return original(found)
    if (found.status !== 'ready')
      throw new Refusal('STATE_CONFLICT', { detail: `Version ${found.version} has no text. It is ${found.status}.` })
    return text(scope, found)
  }

  function original({ filename, mimeType, size, sha256 }: StoredVersion): Content {
    return {
      headers: fileHeaders(mimeType, filename),
      file: {
        size,
        etag: `"${sha256}"`,
        open: async (range) => {
          const bytes = await blobs.open(sha256, range)
          // The row existed a moment ago: the document was erased meanwhile.
          if (bytes === null) throw notFound()
          return bytes
        },
      },
    }
  }

  function text(scope: TenantScope, version: StoredVersion): Content {
    const { filename, sha256, textBytes } = version
    return {
      headers: fileHeaders('text/plain; charset=utf-8', safeFileName(filename, 'txt')),
      file: {
        size: textBytes,
        etag: `"${sha256}-text-${version.version}"`,
        open: async (range) => Readable.from(rangeOf(textOf(scope, version), range), { objectMode: false }),
      },
    }
  }

  return { open }
}

function fileHeaders(type: string, name: string): Record<string, string> {
  return {
    'content-type': type.startsWith('text/') && !type.includes('charset') ? `${type}; charset=utf-8` : type,
    'content-disposition': contentDisposition('attachment', name),
    'content-security-policy': contentPolicy,
    'cache-control': 'private, no-cache',
  }
}

async function* textOf(scope: TenantScope, key: StoredVersion): AsyncGenerator<Buffer> {
  for (let first = 0; ; first += batchChunks) {
    const chunks = await listChunks(scope, key, { first, limit: batchChunks })
    if (chunks.length > 0) yield Buffer.from(chunks.map(({ text }) => text).join(''))
    if (chunks.length < batchChunks) return
  }
}

/** Both ends included, as in the header `Range`. */
async function* rangeOf(
  parts: AsyncGenerator<Buffer>,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  let at = 0
  for await (const part of parts) {
    if (at > end) return
    const [from, to] = [Math.max(0, start - at), Math.min(part.length, end + 1 - at)]
    if (from < to) yield part.subarray(from, to)
    at += part.length
  }
}
