import { admin } from '../../http/access/access.ts'
import { created, noContent, ok } from '../../http/answer.ts'
import { requireRevision, revisionETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import {
  MediaChange,
  MediaChanged,
  MediaDetail,
  MediaFields,
  MediaList,
  MediaQuery,
  MediaUploaded,
} from './media.schema.ts'
import type { mediaService } from './media.service.ts'
import { mediaView } from './media.view.ts'
import type { Stored, uploadService } from './upload.service.ts'

const tag = 'Media'
const path = '/admin/cms/media'

export type MediaServices = { media: ReturnType<typeof mediaService>; uploads: ReturnType<typeof uploadService> }

const form = {
  fileFields: ['file', 'files', 'files[]', 'media', 'image', 'upload'],
  fields: MediaFields,
  filesMax: 10,
  fieldsMax: 20,
  fieldBytesMax: 16 * 1024,
  // Ten images of the largest size, or one file of any other type.
  bytesMax: 256 * 1024 * 1024,
} as const

export function mediaRoutes(services: MediaServices): Route[] {
  return [uploadRoute(services), ...reads(services), ...changes(services)]
}

function uploadRoute({ uploads }: MediaServices): Route {
  return route({
    method: 'POST',
    path,
    name: 'uploadMedia',
    tag,
    summary: 'Upload a file',
    description:
      'Also `files`, `files[]`, `media`, `image` or `upload`, and up to ten files at once; the texts are those of each. What a file is is seen from its bytes: 415 where its name or type says another kind. Images have at most 25 MiB and 40 million pixels, an SVG 2 MiB, everything else 200 MiB, a request 256 MiB. An SVG is cleaned of all that could run or load. Bytes that are there already are answered with 200 and the file that has them, unchanged: there is no need of an `Idempotency-Key`.',
    access: admin('EDITOR'),
    upload: form,
    answers: { 200: MediaUploaded, 201: MediaUploaded },
    handle: async ({ platform, upload }) => {
      const stored = await uploads.upload(platform, upload)
      return uploadedAnswer(stored)
    },
  })
}

function uploadedAnswer(stored: Stored[]) {
  const [first, ...others] = stored.map(({ media }) => mediaView(media))
  const body = {
    media: first as ReturnType<typeof mediaView>,
    ...(others.length > 0 ? { items: stored.map(({ media }) => mediaView(media)) } : {}),
  }
  if (stored.every(({ isNew }) => !isNew)) return ok({ ...body, duplicate: true })
  return created(`${path}/${body.media.id}`, body)
}

function reads({ media }: MediaServices): Route[] {
  return [
    route({
      method: 'GET',
      path,
      name: 'listMedia',
      tag,
      summary: 'List the uploaded files, newest first',
      access: admin('VIEWER'),
      query: MediaQuery,
      answers: { 200: MediaList },
      handle: async ({ platform, query }) => {
        const { page = 1, limit = 20, q = null, kind = null, folder = null, unused = null } = query
        const { items, total } = await media.list(platform, { page, limit, q, kind, folder, unused })
        return ok({ media: items.map(mediaView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:mediaId`,
      name: 'getMedia',
      tag,
      summary: 'Get a file and its uses',
      access: admin('VIEWER'),
      answers: { 200: MediaDetail },
      handle: async ({ platform, params }) => {
        const { usedBy, ...found } = await media.get(platform, params.mediaId)
        return { ...ok({ media: { ...mediaView(found), usedBy } }), headers: { etag: revisionETag(found) } }
      },
    }),
  ]
}

function changes({ media }: MediaServices): Route[] {
  return [
    route({
      method: 'PATCH',
      path: `${path}/:mediaId`,
      name: 'updateMedia',
      tag,
      summary: 'Change the texts, the folder, the tags or the focal point of a file',
      description: 'A new focal point creates a new `og` variant with another address.',
      access: admin('EDITOR'),
      body: MediaChange,
      conditional: true,
      answers: { 200: MediaChanged },
      refusals: ['STATE_CONFLICT'],
      handle: async ({ platform, params, body, headers }) => {
        const changed = await media.update(platform, params.mediaId, body, (known) =>
          requireRevision(headers['if-match'], known),
        )
        return { ...ok({ media: mediaView(changed) }), headers: { etag: revisionETag(changed) } }
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:mediaId`,
      name: 'deleteMedia',
      tag,
      summary: 'Delete an unused file',
      description:
        'If the file is in use, the answer is 409 and names its users. Its bytes are deleted, too, unless another file has the same content.',
      access: admin('EDITOR'),
      conditional: true,
      answers: { 204: null },
      refusals: ['STATE_CONFLICT'],
      handle: async ({ platform, params, headers }) => {
        await media.remove(platform, params.mediaId, (known) => requireRevision(headers['if-match'], known))
        return noContent()
      },
    }),
  ]
}
