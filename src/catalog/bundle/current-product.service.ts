import type { MediaLibrary, MediaSummary } from '../../content/index.ts'
import type { FileRecord } from '../../kernel/bundle.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { DocFields, SectionFields } from '../docs/doc.rules.ts'
import { docStore, sectionStore } from '../docs/doc.store.ts'
import type { DownloadFields } from '../downloads/download.rules.ts'
import { downloadStore } from '../downloads/download.store.ts'
import type { FeatureFields } from '../features/feature.rules.ts'
import { featureStore } from '../features/feature.store.ts'
import type { PlanFields } from '../plans/plan.rules.ts'
import { planStore } from '../plans/plan.store.ts'
import type { Ordered, ProductChild } from '../product-child/product-child.rules.ts'
import type { ProductMediaFields } from '../product-media/product-media.rules.ts'
import { productMediaStore } from '../product-media/product-media.store.ts'
import type { Product } from '../products/product.rules.ts'
import { listBySlug } from '../products/product.store.ts'
import type { VersionFields } from '../versions/version.rules.ts'
import { versionStore } from '../versions/version.store.ts'
import type { OwnFields, ProductLists } from './product-record.rules.ts'

/** The children of a product as they are stored, each list in the order of `ProductLists`. */
export type ProductRows = {
  features: ProductChild<Ordered<FeatureFields>>[]
  plans: ProductChild<Ordered<PlanFields>>[]
  media: ProductChild<Ordered<ProductMediaFields>>[]
  docSections: ProductChild<SectionFields>[]
  docs: ProductChild<DocFields>[]
  versions: ProductChild<VersionFields>[]
  downloads: ProductChild<DownloadFields>[]
}

/** A stored product, with the fields and lists that a bundle would have for it. */
export type CurrentProduct = { product: Product; rows: ProductRows; own: OwnFields; lists: ProductLists }

type Files = ReadonlyMap<string, MediaSummary>

/** The existing products among the slugs, sorted by slug. Runs one query for each kind of children. */
export async function loadCurrentProducts(
  platform: PlatformScope,
  slugs: string[],
  media: MediaLibrary,
): Promise<CurrentProduct[]> {
  const products = await listBySlug(platform, slugs)
  const ids = products.map(({ id }) => id)
  if (ids.length === 0) return []
  // One after the other: a transaction has one connection.
  const features = byProduct(await featureStore.listByProducts(platform, ids))
  const plans = byProduct(await planStore.listByProducts(platform, ids))
  const pictures = byProduct(await productMediaStore.listByProducts(platform, ids))
  const docSections = byProduct(await sectionStore.listByProducts(platform, ids))
  const docs = byProduct(await docStore.listByProducts(platform, ids))
  const versions = byProduct(await versionStore.listByProducts(platform, ids))
  const downloads = byProduct(await downloadStore.listByProducts(platform, ids))
  const all = products.map((product): { product: Product; rows: ProductRows } => {
    const ofProduct = <T>(lists: Map<string, T[]>) => lists.get(product.id) ?? []
    return {
      product,
      rows: {
        features: ofProduct(features),
        plans: ofProduct(plans),
        media: ofProduct(pictures),
        versions: ofProduct(versions),
        docSections: groupByParent(
          ofProduct(docSections),
          ({ parentId }) => parentId,
          sectionNames(ofProduct(docSections)),
        ),
        docs: groupByParent(ofProduct(docs), ({ sectionId }) => sectionId, sectionNames(ofProduct(docSections))),
        downloads: groupByParent(ofProduct(downloads), ({ versionId }) => versionId, versionNames(ofProduct(versions))),
      },
    }
  })
  const files = await findFiles(platform, all, media)
  return all.map(({ product, rows }) => ({
    product,
    rows,
    own: ownFields(product, files),
    lists: recordLists(rows, files),
  }))
}

const sectionNames = (rows: ProductRows['docSections']) => new Map(rows.map(({ id, slug }) => [id, slug]))
const versionNames = (rows: ProductRows['versions']) => new Map(rows.map(({ id, version }) => [id, version]))

/** Puts children of one parent together. Their order among children of other parents means nothing. */
function groupByParent<R>(rows: R[], parentOf: (row: R) => string | null, names: Map<string, string>): R[] {
  const groups = Map.groupBy(rows, (row) => names.get(parentOf(row) ?? '') ?? '')
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, group]) => group)
}

function byProduct<R extends { productId: string }>(rows: R[]): Map<string, R[]> {
  return Map.groupBy(rows, ({ productId }) => productId)
}

async function findFiles(
  platform: PlatformScope,
  products: { product: Product; rows: ProductRows }[],
  media: MediaLibrary,
): Promise<Files> {
  const ids = new Set(products.flatMap(usedMediaIds))
  return ids.size === 0 ? new Map() : media.find(platform, [...ids])
}

/** The ids of the files that a product and its children use. */
function usedMediaIds({ product, rows }: { product: Product; rows: ProductRows }): string[] {
  return [
    product.iconMediaId,
    product.coverMediaId,
    product.seo.imageId,
    ...rows.media.flatMap(({ mediaId, posterMediaId }) => [mediaId, posterMediaId]),
    ...rows.downloads.map(({ mediaId }) => mediaId),
  ].filter((id) => id !== null)
}

function fileRecord(files: Files, id: string | null): FileRecord | null {
  const file = files.get(id ?? '')
  return file === undefined ? null : { sha256: file.sha256, filename: file.filename }
}

function ownFields(product: Product, files: Files): OwnFields {
  const { slug, name, tagline, description, isFeatured, sortOrder, apiPrefix, tags, links, seo, replacedBy } = product
  return {
    slug,
    name,
    tagline,
    description,
    type: product.typeLabel ?? product.type,
    status: product.statusLabel ?? product.status,
    isFeatured,
    sortOrder,
    apiPrefix,
    iconMedia: fileRecord(files, product.iconMediaId),
    coverMedia: fileRecord(files, product.coverMediaId),
    tags,
    links: { website: links.website, repo: links.repo, support: links.support, changelog: links.changelog },
    seo: {
      title: seo.title,
      description: seo.description,
      image: fileRecord(files, seo.imageId),
      noindex: seo.noindex,
    },
    sunsetAt: isoOrNull(product.sunsetAt),
    replacedBy,
  }
}

function recordLists(rows: ProductRows, files: Files): ProductLists {
  const [sections, versions] = [sectionNames(rows.docSections), versionNames(rows.versions)]
  return {
    features: rows.features.map(({ slug, title, description, icon, group, isHighlighted, availability }) => ({
      slug,
      title,
      description,
      icon,
      group,
      isHighlighted,
      availability: sortMembers(availability),
    })),
    plans: rows.plans.map(({ id: _, productId, order, revision, createdAt, updatedAt, cta, ...plan }) => ({
      ...plan,
      cta: cta && { label: cta.label, url: cta.url },
    })),
    media: rows.media.map(({ kind, mediaId, url, alt, caption, posterMediaId }) => ({
      kind,
      url,
      alt,
      caption,
      media: fileRecord(files, mediaId),
      posterMedia: fileRecord(files, posterMediaId),
    })),
    docSections: rows.docSections.map(({ slug, title, order, parentId }) => ({
      slug,
      title,
      order,
      parent: sections.get(parentId ?? '') ?? null,
    })),
    docs: rows.docs.map(({ slug, title, summary, markdown, order, status, sectionId, seo }) => ({
      slug,
      title,
      summary,
      markdown,
      order,
      status,
      section: sections.get(sectionId ?? '') ?? null,
      seo: { title: seo.title, description: seo.description, noindex: seo.noindex },
    })),
    versions: rows.versions.map(
      ({ version, channel, releasedAt, notes, breaking, minRequirements, yankedAt, yankReason }) => ({
        version,
        channel,
        releasedAt: releasedAt.toISOString(),
        notes,
        breaking,
        minRequirements: sortMembers(minRequirements),
        yanked: yankedAt !== null,
        yankReason,
      }),
    ),
    downloads: rows.downloads.map(
      ({ id: _, productId, revision, createdAt, updatedAt, versionId, mediaId, ...download }) => ({
        version: versions.get(versionId ?? '') ?? null,
        ...download,
        media: fileRecord(files, mediaId),
      }),
    ),
  }
}

/** Sorts the members, because the database returns them in an order of its own. */
function sortMembers<T>(members: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))
}
