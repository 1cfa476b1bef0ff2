import type { FindMediaByDigest, MediaLibrary, MediaLine } from '../../content/index.ts'
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
import { resolveFormerSlugs } from '../../kernel/former-slugs.ts'
import { newId } from '../../kernel/ids.ts'
import type { MarkupRenderer } from '../../kernel/markup.ts'
import { invalidField } from '../../kernel/refusal.ts'
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
  gone: string[]
  /** The former slugs of each product, by its slug. */
  former: { before: FormerSlugs; after: FormerSlugs }
  markup: MarkupRenderer
  breathe(): Promise<void>
}

type Writer = { product(decision: ProductDiff): Promise<void>; remove(product: Product): Promise<void> }

const dryRun: Writer = { product: async () => undefined, remove: async () => undefined }

/** The products in a bundle, each with everything that belongs to it. */
export function productBundlePart(deps: ProductBundleDeps): BundlePart<PlatformScope> {
  return {
    name: partName,
    record: ProductRecord,
    export: (platform) => exportProducts(platform, deps),
    plan: async (platform, ask) => diffEachProduct(platform, await prepareImport(platform, ask, deps), deps, dryRun),
    apply: async (tx, ask) => {
      await lockAllProducts(tx)
      const asked = await prepareImport(tx, ask, deps)
      const waiting: { id: string; replacedById: string }[] = []
      const changes = await diffEachProduct(tx, asked, deps, createWriter(tx, asked, { ...deps, waiting }))
      for (const replacement of waiting) await setReplacement(tx, replacement)
      await writeFormerSlugs(tx, asked)
      return changes
    },
  }
}

async function exportProducts(platform: PlatformScope, { media }: ProductBundleDeps): Promise<BundleRecord[]> {
  const breathe = yieldPeriodically()
  const former = await listFormerSlugs(platform)
  const records: BundleRecord[] = []
  for (const portion of splitIntoChunks(await listSlugs(platform))) {
    const slugs = portion.map(({ slug }) => slug)
    for (const { own, lists } of await loadCurrentProducts(platform, slugs, media)) {
      records.push({ ...own, formerSlugs: former.get(own.slug) ?? [], ...lists })
      await breathe()
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
  const breathe = yieldPeriodically()
  const now = deps.clock.now()
  const sent = records as ProductRecord[]
  const wantedBySlug = recordsByKey(partName, sent, ({ slug }) => slug)
  const files = await findFiles(platform, sent, deps)
  const wanted: WantedProduct[] = []
  for (const [index, record] of sent.entries()) {
    wanted.push(await parseProductRecord(record, { place: recordPointer(partName, index), files }))
    await breathe()
  }
  const present = await listSlugs(platform)
  const gone = mode === 'mirror' ? present.map(({ slug }) => slug).filter((slug) => !wantedBySlug.has(slug)) : []
  const ids = new Map(present.map(({ slug, id }) => [slug, id]))
  const isMissing = new Set([...wantedBySlug.keys()].filter((slug) => !ids.has(slug)))
  for (const slug of isMissing) ids.set(slug, newId(now))
  const held = new Set(ids.keys()).difference(new Set(gone))
  for (const { own, place } of wanted) {
    if (own.replacedBy !== null && !held.has(own.replacedBy))
      throw invalidField(`${place}/replacedBy`, { code: 'unknown', message: 'is not the slug of a product' })
  }
  const before = await listFormerSlugs(platform)
  const claims = wanted.map(({ own: { slug }, place, formerSlugs }) => ({ slug, place, formerSlugs }))
  const former = { before, after: resolveFormerSlugs(claims, { before, held, mode }) }
  return { mode, markup, now, wanted, files, ids, isMissing, gone, former, breathe } satisfies ProductImport
}

async function findFiles(
  platform: PlatformScope,
  records: ProductRecord[],
  { media, findMediaByDigest }: ProductBundleDeps,
): Promise<FilesByDigest> {
  const files = new Map<string, MediaLine>()
  for (const digests of splitIntoChunks([...new Set(records.flatMap(listDigests))])) {
    const ids = await findMediaByDigest(platform, digests)
    const lines = ids.size === 0 ? new Map<string, MediaLine>() : await media.find(platform, [...ids.values()])
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
  { wanted, gone, former, ...asked }: ProductImport,
  { media, isProductInUse }: ProductBundleDeps,
  write: Writer,
): Promise<BundleChange[]> {
  const changes: BundleChange[] = []
  for (const portion of splitIntoChunks(wanted)) {
    const slugs = portion.map(({ own }) => own.slug)
    const current = new Map((await loadCurrentProducts(scope, slugs, media)).map((one) => [one.own.slug, one]))
    for (const one of portion) {
      const { slug } = one.own
      const isMoved = String(former.before.get(slug) ?? []) !== String(former.after.get(slug))
      const decision = await diffProduct(one, current.get(slug) ?? null, { ...asked, isMoved })
      changes.push(decision.change)
      if (decision.change.action !== 'keep') await write.product(decision)
      await asked.breathe()
    }
  }
  const { refuseDeletion } = inUseChecks(isProductInUse)
  for (const slug of gone) {
    const product = await findProductBySlug(scope, slug)
    if (product === null) continue
    await refuseDeletion(scope, product)
    await write.remove(product)
    changes.push({ key: slug, action: 'remove', fields: [] })
  }
  return changes
}

type WriterDeps = ProductBundleDeps & { waiting: { id: string; replacedById: string }[] }

function createWriter(tx: PlatformScope, { now, files, ids, isMissing }: ProductImport, deps: WriterDeps): Writer {
  // A replacement that is not added yet is set when all products exist.
  const missing = new Set(isMissing)
  return {
    product: async (decision) => {
      const { slug, replacedBy } = decision.wanted.own
      const productId = ids.get(slug) as string
      const replacedById = replacedBy === null ? null : (ids.get(replacedBy) as string)
      const isLater = replacedBy !== null && missing.has(replacedBy)
      if (isLater && replacedById !== null) deps.waiting.push({ id: productId, replacedById })
      const { media, updateMediaUses } = deps
      await writeProduct(tx, decision, {
        productId,
        now,
        media,
        files,
        updateMediaUses,
        replacedById: isLater ? null : replacedById,
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
