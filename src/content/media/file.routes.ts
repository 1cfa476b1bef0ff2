import { open } from '../../http/access/access.ts'
import { type Route, route } from '../../http/route.ts'
import { contentDisposition } from '../../http/uploads/file-name.rules.ts'
import { notFound } from '../../kernel/refusal.ts'
import { Type } from '../../kernel/type.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import { findServedFile, type ServedFile } from './media.store.ts'
import { hashLength } from './media-address.rules.ts'
import { isShownInline, svg } from './media-type.rules.ts'

const hashPattern = new RegExp(`^[0-9a-f]{${hashLength}}$`)
const file = { file: true, description: 'The file, with its own media type.' } as const
const part = { file: true, description: 'The requested range.' } as const

/** What a browser may do with an SVG that is opened directly: only show it. */
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
        'Find the addresses in `url` and `variants` of a file. The content at an address never changes, so it can be cached for ever. One byte range per request. Browsers show images, video, audio and PDF, and save everything else.',
      access: open('files are what public pages are made of'),
      params: {
        hash: Type.String({
          description: 'The start of the SHA-256 of the bytes.',
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
          headers: fileHeaders(found),
          body: {
            size,
            etag: `"${sha256}"`,
            open: async (range) => {
              const bytes = await blobs.open(sha256, range)
              // The row existed a moment ago: the file was removed meanwhile.
              if (bytes === null) throw notFound()
              return bytes
            },
          },
        }
      },
    }),
  ]
}

function fileHeaders({ mimeType, kind, name }: ServedFile): Record<string, string> {
  const isText = mimeType.startsWith('text/') || mimeType === 'application/json'
  return {
    'content-type': isText ? `${mimeType}; charset=utf-8` : mimeType,
    'content-disposition': contentDisposition(isShownInline({ kind, mimeType }) ? 'inline' : 'attachment', name),
    'cache-control': 'public, max-age=31536000, immutable',
    // Pages of any origin may show them.
    'cross-origin-resource-policy': 'cross-origin',
    ...(mimeType === svg.mimeType ? { 'content-security-policy': svgPolicy } : {}),
  }
}
