import type { MediaLibrary } from '../../content/index.ts'
import { newId } from '../../kernel/ids.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { type DocFields, docSeoDefaults } from '../docs/doc.rules.ts'
import { docMediaUse } from '../docs/doc.service.ts'
import { docStore, indexDoc, sectionStore } from '../docs/doc.store.ts'
import { downloadStore } from '../downloads/download.store.ts'
import { featureStore } from '../features/feature.store.ts'
import { planStore } from '../plans/plan.store.ts'
import type { Ordered, ProductChild } from '../product-child/product-child.rules.ts'
import type { OrderedChildStore, ProductChildStore } from '../product-child/product-child.store.ts'
import { productMediaStore } from '../product-media/product-media.store.ts'
import { versionStore } from '../versions/version.store.ts'
import type { ProductDiff } from './product-diff.ts'
import type { Entry, ListDiff } from './product-record.rules.ts'
import { type FilesByDigest, findMediaId } from './product-record-parser.ts'

export type WriteContext = { productId: string; now: Date; media: MediaLibrary; files: FilesByDigest }

/** Writes the children of a product. A section or version is written before its docs or downloads, and removed after them. */
export async function writeChildren(tx: PlatformScope, decision: ProductDiff, writing: WriteContext): Promise<void> {
  const { plans, before } = decision
  const { files } = writing
  await writeOrderedList(tx, {
    ...writing,
    store: featureStore,
    plan: plans.features,
    rows: before?.rows.features ?? [],
  })
  await writeOrderedList(tx, { ...writing, store: planStore, plan: plans.plans, rows: before?.rows.plans ?? [] })
  await writeOrderedList(tx, {
    ...writing,
    store: productMediaStore,
    rows: before?.rows.media ?? [],
    plan: mapRecords(plans.media, ({ media, posterMedia, ...picture }) => ({
      ...picture,
      mediaId: findMediaId(media, files),
      posterMediaId: findMediaId(posterMedia, files),
    })),
  })
  const sectionIds = await writeSections(tx, decision, writing)
  await writeDocs(tx, decision, { ...writing, sectionIds })
  await removeMissing(tx, sectionStore, { plan: plans.docSections, rows: before?.rows.docSections ?? [] })
  const versionIds = await writeVersions(tx, decision, writing)
  await writeDownloads(tx, decision, { ...writing, versionIds })
  await removeMissing(tx, versionStore, { plan: plans.versions, rows: before?.rows.versions ?? [] })
}

function mapRecords<R, T>(plan: ListDiff<R>, termsOf: (record: R, place: number) => T): ListDiff<T> {
  return { ...plan, entries: plan.entries.map((entry, place) => ({ ...entry, record: termsOf(entry.record, place) })) }
}

/** New ids that sort as the records do: with equal `order`, the smaller id comes first. */
function assignIds({ entries }: ListDiff<unknown>, rows: { id: string }[], now: Date): string[] {
  const fresh = entries.filter(({ index }) => index === null).map(() => newId(now))
  fresh.sort().reverse()
  return entries.map(({ index }) => (index === null ? fresh.pop() : rows[index]?.id) as string)
}

type OrderedList<T> = WriteContext & {
  store: OrderedChildStore<T>
  plan: ListDiff<T>
  rows: ProductChild<Ordered<T>>[]
}

async function writeOrderedList<T>(
  tx: PlatformScope,
  { store, plan, rows, productId, now }: OrderedList<T>,
): Promise<void> {
  if (plan.fields.length === 0) return
  const placed = mapRecords(plan, (record, order) => ({ ...record, order }))
  const ids = await writeList(tx, { store, plan: placed, rows, productId, now, termsOf: ({ record }) => record })
  await removeMissing(tx, store, { plan, rows })
  await store.setOrder(tx, productId, ids)
}

type RemovedRows<T> = { plan: ListDiff<unknown>; rows: ProductChild<T>[] }

async function removeMissing<T>(
  tx: PlatformScope,
  store: ProductChildStore<T>,
  { plan, rows }: RemovedRows<T>,
): Promise<void> {
  for (const index of plan.gone) await store.remove(tx, (rows[index] as ProductChild<T>).id)
}

type ListWrite<R, T> = {
  store: ProductChildStore<T>
  plan: ListDiff<R>
  rows: ProductChild<T>[]
  productId: string
  now: Date
  termsOf(entry: Entry<R>, before: ProductChild<T> | null): T
  written?(record: ProductChild<T>, before: ProductChild<T> | null): Promise<void>
}

/** Writes new and changed records and counts their revision. Returns the ids of all records, in order. */
async function writeList<R, T>(tx: PlatformScope, kept: ListWrite<R, T>): Promise<string[]> {
  const { store, plan, rows, productId, now } = kept
  const ids = assignIds(plan, rows, now)
  for (const [at, entry] of plan.entries.entries()) {
    const before = rows[entry.index ?? -1] ?? null
    if (before !== null && !entry.isChanged) continue
    const revision = (before?.revision ?? 0) + 1
    const createdAt = before?.createdAt ?? now
    const record = {
      ...kept.termsOf(entry, before),
      id: ids[at] as string,
      productId,
      revision,
      createdAt,
      updatedAt: now,
    }
    await (before === null ? store.add(tx, record) : store.save(tx, record))
    await kept.written?.(record, before)
  }
  return ids
}

function idsByKey({ entries }: ListDiff<unknown>, ids: string[]): Map<string, string> {
  return new Map(entries.map(({ key }, at) => [key, ids[at] as string]))
}

/** Writes sections without a parent first, because the parent may come later in the list. */
async function writeSections(tx: PlatformScope, { plans, before }: ProductDiff, { productId, now }: WriteContext) {
  const waiting: { record: ProductChild<{ slug: string; title: string; order: number }>; parent: string | null }[] = []
  const parents = new Map(plans.docSections.entries.map(({ key, record }) => [key, record.parent]))
  const written = await writeList(tx, {
    store: sectionStore,
    plan: plans.docSections,
    rows: before?.rows.docSections ?? [],
    productId,
    now,
    termsOf: ({ record: { slug, title, order } }) => ({ slug, title, order, parentId: null }),
    written: async (record) => {
      waiting.push({ record, parent: parents.get(record.slug) ?? null })
    },
  })
  const ids = idsByKey(plans.docSections, written)
  for (const { record, parent } of waiting) {
    if (parent !== null) await sectionStore.save(tx, { ...record, parentId: ids.get(parent) ?? null })
  }
  return ids
}

async function writeDocs(
  tx: PlatformScope,
  { plans, before, wanted, docTexts }: ProductDiff,
  { productId, now, media, sectionIds }: WriteContext & { sectionIds: Map<string, string> },
): Promise<void> {
  const rows = before?.rows.docs ?? []
  await writeList<(typeof plans.docs.entries)[number]['record'], DocFields>(tx, {
    store: docStore,
    plan: plans.docs,
    rows,
    productId,
    now,
    termsOf: ({ key, record: { section, ...doc } }, row) => {
      const { html = '', toc = [], passages = [], wordCount = 0 } = docTexts.get(key) ?? row ?? {}
      return {
        ...doc,
        ...{ html, toc, passages, wordCount, seo: { ...docSeoDefaults, ...doc.seo } },
        sectionId: sectionIds.get(section ?? '') ?? null,
        publishedAt: doc.status === 'PUBLISHED' ? (row?.publishedAt ?? now) : (row?.publishedAt ?? null),
        editedBy: tx.caller.actor.label,
      }
    },
    written: async (doc, row) => {
      if (row?.title !== doc.title || docTexts.has(doc.slug)) await indexDoc(tx, doc.id, doc)
      if (row?.markdown !== doc.markdown) await media.setUses(tx, docMediaUse(wanted.own, { id: doc.id, doc }), [])
    },
  })
  for (const index of plans.docs.gone)
    await media.setUses(tx, docMediaUse(wanted.own, { id: (rows[index] as ProductChild<DocFields>).id, doc: null }), [])
  await removeMissing(tx, docStore, { plan: plans.docs, rows })
}

async function writeVersions(
  tx: PlatformScope,
  { plans, before, versions }: ProductDiff,
  { productId, now }: WriteContext,
) {
  const written = await writeList(tx, {
    store: versionStore,
    plan: plans.versions,
    rows: before?.rows.versions ?? [],
    productId,
    now,
    termsOf: ({ key }) => versions.get(key) as NonNullable<ReturnType<typeof versions.get>>,
  })
  return idsByKey(plans.versions, written)
}

async function writeDownloads(
  tx: PlatformScope,
  { plans, before, wanted }: ProductDiff,
  { productId, now, media, files, versionIds }: WriteContext & { versionIds: Map<string, string> },
): Promise<void> {
  const rows = before?.rows.downloads ?? []
  const use = async ({ id, fileName }: { id: string; fileName: string | null }, ids: string[]) => {
    const label = `${wanted.own.slug} ${fileName ?? ''}`.trim()
    await media.setUses(tx, { kind: 'download', id, label }, ids)
  }
  await writeList(tx, {
    store: downloadStore,
    plan: plans.downloads,
    rows,
    productId,
    now,
    termsOf: ({ record: { version, media: file, ...download } }) => ({
      ...download,
      versionId: versionIds.get(version ?? '') ?? null,
      mediaId: findMediaId(file, files),
    }),
    written: async (record, row) => {
      if (record.mediaId ?? row?.mediaId) await use(record, record.mediaId === null ? [] : [record.mediaId])
    },
  })
  for (const index of plans.downloads.gone) {
    const row = rows[index]
    if (row?.mediaId) await use(row, [])
  }
  await removeMissing(tx, downloadStore, { plan: plans.downloads, rows })
}
