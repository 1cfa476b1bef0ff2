import type { MediaLibrary } from '../../content/index.ts'
import { open } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { mount, v1Mount } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { PublicPlaces } from '../products/public-place.ts'
import { recordRoutes } from '../revised/revised.routes.ts'
import type { RevisedDeps } from '../revised/revised.service.ts'
import {
  type NewVersion,
  NewVersion as NewVersionSchema,
  type VersionChange,
  VersionChange as VersionChangeSchema,
  VersionList,
  VersionQuery,
  VersionView,
} from './version.schema.ts'
import { publicVersionViews, versionService } from './version.service.ts'
import { listPublicVersions, type Version } from './version.store.ts'

type Deps = RevisedDeps & { media: MediaLibrary; onProduct: PublicPlaces }

export function versionRoutes({ onProduct, ...deps }: Deps): Route[] {
  const list = publicList(onProduct)
  return [
    list,
    ...mount([list], [v1Mount()]),
    ...recordRoutes<Version, Version, NewVersion, VersionChange>({
      words: {
        ...{ path: 'versions', one: 'version', many: 'versions', title: 'version' },
        ...{ operation: 'ProductVersion', operations: 'ProductVersions' },
      },
      schemas: { new: NewVersionSchema, change: VersionChangeSchema, line: VersionView, whole: VersionView },
      descriptions: {
        update:
          '`yanked: true` takes a version back: it stays listed, is never the latest, and its downloads answer 404; `yanked: false` brings it again.',
        remove: 'Its downloads go with it. To take a version back and keep its history, yank it.',
      },
      refusals: ['STATE_CONFLICT'],
      service: versionService(deps),
      lineOf: adminViews,
      wholeOf: async (platform, version) => (await adminViews(platform, [version]))[0],
    }),
  ]
}

function publicList(onProduct: PublicPlaces): Route {
  return route({
    method: 'GET',
    path: '/products/:slug/versions',
    name: 'listVersions',
    tag: 'Products',
    summary: 'List the versions of a product, newest first',
    description:
      'By the precedence of semver.org. Yanked versions are listed with the reason and are never the latest.',
    access: open('the catalog is public'),
    params: { slug: Type.String({ description: 'The product’s slug.', examples: ['vault-vpn'] }) },
    query: VersionQuery,
    answers: { 200: VersionList, 301: null },
    cache: { maxAgeSeconds: 0 },
    handle: ({ platform, params, query: { page = 1, limit = 20, channel = null } }) =>
      onProduct(
        { platform, slug: params.slug, path: (today) => `/products/${today}/versions` },
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
    ...{ productId, revision },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }))
}
