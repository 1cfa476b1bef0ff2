import type { BundleMode, FileRecord } from '../../kernel/bundle.ts'
import { canonicalJson, differingFields } from '../../kernel/differing-fields.ts'
import type { DocFields, DocSeo, SectionFields } from '../docs/doc.rules.ts'
import type { DownloadFields } from '../downloads/download.rules.ts'
import type { FeatureFields } from '../features/feature.rules.ts'
import type { PlanFields } from '../plans/plan.rules.ts'
import type { ProductMediaFields } from '../product-media/product-media.rules.ts'
import type { ProductLinks } from '../products/product.rules.ts'
import type { VersionFields } from '../versions/version.rules.ts'

/** A product's own fields in a bundle. `type` and `status` are the words they were entered with. */
export type OwnFields = {
  slug: string
  name: string
  tagline: string
  description: string
  type: string
  status: string
  isFeatured: boolean
  sortOrder: number
  apiPrefix: string | null
  iconMedia: FileRecord | null
  coverMedia: FileRecord | null
  tags: string[]
  links: ProductLinks
  seo: { title: string | null; description: string | null; image: FileRecord | null; noindex: boolean }
  sunsetAt: string | null
  replacedBy: string | null
}

export type MediaRecord = Omit<ProductMediaFields, 'mediaId' | 'posterMediaId'> & {
  media: FileRecord | null
  posterMedia: FileRecord | null
}
export type SectionRecord = Omit<SectionFields, 'parentId'> & { parent: string | null }
export type DocRecord = Pick<DocFields, 'slug' | 'title' | 'summary' | 'markdown' | 'order' | 'status'> & {
  section: string | null
  seo: DocSeo
}
export type VersionRecord = Pick<
  VersionFields,
  'version' | 'channel' | 'notes' | 'breaking' | 'minRequirements' | 'yankReason'
> & { releasedAt: string; yanked: boolean }
export type DownloadRecord = Omit<DownloadFields, 'versionId' | 'mediaId'> & {
  version: string | null
  media: FileRecord | null
}

/** The children of a product, with defaults for absent members, so that equal lists mean the same. */
export type ProductLists = {
  features: FeatureFields[]
  plans: PlanFields[]
  media: MediaRecord[]
  docSections: SectionRecord[]
  docs: DocRecord[]
  versions: VersionRecord[]
  downloads: DownloadRecord[]
}
export type ListName = keyof ProductLists

export const emptyLists: ProductLists = {
  features: [],
  plans: [],
  media: [],
  docSections: [],
  docs: [],
  versions: [],
  downloads: [],
}

type ListKind<R> = {
  keyOf(record: R): string
  /** Whether several records of a product may have the same key. */
  isRepeatable?: true
  /** Whether the index in the array is the position in the list. */
  isOrdered?: true
}

export const listKinds: { [Name in ListName]: ListKind<ProductLists[Name][number]> } = {
  features: { keyOf: ({ slug }) => slug, isOrdered: true },
  plans: { keyOf: ({ code }) => code, isOrdered: true },
  media: {
    keyOf: ({ kind, media, url }) => `${kind} ${media?.sha256 ?? url}`,
    isOrdered: true,
    isRepeatable: true,
  },
  docSections: { keyOf: ({ slug }) => slug },
  docs: { keyOf: ({ slug }) => slug },
  versions: { keyOf: ({ version }) => version },
  downloads: {
    keyOf: ({ version, kind, platform, arch, fileName, packageManager }) =>
      [version ?? '-', kind, platform, arch, fileName ?? packageManager ?? '-'].join(' '),
    isRepeatable: true,
  },
}

/** A record that exists after the import. `index` is its index in the current list, or null for a new one. */
export type Entry<R> = { key: string; record: R; index: number | null; isChanged: boolean }

/** The records after the import, the indexes of those to remove, and the names of what changes. */
export type ListDiff<R> = { entries: Entry<R>[]; removed: number[]; fields: string[] }

type ListPair<R> = { current: R[]; wanted: R[] | undefined; mode: BundleMode }

/** A merge keeps records that the bundle does not name, after those it names. An absent list stays as it is. */
export function diffList<Name extends ListName>(
  name: Name,
  { current, wanted, mode }: ListPair<ProductLists[Name][number]>,
): ListDiff<ProductLists[Name][number]> {
  type R = ProductLists[Name][number]
  const kind = listKinds[name] as unknown as ListKind<R>
  const { keyOf } = kind
  const named = wanted ?? current
  const matches = matchRecords(kind, { current, wanted: named })
  const entries = named.map((record, at): Entry<R> => {
    const index = matches[at] ?? null
    return { key: keyOf(record), record, index, isChanged: index !== null && isDifferent(current[index] as R, record) }
  })
  const isNamed = new Set(matches)
  const rest = current
    .map((record, index) => ({ key: keyOf(record), record, index }))
    .filter(({ index }) => !isNamed.has(index))
  if (mode === 'merge') entries.push(...rest.map((one) => ({ ...one, isChanged: false })))
  const removed = mode === 'merge' ? [] : rest
  const written = entries.filter(({ index, isChanged }) => index === null || isChanged)
  const fields = [...new Set([...written, ...removed].map(({ key }) => `${name}/${key}`))]
  if (kind.isOrdered && isReordered(entries)) fields.push(name)
  return { entries, removed: removed.map(({ index }) => index), fields }
}

/**
 * For each wanted record the index of the current record that it replaces, or undefined if it is new. Of several with
 * the same key, equal records are matched first: their order may be accidental.
 */
function matchRecords<R extends object>(
  { keyOf }: ListKind<R>,
  { current, wanted }: { current: R[]; wanted: R[] },
): (number | undefined)[] {
  const matches: (number | undefined)[] = wanted.map(() => undefined)
  const taken = new Set<number>()
  for (const identify of [(record: R) => canonicalJson(comparable(record)), keyOf]) {
    const free = Map.groupBy(
      current.keys().filter((index) => !taken.has(index)),
      (index) => identify(current[index] as R),
    )
    // Reversed, so that pop takes the first.
    for (const indexes of free.values()) indexes.reverse()
    for (const [at, record] of wanted.entries()) {
      const index = matches[at] ?? free.get(identify(record))?.pop()
      matches[at] = index
      if (index !== undefined) taken.add(index)
    }
  }
  return matches
}

/** Whether existing records change their order, or a new one comes before them. */
function isReordered(entries: Entry<unknown>[]): boolean {
  const indexes = entries.map(({ index }) => index ?? Number.POSITIVE_INFINITY)
  return indexes.some((index, at) => at > 0 && index < (indexes[at - 1] as number))
}

function isDifferent(before: object, after: object): boolean {
  return changedFields(before, after).length > 0
}

/** The members that differ. Ignores file names, which may differ between installations. */
export function changedFields(before: object, after: object): string[] {
  return differingFields(comparable(before) as object, comparable(after) as object)
}

function comparable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { sha256, filename, ...rest } = value as Partial<FileRecord>
  if (sha256 !== undefined && filename !== undefined && Object.keys(rest).length === 0) return sha256
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, comparable(member)]))
}

/** Absent lists without references to sections and versions that a mirror removes. */
export function withoutDanglingReferences(
  current: ProductLists,
  wanted: Partial<ProductLists>,
  mode: BundleMode,
): Partial<ProductLists> {
  if (mode === 'merge') return wanted
  const sections = new Set((wanted.docSections ?? current.docSections).map(({ slug }) => slug))
  const versions = new Set((wanted.versions ?? current.versions).map(({ version }) => version))
  const isKept = (version: string | null) => version === null || versions.has(version)
  return {
    ...wanted,
    docs:
      wanted.docs ??
      current.docs.map((doc) => ({ ...doc, section: sections.has(doc.section ?? '') ? doc.section : null })),
    downloads: wanted.downloads ?? current.downloads.filter(({ version }) => isKept(version)),
  }
}

/** A section in a circle or too deep, and why; null if there is none. */
export function findFaultyParent(
  sections: readonly SectionRecord[],
  depthMax: number,
): { slug: string; message: string } | null {
  const parents = new Map(sections.map(({ slug, parent }) => [slug, parent]))
  for (const { slug } of sections) {
    let depth = 1
    for (let at = parents.get(slug) ?? null; at !== null; at = parents.get(at) ?? null) {
      // Ends, because the depth is limited.
      depth += 1
      if (at === slug) return { slug, message: 'must not be the section itself or one below it' }
      if (depth > depthMax) return { slug, message: `must be at most ${depthMax - 1} levels deep, and no circle` }
    }
  }
  return null
}
