import { accepted, noContent, ok, withHeaders } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { knowledgeAccess as access, orgBase } from '../access.ts'
import type { Document } from './document.rules.ts'
import {
  DocumentAdded,
  DocumentDetail,
  DocumentFields,
  DocumentList,
  DocumentPatch,
  DocumentQuery,
  documentView,
  TextDocument,
} from './document.schema.ts'
import type { Documents } from './document.service.ts'
import { fileForm, jsonBytesMax } from './file-form.ts'
import { type FileReceiver, receivedFile } from './receive-file.ts'

export type DocumentRouteDeps = { documents: Documents; files: FileReceiver; members: OrganizationMembers }

export const tag = 'Documents'
const base = `${orgBase}/documents` as const
export const documentBase = `${base}/:documentId` as const

export function documentRoutes(deps: DocumentRouteDeps): Route[] {
  return [listRoute(deps), addRoute(deps), getRoute(deps), updateRoute(deps), deleteRoute(deps), retryRoute(deps)]
}

function listRoute({ documents }: DocumentRouteDeps): Route {
  return route({
    method: 'GET',
    path: base,
    name: 'listDocuments',
    tag,
    summary: 'List the documents of an organization',
    description: 'Those in collections that you may read, newest first.',
    access,
    query: DocumentQuery,
    answers: { 200: DocumentList },
    handle: async ({ scope, user, params: { orgId }, query: { page = 1, limit = 20, ...filter } }) => {
      const { items, total } = await documents.list(scope, { user, orgId, page, limit, filter })
      return ok({ documents: items.map(documentView), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function addRoute({ documents, files, members }: DocumentRouteDeps): Route {
  return route({
    method: 'POST',
    path: base,
    name: 'addDocument',
    tag,
    summary: 'Add a document',
    description:
      'For members, admins and owners who may write in the collection. A file (PDF, DOCX, PPTX, HTML, Markdown, text, VTT, SRT or CSV, 25 MiB) as a form, or a text as JSON (6 MiB). It is read in the background. If the collection already has a document with the same bytes, the answer is 200 with that document. So a form needs no `Idempotency-Key` and does not accept one.',
    access,
    upload: fileForm(DocumentFields),
    body: TextDocument,
    bodyBytesMax: jsonBytesMax,
    answers: { 200: DocumentAdded, 202: DocumentAdded },
    refusals: ['INSUFFICIENT_ROLE', 'QUOTA_EXCEEDED', 'NOT_FOUND'],
    idempotent: true,
    authorizeRepeat: ({ scope, user, params: { orgId }, subjectId }) =>
      documents.get(scope, { user, orgId, id: subjectId ?? '' }),
    handle: async ({ scope, user, params: { orgId }, upload, body }) => {
      // Before 25 MiB are read of somebody who may not send them.
      await members.get(scope, user, { orgId, least: 'member' })
      const { file, fields } = await receivedFile(files, { upload, body })
      try {
        const { document, isDuplicate } = await documents.add(scope, { user, orgId }, { file, ...fields })
        const added = { document: documentView(document) }
        const subjectId = document.id
        if (isDuplicate) return withETag({ ...ok({ ...added, duplicate: true }), subjectId }, document)
        const location = `${base.replace(':orgId', orgId)}/${document.id}`
        return withETag({ ...withHeaders(accepted(added), { location }), subjectId }, document)
      } finally {
        await files.remove(file)
      }
    },
  })
}

function getRoute({ documents }: DocumentRouteDeps): Route {
  return route({
    method: 'GET',
    path: documentBase,
    name: 'getDocument',
    tag,
    summary: 'Get a document',
    access,
    answers: { 200: DocumentDetail },
    handle: async ({ scope, user, params: { orgId, documentId: id } }) =>
      detail(await documents.get(scope, { user, orgId, id })),
  })
}

function updateRoute({ documents }: DocumentRouteDeps): Route {
  return route({
    method: 'PATCH',
    path: documentBase,
    name: 'updateDocument',
    tag,
    summary: 'Change the title or the tags of a document, or move it',
    description:
      'In an open collection: for who added it, and for admins and owners. In a restricted one: for those who may write in it.',
    access,
    body: DocumentPatch,
    answers: { 200: DocumentDetail },
    refusals: ['INSUFFICIENT_ROLE'],
    conditional: true,
    handle: async ({ scope, user, params: { orgId, documentId: id }, body, headers }) =>
      detail(await documents.update(scope, { user, orgId, id, ifMatch: headers['if-match'] }, body)),
  })
}

function deleteRoute({ documents }: DocumentRouteDeps): Route {
  return route({
    method: 'DELETE',
    path: documentBase,
    name: 'deleteDocument',
    tag,
    summary: 'Erase a document',
    description: 'With all its versions and texts, at once. For those who may change it.',
    access,
    answers: { 204: null },
    refusals: ['INSUFFICIENT_ROLE'],
    conditional: true,
    handle: async ({ scope, user, params: { orgId, documentId: id }, headers }) => {
      await documents.remove(scope, { user, orgId, id, ifMatch: headers['if-match'] })
      return noContent()
    },
  })
}

function retryRoute({ documents }: DocumentRouteDeps): Route {
  return route({
    method: 'POST',
    path: `${documentBase}/retry`,
    name: 'retryDocument',
    tag,
    summary: 'Read a failed document again',
    description: 'Also the newest version, if that one has failed. The current version stays in use until it is ready.',
    access,
    answers: { 202: DocumentDetail },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'QUOTA_EXCEEDED'],
    handle: async ({ scope, user, params: { orgId, documentId: id } }) => {
      const document = await documents.retry(scope, { user, orgId, id })
      return withETag(accepted({ document: documentView(document) }), document)
    },
  })
}

function detail(document: Document) {
  return withETag(ok({ document: documentView(document) }), document)
}
