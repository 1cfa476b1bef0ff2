import { type BundleChange, type BundleMode, withBundlePointer } from '../../kernel/bundle.ts'
import type { MarkupRenderer, RenderedText } from '../../kernel/markup.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { depthMax } from '../docs/doc.rules.ts'
import { orderedChildrenMax } from '../product-child/product-child.rules.ts'
import { refuseStatusMove } from '../products/product-status.rules.ts'
import { parseStatus } from '../products/product-vocabulary.rules.ts'
import type { VersionFields } from '../versions/version.rules.ts'
import { parseVersionChange, versionDefaults, withConsistentYank } from '../versions/version.service.ts'
import type { CurrentProduct } from './current-product.service.ts'
import {
  changedFields,
  diffList,
  type Entry,
  emptyLists,
  findFaultyParent,
  type ListDiff,
  type ListName,
  type ProductLists,
  type VersionRecord,
  withoutDanglingReferences,
} from './product-record.rules.ts'
import type { WantedProduct } from './product-record-parser.ts'

export type ListDiffs = { [Name in ListName]: ListDiff<ProductLists[Name][number]> }

/** What an import changes in one product, with the texts it has rendered for it. */
export type ProductDiff = {
  change: BundleChange
  wanted: WantedProduct
  before: CurrentProduct | null
  /** Whether fields of the product itself change. */
  areOwnFieldsChanged: boolean
  diffs: ListDiffs
  /** The rendered docs whose Markdown is new, by slug. */
  docTexts: ReadonlyMap<string, RenderedText>
  /** The new and changed versions, by version. */
  versions: ReadonlyMap<string, VersionFields>
  descriptionHtml: string | null
}

export type DiffOptions = {
  mode: BundleMode
  now: Date
  areFormerSlugsChanged: boolean
  markup: MarkupRenderer
  yieldIfDue(): Promise<void>
}

const orderedLists = ['features', 'plans', 'media'] as const

/**
 * Compares a product with its record in the bundle. Parses and renders only what differs. Refuses VALIDATION_ERROR, and
 * STATE_CONFLICT for a status that the product cannot reach.
 */
export async function diffProduct(wanted: WantedProduct, before: CurrentProduct | null, options: DiffOptions) {
  const current = before?.lists ?? emptyLists
  const lists = withoutDanglingReferences(current, wanted.lists, options.mode)
  const diff = <Name extends ListName>(name: Name) =>
    diffList(name, { current: current[name], wanted: lists[name], mode: options.mode })
  const diffs: ListDiffs = {
    features: diff('features'),
    plans: diff('plans'),
    media: diff('media'),
    docSections: diff('docSections'),
    docs: diff('docs'),
    versions: diff('versions'),
    downloads: diff('downloads'),
  }
  refuseContradictions(diffs, wanted.pointer)
  const ownFields = before === null ? [] : changedFields(before.own, wanted.own)
  if (before !== null) await refuseUnreachableStatus(wanted, before)
  const redirects = before !== null && options.areFormerSlugsChanged ? ['formerSlugs'] : []
  const fields = [...ownFields, ...redirects, ...Object.values(diffs).flatMap((list) => list.fields)]
  const action = before === null ? 'create' : fields.length > 0 ? 'update' : 'keep'
  const isDescriptionChanged = before?.own.description !== wanted.own.description
  return {
    change: { key: wanted.own.slug, action, fields: action === 'update' ? fields : [] },
    wanted,
    before,
    diffs,
    areOwnFieldsChanged: ownFields.length > 0,
    docTexts: await renderDocs(wanted, { diff: diffs.docs, current: current.docs, options }),
    versions: await parseVersions(wanted, { diff: diffs.versions, before, options }),
    descriptionHtml: isDescriptionChanged
      ? await withBundlePointer(
          `${wanted.pointer}/description`,
          async () => (await options.markup.renderMarkdown(wanted.own.description)).html,
        )
      : (before?.product.descriptionHtml ?? ''),
  } satisfies ProductDiff
}

/** A bundle may move a status back, as an administrator may with `force`. */
async function refuseUnreachableStatus({ own, pointer }: WantedProduct, { product }: CurrentProduct): Promise<void> {
  const to = parseStatus(own.status, `${pointer}/status`).word
  await withBundlePointer(`${pointer}/status`, () => refuseStatusMove({ from: product.status, to, force: true }))
}

function refuseContradictions(diffs: ListDiffs, pointer: string): void {
  for (const name of orderedLists) {
    if (diffs[name].entries.length > orderedChildrenMax)
      throw invalidField(`${pointer}/${name}`, {
        code: 'maxItems',
        message: `makes more than ${orderedChildrenMax} together with the existing ones`,
      })
  }
  const sections = diffs.docSections.entries.map(({ record }) => record)
  const slugs = new Set(sections.map(({ slug }) => slug))
  const versions = new Set(diffs.versions.entries.map(({ key }) => key))
  const refuseUnknown = (list: ListName, member: string, isKnown: (record: never) => boolean) => {
    const index = diffs[list].entries.findIndex(({ record }) => !isKnown(record as never))
    if (index !== -1)
      throw invalidField(`${pointer}/${list}/${index}/${member}`, {
        code: 'unknown',
        message: 'is not part of this product',
      })
  }
  const isSection = (slug: string | null) => slug === null || slugs.has(slug)
  refuseUnknown('docSections', 'parent', ({ parent }: { parent: string | null }) => isSection(parent))
  refuseUnknown('docs', 'section', ({ section }: { section: string | null }) => isSection(section))
  const isVersion = ({ version }: { version: string | null }) => version === null || versions.has(version)
  refuseUnknown('downloads', 'version', isVersion)
  const fault = findFaultyParent(sections, depthMax)
  if (fault === null) return
  const index = sections.findIndex(({ slug }) => slug === fault.slug)
  throw invalidField(`${pointer}/docSections/${index}/parent`, { code: 'parent', message: fault.message })
}

function isNewOrChanged({ index, isChanged }: Entry<unknown>): boolean {
  return index === null || isChanged
}

type DiffOf<Name extends ListName> = { diff: ListDiffs[Name]; options: DiffOptions }

async function renderDocs(
  { pointer }: WantedProduct,
  { diff, current, options }: DiffOf<'docs'> & { current: ProductLists['docs'] },
): Promise<Map<string, RenderedText>> {
  const texts = new Map<string, RenderedText>()
  for (const [position, entry] of diff.entries.entries()) {
    const { key, record, index } = entry
    if (!isNewOrChanged(entry) || current[index ?? -1]?.markdown === record.markdown) continue
    texts.set(
      key,
      await withBundlePointer(`${pointer}/docs/${position}/markdown`, () =>
        options.markup.renderMarkdown(record.markdown),
      ),
    )
    await options.yieldIfDue()
  }
  return texts
}

async function parseVersions(
  { pointer }: WantedProduct,
  { diff, before, options }: DiffOf<'versions'> & { before: CurrentProduct | null },
): Promise<Map<string, VersionFields>> {
  const versions = new Map<string, VersionFields>()
  for (const [position, entry] of diff.entries.entries()) {
    if (!isNewOrChanged(entry)) continue
    const row = before?.rows.versions[entry.index ?? -1] ?? null
    const parse = () => parseVersionRecord(entry.record, row, options)
    versions.set(entry.key, await withBundlePointer(`${pointer}/versions/${position}`, parse))
    await options.yieldIfDue()
  }
  return versions
}

async function parseVersionRecord(
  record: VersionRecord,
  row: VersionFields | null,
  { now, markup }: DiffOptions,
): Promise<VersionFields> {
  const { notes, releasedAt, ...others } = record
  const changed = {
    ...(row !== null && row.notes === notes ? {} : { notes }),
    // A stored date was valid when it was set; clocks may differ a little.
    ...(row?.releasedAt.toISOString() === releasedAt ? {} : { releasedAt }),
  }
  const fields = {
    ...versionDefaults(now),
    ...row,
    ...(await parseVersionChange({ ...others, ...changed }, { now, markup })),
  } as VersionFields
  return withConsistentYank(row, { ...fields, yankReason: others.yankReason })
}
