import { open } from '../../http/access/access.ts'
import { type Route, route } from '../../http/route.ts'
import { notFound } from '../../kernel/refusal.ts'
import { Type } from '../../kernel/type.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import { contentDisposition } from './file-name.rules.ts'
import { findServedFile, type ServedFile } from './media.store.ts'
import { hashLength } from './media-address.rules.ts'
import { isShown, svg } from './media-type.rules.ts'

const hashPattern = new RegExp(`^[0-9a-f]{${hashLength}}$`)
const file = { file: true, description: 'The file, in its own media type.' } as const
const part = { file: true, description: 'The range that was asked for.' } as const

/** What a browser may do with a drawing that is opened by itself: show it, and nothing else. */
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

export function fileRoutes({ blobs }: { blobs: Blobs }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/media/:hash/:name',
      name: 'getMediaFile',
      tag: 'Media',
      summary: 'Get the bytes of a file or of one of its variants',
      description:
        'The addresses stand in `url` and `variants` of a file. What is at one never changes: it may be kept for good. One byte range at a time. Images, video, audio and PDF are shown, the rest is saved.',
      access: open('files are what public pages are made of'),
      params: {
        hash: Type.String({
          description: 'The start of their SHA-256.',
          examples: ['9f86d081884c7d659a2feaa0c55ad015'],
        }),
        name: Type.String({ examples: ['laptop.jpg'] }),
      },
      answers: { 200: file, 206: part },
      handle: async ({ platform, params }) => {
        if (!hashPattern.test(params.hash)) throw notFound()
        const found = await findServedFile(platform, params.hash, params.name)
        if (found === null) throw notFound()
        const { size, sha256 } = found
        return {
          status: 200 as const,
          headers: headersOf(found),
          body: {
            size,
            etag: `"${sha256}"`,
            open: async (range) => {
              const bytes = await blobs.open(sha256, range)
              // The row was there: it has been removed in between.
              if (bytes === null) throw notFound()
              return bytes
            },
          },
        }
      },
    }),
  ]
}

function headersOf({ mimeType, kind, name }: ServedFile): Record<string, string> {
  const isText = mimeType.startsWith('text/') || mimeType === 'application/json'
  return {
    'content-type': isText ? `${mimeType}; charset=utf-8` : mimeType,
    'content-disposition': contentDisposition(isShown({ kind, mimeType }) ? 'inline' : 'attachment', name),
    'cache-control': 'public, max-age=31536000, immutable',
    // Pages of any origin show them.
    'cross-origin-resource-policy': 'cross-origin',
    ...(mimeType === svg.mimeType ? { 'content-security-policy': svgPolicy } : {}),
  }
}
