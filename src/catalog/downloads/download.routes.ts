import type { RecordVisit } from '../../analytics/index.ts'
import { open } from '../../http/access/access.ts'
import { mount, v1Mount } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { Type } from '../../kernel/type.ts'
import { productChildRoutes } from '../product-child/product-child.routes.ts'
import { adminChildView } from '../product-child/product-child.view.ts'
import type { WithPublicProduct } from '../product-child/public-product.ts'
import {
  type DownloadChange,
  DownloadChange as DownloadChangeSchema,
  DownloadView,
  type NewDownload,
  NewDownload as NewDownloadSchema,
  RedirectQuery,
} from './download.schema.ts'
import { type DownloadDeps, downloadService, locateFile } from './download.service.ts'
import type { Download } from './download.store.ts'

type Deps = DownloadDeps & { withProduct: WithPublicProduct; recordVisit: RecordVisit }

export function downloadRoutes(deps: Deps): Route[] {
  const redirect = redirectRoute(deps)
  return [
    redirect,
    ...mount([redirect], [v1Mount()]),
    ...productChildRoutes<Download, Download, NewDownload, DownloadChange>({
      names: {
        path: 'downloads',
        one: 'download',
        many: 'downloads',
        operation: 'ProductDownload',
        operations: 'ProductDownloads',
        title: 'download',
      },
      schemas: { new: NewDownloadSchema, change: DownloadChangeSchema, line: DownloadView, child: DownloadView },
      descriptions: { create: 'Send an uploaded file, an https address or an install command.' },
      refusals: [],
      service: downloadService(deps),
      lineViews: async (_, downloads) => downloads.map(adminChildView),
      view: async (_, download) => adminChildView(download),
    }),
  ]
}

function redirectRoute({ withProduct, recordVisit, ...deps }: Deps): Route {
  return route({
    method: 'GET',
    path: '/products/:slug/downloads/:id',
    name: 'download',
    tag: 'Products',
    summary: 'Download a file of a product',
    description:
      'Counts the download and redirects to the file; HEAD does not count. If the download has `requiresLicense`, send a license key of the product as `X-License-Key`. Downloads of a yanked version answer 404.',
    access: open('the catalog is public; a licensed download asks for the key'),
    params: { slug: Type.String({ description: 'The product’s slug.', examples: ['editing-sdk'] }) },
    query: RedirectQuery,
    answers: { 301: null, 302: null },
    refusals: ['LICENSE_REQUIRED', 'LICENSE_REVOKED', 'LICENSE_EXPIRED'],
    handle: ({ platform, params: { slug, id }, query, headers }) =>
      withProduct(
        { platform, slug, path: (newSlug) => downloadPath(newSlug, id, query.licenseKey) },
        async (product) => {
          const licenseKey = headers['x-license-key'] ?? query.licenseKey ?? null
          const { download, location } = await locateFile(platform, { product, id, licenseKey }, deps)
          const { versionId } = download
          const event = {
            type: 'sdk.download',
            productId: product.id,
            productSlug: product.slug,
            downloadId: id,
          } as const
          return {
            status: 302,
            body: null,
            headers: { location },
            onServed: (visit) => recordVisit({ ...event, ...(versionId === null ? {} : { versionId }) }, visit),
          }
        },
      ),
  })
}

/** With the license key, which a redirect needs too. */
function downloadPath(slug: string, id: string, licenseKey: string | undefined): string {
  const query = licenseKey === undefined ? '' : `?${new URLSearchParams({ licenseKey })}`
  return `/products/${slug}/downloads/${id}${query}`
}
