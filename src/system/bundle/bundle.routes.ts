import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { mount, v1Mount } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import type { BundleRecord } from '../../kernel/bundle.ts'
import type { Clock } from '../../kernel/clock.ts'
import { bundleFormat, bundleVersion, exportSchema, ImportAnswer, ImportQuery, importSchema } from './bundle.schema.ts'
import { type BundleDeps, bundleService, countActions } from './bundle.service.ts'

const tag = 'Content administration'
const path = '/admin/cms/bundle'
const bundleBytesMax = 32 * 1024 * 1024
/** A page or a doc has about twenty. */
const bundleMembersMax = 100_000

export type BundleRouteDeps = BundleDeps & { clock: Clock }

/** Also served under `/v1/platform`, like all administration of content. */
export function bundleRoutes(deps: BundleRouteDeps): Route[] {
  const routes = [exportRoute(deps), importRoute(deps)]
  return [...routes, ...mount(routes, [v1Mount('/v1/platform')])]
}

function exportRoute({ clock, ...deps }: BundleRouteDeps): Route {
  const bundles = bundleService(deps)
  return route({
    method: 'GET',
    path,
    name: 'exportBundle',
    tag,
    summary: 'Export the catalog and the content as one document',
    description:
      'The document has no ids, times or revisions: two installations with the same content give the same parts. Files are named ' +
      'by the SHA-256 of their content and are not included.',
    access: admin('VIEWER'),
    answers: { 200: exportSchema(deps.bundleParts) },
    handle: async ({ platform }) => {
      const exportedAt = clock.now().toISOString()
      const parts = await bundles.exportAll(platform)
      const name = `atrium-bundle-${exportedAt.slice(0, 10)}.json`
      return {
        ...ok({ format: bundleFormat, version: bundleVersion, exportedAt, parts } as const),
        headers: { 'content-disposition': `attachment; filename="${name}"` },
      }
    },
  })
}

function importRoute(deps: BundleRouteDeps): Route {
  const bundles = bundleService(deps)
  return route({
    method: 'POST',
    path,
    name: 'importBundle',
    tag,
    summary: 'Import a document of the catalog and the content',
    description:
      'Nothing is written unless `dryRun=false`. The whole document is imported in one transaction. Parts ' +
      'that are absent from the document stay unchanged. Up to 32 MiB and 100,000 members and elements. The rules between ' +
      'records are looked at only when every record fits its schema.',
    access: admin('EDITOR'),
    query: ImportQuery,
    body: importSchema(deps.bundleParts),
    bodyBytesMax: bundleBytesMax,
    bodyMembersMax: bundleMembersMax,
    answers: { 200: ImportAnswer },
    refusals: ['STATE_CONFLICT'],
    handle: async ({ platform, query: { dryRun = true, mode = 'merge' }, body }) => {
      const sent = body.parts as Record<string, BundleRecord[]>
      const changes = await (dryRun ? bundles.plan(platform, sent, mode) : bundles.apply(platform, sent, mode))
      return ok({ dryRun, mode, changes, counts: countActions(changes) })
    },
  })
}
