import type { FindMediaByDigest, MediaLibrary, MediaSummary } from '../../content/index.ts'
import {
  type BundleChange,
  type BundleMode,
  type BundlePart,
  type BundlePartInput,
  type BundleRecord,
  recordPointer,
  recordsByKey,
  splitIntoChunks,
} from '../../kernel/bundle.ts'
import type { Clock } from '../../kernel/clock.ts'
import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { readEach } from '../../kernel/field-rules.ts'
import { resolveFormerSlugs } from '../../kernel/former-slugs.ts'
import { newId } from '../../kernel/ids.ts'
import type { MarkupRenderer } from '../../kernel/markup.ts'
import { refuseFields } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Product } from '../products/product.rules.ts'
import { type IsProductInUse, inUseChecks } from '../products/product.service.ts'
import {
  findProductBySlug,
  listSlugs,
  lockAllProducts,
  removeProduct,
  setReplacement,
} from '../products/product.store.ts'
import { addRedirect, listRedirects, removeRedirect } from '../products/product-redirect.store.ts'
import { loadCurrentProducts } from './current-product.service.ts'
import { diffProduct, type ProductDiff } from './product-diff.ts'
import { ProductRecord } from './product-record.schema.ts'
import { type FilesByDigest, listDigests, parseProductRecord, type WantedProduct } from './product-record-parser.ts'
import { writeProduct } from './product-writer.service.ts'

const partName = 'products'

export type ProductBundleDeps = {
  clock: Clock
  media: MediaLibrary
  findMediaByDigest: FindMediaByDigest
  updateMediaUses(tx: PlatformScope, product: { id: string; slug: string }): Promise<void>
  releaseMedia(tx: PlatformScope, product: { id: string; slug: string }): Promise<void>
  isProductInUse?: IsProductInUse | undefined
}

type FormerSlugs = Map<string, string[]>

/** What the whole bundle says, prepared before the first product is compared. */
type ProductImport = {
  mode: BundleMode
  now: Date
  wanted: WantedProduct[]
  files: FilesByDigest
  /** The ids of existing and new products, by slug. */
  ids: Map<string, string>
  isMissing: ReadonlySet<string>
  /** The slugs of products to remove. */
  removed: string[]
  /** The former slugs of each product, by its slug. */
  former: { before: FormerSlugs; after: FormerSlugs }
  markup: MarkupRenderer
  yieldIfDue(): Promise<void>
}

type Writer = { product(diff: ProductDiff): Promise<void>; remove(product: Product): Promise<void> }

const dryRun: Writer = { product: async () => undefined, remove: async () => undefined }

/** The products in a bundle, each with everything that belongs to it. */
export function productBundlePart(deps: ProductBundleDeps): BundlePart<PlatformScope> {
  return {
    name: partName,
    record: ProductRecord,
    export: (platform) => exportProducts(platform, deps),
    plan: async (platform, input) =>
      diffEachProduct(platform, await prepareImport(platform, input, deps), deps, dryRun),
    apply: async (tx, input) => {
      await lockAllProducts(tx)
      const prepared = await prepareImport(tx, input, deps)
      const deferredReplacements: { id: string; replacedById: string }[] = []
      const changes = await diffEachProduct(
        tx,
        prepared,
        deps,
        createWriter(tx, prepared, { ...deps, deferredReplacements }),
      )
      for (const replacement of deferredReplacements) await setReplacement(tx, replacement)
      await writeFormerSlugs(tx, prepared)
      return changes
    },
  }
}

async function exportProducts(platform: PlatformScope, { media }: ProductBundleDeps): Promise<BundleRecord[]> {
  const yieldIfDue = yieldPeriodically()
  const former = await listFormerSlugs(platform)
  const records: BundleRecord[] = []
  for (const chunk of splitIntoChunks(await listSlugs(platform))) {
    const slugs = chunk.map(({ slug }) => slug)
    for (const { own, lists } of await loadCurrentProducts(platform, slugs, media)) {
      records.push({ ...own, formerSlugs: former.get(own.slug) ?? [], ...lists })
      await yieldIfDue()
    }
  }
  return records
}

async function listFormerSlugs(platform: PlatformScope): Promise<FormerSlugs> {
  const groups = Map.groupBy(await listRedirects(platform), ({ leadsTo }) => leadsTo)
  return new Map([...groups].map(([slug, redirects]) => [slug, redirects.map((redirect) => redirect.slug)]))
}

/** Refuses VALIDATION_ERROR for faults that show without comparing. */
async function prepareImport(
  platform: PlatformScope,
  { records, mode, markup }: BundlePartInput,
  deps: ProductBundleDeps,
) {
  const yieldIfDue = yieldPeriodically()
  const now = deps.clock.now()
  const sent = records as ProductRecord[]
  const wantedBySlug = recordsByKey(partName, sent, ({ slug }) => slug)
  const files = await findFiles(platform, sent, deps)
  const wanted = await readEach(sent, async (record, index) => {
    await yieldIfDue()
    return parseProductRecord(record, { pointer: recordPointer(partName, index), files })
  })
  const present = await listSlugs(platform)
  const removed = mode === 'mirror' ? present.map(({ slug }) => slug).filter((slug) => !wantedBySlug.has(slug)) : []
  const ids = new Map(present.map(({ slug, id }) => [slug, id]))
  const isMissing = new Set([...wantedBySlug.keys()].filter((slug) => !ids.has(slug)))
  for (const slug of isMissing) ids.set(slug, newId(now))
  const remaining = new Set(ids.keys()).difference(new Set(removed))
  const isReplacedByNone = ({ own: { replacedBy } }: WantedProduct) => replacedBy !== null && !remaining.has(replacedBy)
  refuseFields(
    wanted.filter(isReplacedByNone).map(({ pointer }) => ({
      path: `${pointer}/replacedBy`,
      code: 'unknown',
      message: 'is not the slug of a product',
    })),
  )
  const before = await listFormerSlugs(platform)
  const claims = wanted.map(({ own: { slug }, pointer, formerSlugs }) => ({ slug, place: pointer, formerSlugs }))
  const former = { before, after: resolveFormerSlugs(claims, { before, held: remaining, mode }) }
  return { mode, markup, now, wanted, files, ids, isMissing, removed, former, yieldIfDue } satisfies ProductImport
}

async function findFiles(
  platform: PlatformScope,
  records: ProductRecord[],
  { media, findMediaByDigest }: ProductBundleDeps,
): Promise<FilesByDigest> {
  const files = new Map<string, MediaSummary>()
  for (const digests of splitIntoChunks([...new Set(records.flatMap(listDigests))])) {
    const ids = await findMediaByDigest(platform, digests)
    const lines = ids.size === 0 ? new Map<string, MediaSummary>() : await media.find(platform, [...ids.values()])
    for (const [digest, id] of ids) {
      const line = lines.get(id)
      if (line !== undefined) files.set(digest, line)
    }
  }
  return files
}

/** Compares in chunks and writes each product before it reads the next, so that a catalog need not fit in memory twice. */
async function diffEachProduct(
  scope: PlatformScope,
  { wanted, removed, former, ...prepared }: ProductImport,
  { media, isProductInUse }: ProductBundleDeps,
  write: Writer,
): Promise<BundleChange[]> {
  const changes: BundleChange[] = []
  for (const chunk of splitIntoChunks(wanted)) {
    const slugs = chunk.map(({ own }) => own.slug)
    const current = new Map((await loadCurrentProducts(scope, slugs, media)).map((one) => [one.own.slug, one]))
    await readEach(chunk, async (one) => {
      const { slug } = one.own
      const areFormerSlugsChanged = String(former.before.get(slug) ?? []) !== String(former.after.get(slug))
      const diff = await diffProduct(one, current.get(slug) ?? null, { ...prepared, areFormerSlugsChanged })
      changes.push(diff.change)
      if (diff.change.action !== 'keep') await write.product(diff)
      await prepared.yieldIfDue()
    })
  }
  const { refuseDeletion } = inUseChecks(isProductInUse)
  for (const slug of removed) {
    const product = await findProductBySlug(scope, slug)
    if (product === null) continue
    await refuseDeletion(scope, product)
    await write.remove(product)
    changes.push({ key: slug, action: 'remove', fields: [] })
  }
  return changes
}

type WriterDeps = ProductBundleDeps & { deferredReplacements: { id: string; replacedById: string }[] }

function createWriter(tx: PlatformScope, { now, files, ids, isMissing }: ProductImport, deps: WriterDeps): Writer {
  // A replacement that is not added yet is set when all products exist.
  const missing = new Set(isMissing)
  return {
    product: async (diff) => {
      const { slug, replacedBy } = diff.wanted.own
      const productId = ids.get(slug) as string
      const replacedById = replacedBy === null ? null : (ids.get(replacedBy) as string)
      const isDeferred = replacedBy !== null && missing.has(replacedBy)
      if (isDeferred && replacedById !== null) deps.deferredReplacements.push({ id: productId, replacedById })
      const { media, updateMediaUses } = deps
      await writeProduct(tx, diff, {
        productId,
        now,
        media,
        files,
        updateMediaUses,
        replacedById: isDeferred ? null : replacedById,
      })
      missing.delete(slug)
    },
    remove: async (product) => {
      await deps.releaseMedia(tx, product)
      await removeProduct(tx, product.id)
    },
  }
}

/** Removes first, because a slug may move from one product to another. */
async function writeFormerSlugs(
  tx: PlatformScope,
  { former: { before, after }, ids, now }: ProductImport,
): Promise<void> {
  for (const [slug, formerSlugs] of after) {
    for (const former of before.get(slug) ?? []) if (!formerSlugs.includes(former)) await removeRedirect(tx, former)
  }
  for (const [slug, formerSlugs] of after) {
    const had = new Set(before.get(slug))
    for (const former of formerSlugs)
      if (!had.has(former)) await addRedirect(tx, { slug: former, productId: ids.get(slug) as string, now })
  }
}
