import { admin } from '../../http/access/access.ts'
import { ok, raw, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { Erased, Erasure } from './tenant-file.schema.ts'
import type { TenantFiles } from './tenant-file.service.ts'

export function tenantFileRoutes(files: TenantFiles): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/tenants/:tenantId/export',
      name: 'exportTenant',
      tag: 'Tenants',
      summary: 'Export a tenant',
      description:
        'Returns all data of the tenant as one file: JSON lines, compressed with gzip, from one consistent snapshot. The first line describes the file, each further line is a row, and the last line has the row counts and the SHA-256 of all lines before it. The file contains license keys in clear text, so keep it secret. A deleted tenant can be exported until it is erased.',
      access: admin('OWNER'),
      isSensitive: true,
      answers: { 200: { rawTypes: ['application/gzip'], description: 'The file.' } },
      handle: async ({ platform, params }) => {
        const { content, sizeBytes, slug } = await files.exportTenant(platform, params.tenantId)
        return secret(
          raw('application/gzip', content, {
            'content-length': String(sizeBytes),
            'content-disposition': `attachment; filename="tenant-${slug}.ndjson.gz"`,
          }),
        )
      },
    }),
    route({
      method: 'POST',
      path: '/admin/tenants/:tenantId/erase',
      name: 'eraseTenant',
      tag: 'Tenants',
      summary: 'Erase a tenant',
      description:
        'Permanently deletes all data of a tenant. The tenant must be suspended or deleted. Its audit entries are kept without personal data. Erasing it again gives 404.',
      access: admin('OWNER'),
      isSensitive: true,
      body: Erasure,
      answers: { 200: Erased },
      refusals: ['STATE_CONFLICT'],
      handle: async ({ platform, params, body }) =>
        ok({ erased: await files.erase(platform, { id: params.tenantId, confirm: body.confirm }) }),
    }),
  ]
}
