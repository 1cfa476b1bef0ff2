import type { MediaLibrary, MediaSummary } from '../../content/index.ts'
import type { InspectLicense } from '../../identity/index.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { invalidField, notFound, Refusal, refuseFields } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { ParentProduct } from '../product-child/parent-product.store.ts'
import {
  type ChildWrite,
  type ProductChildDeps,
  type ProductChildKind,
  productChildService,
} from '../product-child/product-child.service.ts'
import type { ListByProduct } from '../product-child/public-product.ts'
import { type DownloadFields, downloadDefaults, downloadFaults } from './download.rules.ts'
import type { DownloadChange, NewDownload, PublicDownload } from './download.schema.ts'
import {
  type Download,
  downloadStore,
  findPublicDownload,
  listDownloadIdsWithMedia,
  listPublicDownloads,
  type PublicDownloadRow,
  versionExists,
} from './download.store.ts'

export type DownloadDeps = ProductChildDeps & { media: MediaLibrary; inspectLicense: InspectLicense }

/** Refuses VALIDATION_ERROR for an unknown version or file, and for a download that offers no way to get it. */
export function downloadService({ media, ...deps }: DownloadDeps) {
  const kind: ProductChildKind<DownloadFields, DownloadChange, NewDownload> = {
    auditName: 'download',
    store: downloadStore,
    defaults: () => downloadDefaults,
    rules: (sent, isNew, { platform, productId }) => [
      () => refuseFields(downloadFaults(isNew ? { ...downloadDefaults, ...sent } : sent)),
      ruleFor(sent.versionId, (id) => refuseUnknownVersion(platform, productId, id)),
      ruleFor(sent.mediaId, (id) => requireFile(platform, id, media)),
    ],
    validate: (tx, write) => validateDownload(tx, write, media),
    afterWrite: async (tx, { product, id, child }) => {
      const label = `${product.slug} ${child?.fileName ?? ''}`.trim()
      await media.setUses(tx, { kind: 'download', id, label }, child?.mediaId ? [child.mediaId] : [])
    },
  }
  return productChildService(deps, kind)
}

async function validateDownload(
  tx: PlatformScope,
  { before, after }: ChildWrite<DownloadFields>,
  media: MediaLibrary,
): Promise<Download> {
  const { productId, versionId, mediaId } = after
  refuseFields(downloadFaults(after))
  if (versionId !== null) await refuseUnknownVersion(tx, productId, versionId)
  if (mediaId === null || mediaId === before?.mediaId) return after
  const file = await requireFile(tx, mediaId, media)
  // The new file's own values, unless this request sets others.
  const choose = <K extends 'fileName' | 'sizeBytes' | 'sha256'>(member: K, own: Download[K]) =>
    after[member] !== null && after[member] !== (before?.[member] ?? null) ? after[member] : own
  return {
    ...after,
    fileName: choose('fileName', file.filename),
    sizeBytes: choose('sizeBytes', file.size),
    sha256: choose('sha256', file.sha256),
  }
}

async function refuseUnknownVersion(tx: PlatformScope, productId: string, versionId: string): Promise<void> {
  if (!(await versionExists(tx, productId, versionId)))
    throw invalidField('/body/versionId', { code: 'unknown', message: 'is not a version of this product' })
}

async function requireFile(tx: PlatformScope, mediaId: string, media: MediaLibrary): Promise<MediaSummary> {
  const file = (await media.find(tx, [mediaId])).get(mediaId)
  if (file === undefined) throw invalidField('/body/mediaId', { code: 'unknown', message: 'is not an uploaded file' })
  return file
}

/** As the public sees them. */
export const listDownloadsByProduct: ListByProduct<PublicDownload> = async (platform, productIds) => {
  const found = Map.groupBy(await listPublicDownloads(platform, productIds), ({ productId }) => productId)
  return new Map(productIds.map((productId) => [productId, (found.get(productId) ?? []).map(publicView)]))
}

/** Releases the files of a product's downloads, or of one version's. Call it in the transaction that removes either. */
export async function releaseDownloadFiles(
  tx: PlatformScope,
  { productId, versionId, media }: { productId: string; versionId: string | null; media: MediaLibrary },
): Promise<void> {
  for (const id of await listDownloadIdsWithMedia(tx, { productId, versionId }))
    await media.setUses(tx, { kind: 'download', id, label: '' }, [])
}

type FileRequest = { product: ParentProduct; id: string; licenseKey: string | null }

/**
 * Finds the address of the file. Refuses NOT_FOUND for a download that is hidden, yanked or without a file, and
 * LICENSE_REQUIRED, LICENSE_REVOKED or LICENSE_EXPIRED if it needs a license. A license without uses left still
 * downloads, so that its owner can install the product again.
 */
export async function locateFile(
  platform: PlatformScope,
  { product, id, licenseKey }: FileRequest,
  { media, inspectLicense }: Pick<DownloadDeps, 'media' | 'inspectLicense'>,
): Promise<{ download: PublicDownloadRow; location: string }> {
  const download = await findPublicDownload(platform, { productId: product.id, id })
  if (download === null || !hasFile(download)) throw notFound()
  if (download.requiresLicense) {
    if (licenseKey === null) throw new Refusal('LICENSE_REQUIRED', { detail: 'Send a license key as `X-License-Key`.' })
    const checks = await inspectLicense(platform, {
      licenseKey,
      licenseId: null,
      product: product.slug,
      caller: null,
    })
    const failed = checks.find(({ check, passed }) => passed === false && check !== 'LICENSE_USES_LEFT')
    if (failed) throw new Refusal(failed.code ?? 'LICENSE_REQUIRED')
  }
  const { mediaId, externalUrl } = download
  const location = mediaId === null ? externalUrl : (await media.find(platform, [mediaId])).get(mediaId)?.url
  if (!location) throw notFound()
  return { download, location }
}

function hasFile({ mediaId, externalUrl }: DownloadFields): boolean {
  return mediaId !== null || externalUrl !== null
}

function publicView(download: PublicDownloadRow): PublicDownload {
  const { id, kind, platform, arch, fileName, sizeBytes, sha256, signature, packageManager, installCommand } = download
  const { requiresLicense, order, version, productSlug } = download
  return {
    id,
    kind,
    platform,
    arch,
    fileName,
    sizeBytes,
    sha256,
    signature,
    packageManager,
    installCommand,
    requiresLicense,
    order,
    version,
    url: hasFile(download) ? `/products/${productSlug}/downloads/${id}` : null,
  }
}
