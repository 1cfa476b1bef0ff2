import { open } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { mount, v1Mount } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { productChildRoutes } from '../product-child/product-child.routes.ts'
import type { WithPublicProduct } from '../product-child/public-product.ts'
import {
  type NewVersion,
  NewVersion as NewVersionSchema,
  type VersionChange,
  VersionChange as VersionChangeSchema,
  VersionList,
  VersionQuery,
  VersionView,
} from './version.schema.ts'
import { publicVersionViews, type VersionDeps, versionService } from './version.service.ts'
import { listPublicVersions, type Version } from './version.store.ts'

type Deps = VersionDeps & { withProduct: WithPublicProduct }

export function versionRoutes({ withProduct, ...deps }: Deps): Route[] {
  const list = publicList(withProduct)
  return [
    list,
    ...mount([list], [v1Mount()]),
    ...productChildRoutes<Version, Version, NewVersion, VersionChange>({
      names: {
        path: 'versions',
        one: 'version',
        many: 'versions',
        operation: 'ProductVersion',
        operations: 'ProductVersions',
        title: 'version',
      },
      schemas: { new: NewVersionSchema, change: VersionChangeSchema, line: VersionView, child: VersionView },
      descriptions: {
        update:
          '`yanked: true` withdraws a version: it stays listed, is never the latest, and its downloads answer 404. `yanked: false` restores it.',
        remove: 'Its downloads are removed too. To withdraw a version and keep its history, yank it.',
      },
      refusals: ['STATE_CONFLICT'],
      service: versionService(deps),
      lineViews: adminViews,
      view: async (platform, version) => (await adminViews(platform, [version]))[0],
    }),
  ]
}

function publicList(withProduct: WithPublicProduct): Route {
  return route({
    method: 'GET',
    path: '/products/:slug/versions',
    name: 'listVersions',
    tag: 'Products',
    summary: 'List the versions of a product, newest first',
    description:
      'Sorted by semantic version precedence. Yanked versions are listed with the reason and are never the latest.',
    access: open('the catalog is public'),
    params: { slug: Type.String({ description: 'The product’s slug.', examples: ['vault-vpn'] }) },
    query: VersionQuery,
    answers: { 200: VersionList, 301: null },
    cache: { maxAgeSeconds: 0 },
    handle: ({ platform, params, query: { page = 1, limit = 20, channel = null } }) =>
      withProduct(
        { platform, slug: params.slug, path: (newSlug) => `/products/${newSlug}/versions` },
        async ({ id: productId }) => {
          const { items, total } = await listPublicVersions(platform, { productId, channel, page, limit })
          const versions = await publicVersionViews(platform, items)
          return ok({ versions, pagination: toPagination({ page, limit }, total) })
        },
      ),
  })
}

async function adminViews(platform: PlatformScope, versions: Version[]) {
  const views = await publicVersionViews(platform, versions)
  return versions.map(({ productId, revision, createdAt, updatedAt }, index) => ({
    ...views[index],
    productId,
    revision,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }))
}
