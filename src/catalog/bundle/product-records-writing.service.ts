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
import type { Decision } from './product-deciding.ts'
import { type FilesByDigest, idOf } from './product-reading.ts'
import type { Entry, ListPlan } from './product-record.rules.ts'

export type Writing = { productId: string; now: Date; media: MediaLibrary; files: FilesByDigest }

/** All that belongs to a product becomes what was decided. What a record names is written before it, and removed behind it. */
export async function writeRecords(tx: PlatformScope, decision: Decision, writing: Writing): Promise<void> {
  const { plans, before } = decision
  const { files } = writing
  await writePlaced(tx, { ...writing, store: featureStore, plan: plans.features, rows: before?.rows.features ?? [] })
  await writePlaced(tx, { ...writing, store: planStore, plan: plans.plans, rows: before?.rows.plans ?? [] })
  await writePlaced(tx, {
    ...writing,
    store: productMediaStore,
    rows: before?.rows.media ?? [],
    plan: mapped(plans.media, ({ media, posterMedia, ...picture }) => ({
      ...picture,
      mediaId: idOf(media, files),
      posterMediaId: idOf(posterMedia, files),
    })),
  })
  const sectionIds = await writeSections(tx, decision, writing)
  await writeDocs(tx, decision, { ...writing, sectionIds })
  await removeGone(tx, sectionStore, { plan: plans.docSections, rows: before?.rows.docSections ?? [] })
  const versionIds = await writeVersions(tx, decision, writing)
  await writeDownloads(tx, decision, { ...writing, versionIds })
  await removeGone(tx, versionStore, { plan: plans.versions, rows: before?.rows.versions ?? [] })
}

function mapped<R, T>(plan: ListPlan<R>, termsOf: (record: R, place: number) => T): ListPlan<T> {
  return { ...plan, entries: plan.entries.map((entry, place) => ({ ...entry, record: termsOf(entry.record, place) })) }
}

/** Ids that sort as the records stand: of equal `order` the smaller id comes first. */
function idsOf({ entries }: ListPlan<unknown>, rows: { id: string }[], now: Date): string[] {
  const fresh = entries.filter(({ index }) => index === null).map(() => newId(now))
  fresh.sort().reverse()
  return entries.map(({ index }) => (index === null ? fresh.pop() : rows[index]?.id) as string)
}

type Placed<T> = Writing & { store: OrderedChildStore<T>; plan: ListPlan<T>; rows: ProductChild<Ordered<T>>[] }

async function writePlaced<T>(tx: PlatformScope, { store, plan, rows, productId, now }: Placed<T>): Promise<void> {
  if (plan.fields.length === 0) return
  const placed = mapped(plan, (record, order) => ({ ...record, order }))
  const ids = await writeRevised(tx, { store, plan: placed, rows, productId, now, termsOf: ({ record }) => record })
  await removeGone(tx, store, { plan, rows })
  await store.setOrder(tx, productId, ids)
}

type Row<T> = { plan: ListPlan<unknown>; rows: ProductChild<T>[] }

async function removeGone<T>(tx: PlatformScope, store: ProductChildStore<T>, { plan, rows }: Row<T>): Promise<void> {
  for (const index of plan.gone) await store.remove(tx, (rows[index] as ProductChild<T>).id)
}

type Kept<R, T> = {
  store: ProductChildStore<T>
  plan: ListPlan<R>
  rows: ProductChild<T>[]
  productId: string
  now: Date
  termsOf(entry: Entry<R>, before: ProductChild<T> | null): T
  written?(record: ProductChild<T>, before: ProductChild<T> | null): Promise<void>
}

/** Writes what is new or changed and counts its revision; gives the ids of all, in the order of the plan. */
async function writeRevised<R, T>(tx: PlatformScope, kept: Kept<R, T>): Promise<string[]> {
  const { store, plan, rows, productId, now } = kept
  const ids = idsOf(plan, rows, now)
  for (const [at, entry] of plan.entries.entries()) {
    const before = rows[entry.index ?? -1] ?? null
    if (before !== null && !entry.isChanged) continue
    const revision = (before?.revision ?? 0) + 1
    const createdAt = before?.createdAt ?? now
    const record = {
      ...kept.termsOf(entry, before),
      ...{ id: ids[at] as string, productId, revision, createdAt, updatedAt: now },
    }
    await (before === null ? store.add(tx, record) : store.save(tx, record))
    await kept.written?.(record, before)
  }
  return ids
}

function byKey({ entries }: ListPlan<unknown>, ids: string[]): Map<string, string> {
  return new Map(entries.map(({ key }, at) => [key, ids[at] as string]))
}

/** Sections first stand alone: one may be inside of a later one. */
async function writeSections(tx: PlatformScope, { plans, before }: Decision, { productId, now }: Writing) {
  const waiting: { record: ProductChild<{ slug: string; title: string; order: number }>; parent: string | null }[] = []
  const parents = new Map(plans.docSections.entries.map(({ key, record }) => [key, record.parent]))
  const written = await writeRevised(tx, {
    ...{ store: sectionStore, plan: plans.docSections, rows: before?.rows.docSections ?? [], productId, now },
    termsOf: ({ record: { slug, title, order } }) => ({ slug, title, order, parentId: null }),
    written: async (record) => {
      waiting.push({ record, parent: parents.get(record.slug) ?? null })
    },
  })
  const ids = byKey(plans.docSections, written)
  for (const { record, parent } of waiting) {
    if (parent !== null) await sectionStore.save(tx, { ...record, parentId: ids.get(parent) ?? null })
  }
  return ids
}

async function writeDocs(
  tx: PlatformScope,
  { plans, before, wanted, docTexts }: Decision,
  { productId, now, media, sectionIds }: Writing & { sectionIds: Map<string, string> },
): Promise<void> {
  const rows = before?.rows.docs ?? []
  await writeRevised<(typeof plans.docs.entries)[number]['record'], DocFields>(tx, {
    ...{ store: docStore, plan: plans.docs, rows, productId, now },
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
  await removeGone(tx, docStore, { plan: plans.docs, rows })
}

async function writeVersions(tx: PlatformScope, { plans, before, versions }: Decision, { productId, now }: Writing) {
  const written = await writeRevised(tx, {
    ...{ store: versionStore, plan: plans.versions, rows: before?.rows.versions ?? [], productId, now },
    termsOf: ({ key }) => versions.get(key) as NonNullable<ReturnType<typeof versions.get>>,
  })
  return byKey(plans.versions, written)
}

async function writeDownloads(
  tx: PlatformScope,
  { plans, before, wanted }: Decision,
  { productId, now, media, files, versionIds }: Writing & { versionIds: Map<string, string> },
): Promise<void> {
  const rows = before?.rows.downloads ?? []
  const use = async ({ id, fileName }: { id: string; fileName: string | null }, ids: string[]) => {
    const label = `${wanted.own.slug} ${fileName ?? ''}`.trim()
    await media.setUses(tx, { kind: 'download', id, label }, ids)
  }
  await writeRevised(tx, {
    ...{ store: downloadStore, plan: plans.downloads, rows, productId, now },
    termsOf: ({ record: { version, media: file, ...download } }) => ({
      ...download,
      versionId: versionIds.get(version ?? '') ?? null,
      mediaId: idOf(file, files),
    }),
    written: async (record, row) => {
      if (record.mediaId ?? row?.mediaId) await use(record, record.mediaId === null ? [] : [record.mediaId])
    },
  })
  for (const index of plans.downloads.gone) {
    const row = rows[index]
    if (row?.mediaId) await use(row, [])
  }
  await removeGone(tx, downloadStore, { plan: plans.downloads, rows })
}
