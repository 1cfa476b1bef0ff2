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
      summary: 'Get all of a tenant as one file',
      description:
        'Lines of JSON, compressed with gzip, as of one moment: a head, a line for each row, and an end with counts and the SHA-256 of all lines before it. License keys are readable in it: keep it like a secret. Also for a deleted tenant, until it is erased.',
      access: admin('OWNER'),
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
      summary: 'Erase all data of a tenant, for good',
      description:
        'Of a tenant that is suspended or deleted. Its audit entries stay without what names a person. A second time: 404.',
      access: admin('OWNER'),
      body: Erasure,
      answers: { 200: Erased },
      refusals: ['STATE_CONFLICT'],
      handle: async ({ platform, params, body }) =>
        ok({ erased: await files.erase(platform, { id: params.tenantId, confirm: body.confirm }) }),
    }),
  ]
}
