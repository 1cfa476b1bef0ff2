import { accepted, ok } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { notFound } from '../../kernel/refusal.ts'
import { Type } from '../../kernel/type.ts'
import { knowledgeAccess as access } from '../access.ts'
import { type DocumentRouteDeps, documentBase, tag } from './document.routes.ts'
import { documentView, TextVersion, VersionAdded, VersionFields, VersionList, versionView } from './document.schema.ts'
import type { AddedVersion } from './document.service.ts'
import { fileForm, jsonBytesMax } from './file-form.ts'
import { receivedFile } from './receive-file.ts'

const path = `${documentBase}/versions` as const

export function versionRoutes(deps: DocumentRouteDeps): Route[] {
  return [listRoute(deps), addRoute(deps), restoreRoute(deps)]
}

function listRoute({ documents }: DocumentRouteDeps): Route {
  return route({
    method: 'GET',
    path,
    name: 'listDocumentVersions',
    tag,
    summary: 'List the versions of a document',
    description: 'Newest first. The last 20 are kept.',
    access,
    answers: { 200: VersionList },
    handle: async ({ scope, user, params: { orgId, documentId: id } }) => {
      const { document, versions } = await documents.versions(scope, { user, orgId, id })
      return ok({ versions: versions.map((version) => versionView(version, document)) })
    },
  })
}

function addRoute({ documents, files }: DocumentRouteDeps): Route {
  return route({
    method: 'POST',
    path,
    name: 'addDocumentVersion',
    tag,
    summary: 'Add a version of a document',
    description:
      'For those who may change the document. The current version stays in use until the new one is `ready`. A form does not accept an `Idempotency-Key`.',
    access,
    upload: fileForm(VersionFields),
    body: TextVersion,
    bodyBytesMax: jsonBytesMax,
    answers: { 202: VersionAdded },
    refusals: ['INSUFFICIENT_ROLE', 'QUOTA_EXCEEDED', 'NOT_FOUND'],
    idempotent: true,
    authorizeRepeat: ({ scope, user, params: { orgId, documentId: id } }) => documents.get(scope, { user, orgId, id }),
    handle: async ({ scope, user, params: { orgId, documentId: id }, upload, body }) => {
      const target = { user, orgId, id }
      const { title } = await documents.get(scope, target)
      const { file } = await receivedFile(files, { upload, body: body && { ...body, title } })
      try {
        return { ...answer(await documents.addVersion(scope, target, file)), subjectId: id }
      } finally {
        await files.remove(file)
      }
    },
  })
}

function restoreRoute({ documents }: DocumentRouteDeps): Route {
  return route({
    method: 'POST',
    path: `${path}/:version/restore`,
    name: 'restoreDocumentVersion',
    tag,
    summary: 'Make an earlier version the newest one',
    description:
      'For those who may change the document. Creates a new version with the same file, which counts towards the 20.',
    access,
    params: { version: Type.String({ description: 'The number of a version.', examples: ['1'] }) },
    answers: { 202: VersionAdded },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'QUOTA_EXCEEDED', 'NOT_FOUND'],
    idempotent: true,
    authorizeRepeat: ({ scope, user, params: { orgId, documentId: id } }) => documents.get(scope, { user, orgId, id }),
    handle: async ({ scope, user, params: { orgId, documentId: id, version } }) => {
      const restored = await documents.restore(scope, { user, orgId, id }, versionNumber(version))
      return { ...answer(restored), subjectId: id }
    },
  })
}

function versionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound()
  return Number(text)
}

function answer({ document, version }: AddedVersion) {
  const body = { document: documentView(document), version: versionView(version, document) }
  return withETag(accepted(body), document)
}
