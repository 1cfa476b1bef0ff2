import { ok } from '../../../http/answer.ts'
import { type Route, route } from '../../../http/route.ts'
import { toPagination } from '../../../kernel/paging.ts'
import {
  Id,
  isoOrNull,
  Nullable,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../../kernel/schemas.ts'
import { Type } from '../../../kernel/type.ts'
import { userAccess as access, base, tag } from '../../access.ts'
import type { IntegrationAccess } from '../../integrations/integration-access.ts'
import { fileStatuses, type ImportedFile, listFiles } from './import.store.ts'

const File = StrictObject({
  fileId: Type.String({ description: 'The provider’s id of the file.', examples: ['1mGVLMXtZ2'] }),
  title: Nullable(Type.String({ examples: ['Handbook'] }), 'Null until it was read for the first time.'),
  documentId: Nullable(Id),
  status: StringEnum(fileStatuses, {
    description:
      '`removed`: it is gone at the provider, or somebody deleted its document here. `stopped`: it is no longer chosen; its document stays.',
  }),
  cause: Nullable(Type.String({ examples: ['QUOTA_EXCEEDED'] }), 'Why it failed or was removed.'),
  importedAt: Nullable(Timestamp, 'When its newest version was imported.'),
  checkedAt: Nullable(Timestamp, 'When the provider was last asked for it.'),
})

export function importRoutes({ access: integrations }: { access: IntegrationAccess }): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/:integrationId/files`,
      name: 'listImportedFiles',
      tag,
      summary: 'List the files that are imported as documents',
      description: 'The files in the settings of the feature `import`, now or earlier.',
      access,
      query: StrictObject(PageQuery),
      answers: { 200: StrictObject({ files: Type.Array(File), pagination: PaginationSchema }) },
      handle: async ({ scope, user, params, query: { page = 1, limit = 20 } }) => {
        const { id } = await integrations.see(scope, user, params.integrationId)
        const { items, total } = await listFiles(scope, id, { page, limit })
        return ok({ files: items.map(fileView), pagination: toPagination({ page, limit }, total) })
      },
    }),
  ]
}

function fileView({ fileId, title, documentId, status, cause, importedAt, checkedAt }: ImportedFile) {
  const times = { importedAt: isoOrNull(importedAt), checkedAt: isoOrNull(checkedAt) }
  return { fileId, title, documentId, status, cause, ...times }
}
