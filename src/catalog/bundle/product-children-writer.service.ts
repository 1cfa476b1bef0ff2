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
export async function writeChildren(tx: PlatformScope, productDiff: ProductDiff, context: WriteContext): Promise<void> {
  const { diffs, before } = productDiff
  const { files } = context
  await writeOrderedList(tx, {
    ...context,
    store: featureStore,
    diff: diffs.features,
    rows: before?.rows.features ?? [],
  })
  await writeOrderedList(tx, { ...context, store: planStore, diff: diffs.plans, rows: before?.rows.plans ?? [] })
  await writeOrderedList(tx, {
    ...context,
    store: productMediaStore,
    rows: before?.rows.media ?? [],
    diff: mapRecords(diffs.media, ({ media, posterMedia, ...picture }) => ({
      ...picture,
      mediaId: findMediaId(media, files),
      posterMediaId: findMediaId(posterMedia, files),
    })),
  })
  const sectionIds = await writeSections(tx, productDiff, context)
  await writeDocs(tx, productDiff, { ...context, sectionIds })
  await removeMissing(tx, sectionStore, { diff: diffs.docSections, rows: before?.rows.docSections ?? [] })
  const versionIds = await writeVersions(tx, productDiff, context)
  await writeDownloads(tx, productDiff, { ...context, versionIds })
  await removeMissing(tx, versionStore, { diff: diffs.versions, rows: before?.rows.versions ?? [] })
}

function mapRecords<R, T>(diff: ListDiff<R>, toFields: (record: R, index: number) => T): ListDiff<T> {
  return { ...diff, entries: diff.entries.map((entry, index) => ({ ...entry, record: toFields(entry.record, index) })) }
}

/** New ids that sort as the records do: with equal `order`, the smaller id comes first. */
function assignIds({ entries }: ListDiff<unknown>, rows: { id: string }[], now: Date): string[] {
  const newIds = entries.filter(({ index }) => index === null).map(() => newId(now))
  newIds.sort().reverse()
  return entries.map(({ index }) => (index === null ? newIds.pop() : rows[index]?.id) as string)
}

type OrderedList<T> = WriteContext & {
  store: OrderedChildStore<T>
  diff: ListDiff<T>
  rows: ProductChild<Ordered<T>>[]
}

async function writeOrderedList<T>(
  tx: PlatformScope,
  { store, diff, rows, productId, now }: OrderedList<T>,
): Promise<void> {
  if (diff.fields.length === 0) return
  const ordered = mapRecords(diff, (record, order) => ({ ...record, order }))
  const ids = await writeList(tx, { store, diff: ordered, rows, productId, now, toFields: ({ record }) => record })
  await removeMissing(tx, store, { diff, rows })
  await store.setOrder(tx, productId, ids)
}

type RemovedRows<T> = { diff: ListDiff<unknown>; rows: ProductChild<T>[] }

async function removeMissing<T>(
  tx: PlatformScope,
  store: ProductChildStore<T>,
  { diff, rows }: RemovedRows<T>,
): Promise<void> {
  for (const index of diff.removed) await store.remove(tx, (rows[index] as ProductChild<T>).id)
}

type ListWrite<R, T> = {
  store: ProductChildStore<T>
  diff: ListDiff<R>
  rows: ProductChild<T>[]
  productId: string
  now: Date
  toFields(entry: Entry<R>, before: ProductChild<T> | null): T
  afterWrite?(record: ProductChild<T>, before: ProductChild<T> | null): Promise<void>
}

/** Writes new and changed records and counts their revision. Returns the ids of all records, in order. */
async function writeList<R, T>(tx: PlatformScope, write: ListWrite<R, T>): Promise<string[]> {
  const { store, diff, rows, productId, now } = write
  const ids = assignIds(diff, rows, now)
  for (const [position, entry] of diff.entries.entries()) {
    const before = rows[entry.index ?? -1] ?? null
    if (before !== null && !entry.isChanged) continue
    const revision = (before?.revision ?? 0) + 1
    const createdAt = before?.createdAt ?? now
    const record = {
      ...write.toFields(entry, before),
      id: ids[position] as string,
      productId,
      revision,
      createdAt,
      updatedAt: now,
    }
    await (before === null ? store.add(tx, record) : store.save(tx, record))
    await write.afterWrite?.(record, before)
  }
  return ids
}

function idsByKey({ entries }: ListDiff<unknown>, ids: string[]): Map<string, string> {
  return new Map(entries.map(({ key }, index) => [key, ids[index] as string]))
}

/** Writes sections without a parent first, because the parent may come later in the list. */
async function writeSections(tx: PlatformScope, { diffs, before }: ProductDiff, { productId, now }: WriteContext) {
  const withoutParent: {
    record: ProductChild<{ slug: string; title: string; order: number }>
    parent: string | null
  }[] = []
  const parents = new Map(diffs.docSections.entries.map(({ key, record }) => [key, record.parent]))
  const sectionIds = await writeList(tx, {
    store: sectionStore,
    diff: diffs.docSections,
    rows: before?.rows.docSections ?? [],
    productId,
    now,
    toFields: ({ record: { slug, title, order } }) => ({ slug, title, order, parentId: null }),
    afterWrite: async (record) => {
      withoutParent.push({ record, parent: parents.get(record.slug) ?? null })
    },
  })
  const ids = idsByKey(diffs.docSections, sectionIds)
  for (const { record, parent } of withoutParent) {
    if (parent !== null) await sectionStore.save(tx, { ...record, parentId: ids.get(parent) ?? null })
  }
  return ids
}

async function writeDocs(
  tx: PlatformScope,
  { diffs, before, wanted, docTexts }: ProductDiff,
  { productId, now, media, sectionIds }: WriteContext & { sectionIds: Map<string, string> },
): Promise<void> {
  const rows = before?.rows.docs ?? []
  await writeList<(typeof diffs.docs.entries)[number]['record'], DocFields>(tx, {
    store: docStore,
    diff: diffs.docs,
    rows,
    productId,
    now,
    toFields: ({ key, record: { section, ...doc } }, row) => {
      const { html = '', toc = [], passages = [], wordCount = 0 } = docTexts.get(key) ?? row ?? {}
      return {
        ...doc,
        html,
        toc,
        passages,
        wordCount,
        seo: { ...docSeoDefaults, ...doc.seo },
        sectionId: sectionIds.get(section ?? '') ?? null,
        publishedAt: doc.status === 'PUBLISHED' ? (row?.publishedAt ?? now) : (row?.publishedAt ?? null),
        editedBy: tx.caller.actor.label,
      }
    },
    afterWrite: async (doc, row) => {
      if (row?.title !== doc.title || docTexts.has(doc.slug)) await indexDoc(tx, doc.id, doc)
      if (row?.markdown !== doc.markdown) await media.setUses(tx, docMediaUse(wanted.own, { id: doc.id, doc }), [])
    },
  })
  for (const index of diffs.docs.removed)
    await media.setUses(tx, docMediaUse(wanted.own, { id: (rows[index] as ProductChild<DocFields>).id, doc: null }), [])
  await removeMissing(tx, docStore, { diff: diffs.docs, rows })
}

async function writeVersions(
  tx: PlatformScope,
  { diffs, before, versions }: ProductDiff,
  { productId, now }: WriteContext,
) {
  const ids = await writeList(tx, {
    store: versionStore,
    diff: diffs.versions,
    rows: before?.rows.versions ?? [],
    productId,
    now,
    toFields: ({ key }) => versions.get(key) as NonNullable<ReturnType<typeof versions.get>>,
  })
  return idsByKey(diffs.versions, ids)
}

async function writeDownloads(
  tx: PlatformScope,
  { diffs, before, wanted }: ProductDiff,
  { productId, now, media, files, versionIds }: WriteContext & { versionIds: Map<string, string> },
): Promise<void> {
  const rows = before?.rows.downloads ?? []
  const updateMediaUses = async ({ id, fileName }: { id: string; fileName: string | null }, ids: string[]) => {
    const label = `${wanted.own.slug} ${fileName ?? ''}`.trim()
    await media.setUses(tx, { kind: 'download', id, label }, ids)
  }
  await writeList(tx, {
    store: downloadStore,
    diff: diffs.downloads,
    rows,
    productId,
    now,
    toFields: ({ record: { version, media: file, ...download } }) => ({
      ...download,
      versionId: versionIds.get(version ?? '') ?? null,
      mediaId: findMediaId(file, files),
    }),
    afterWrite: async (record, row) => {
      if (record.mediaId ?? row?.mediaId) await updateMediaUses(record, record.mediaId === null ? [] : [record.mediaId])
    },
  })
  for (const index of diffs.downloads.removed) {
    const row = rows[index]
    if (row?.mediaId) await updateMediaUses(row, [])
  }
  await removeMissing(tx, downloadStore, { diff: diffs.downloads, rows })
}
