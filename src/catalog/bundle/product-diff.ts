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
  isOwnChanged: boolean
  plans: ListDiffs
  /** The rendered docs whose Markdown is new, by slug. */
  docTexts: ReadonlyMap<string, RenderedText>
  /** The new and changed versions, by version. */
  versions: ReadonlyMap<string, VersionFields>
  descriptionHtml: string | null
}

/** `isMoved`: its former slugs change. */
export type DiffOptions = {
  mode: BundleMode
  now: Date
  isMoved: boolean
  markup: MarkupRenderer
  breathe(): Promise<void>
}

const orderedLists = ['features', 'plans', 'media'] as const

/**
 * Compares a product with its record in the bundle. Parses and renders only what differs. Refuses VALIDATION_ERROR, and
 * STATE_CONFLICT for a status that the product cannot reach.
 */
export async function diffProduct(wanted: WantedProduct, before: CurrentProduct | null, deciding: DiffOptions) {
  const current = before?.lists ?? emptyLists
  const lists = withoutDanglingReferences(current, wanted.lists, deciding.mode)
  const plan = <Name extends ListName>(name: Name) =>
    diffList(name, { current: current[name], wanted: lists[name], mode: deciding.mode })
  const plans: ListDiffs = {
    features: plan('features'),
    plans: plan('plans'),
    media: plan('media'),
    docSections: plan('docSections'),
    docs: plan('docs'),
    versions: plan('versions'),
    downloads: plan('downloads'),
  }
  refuseContradictions(plans, wanted.place)
  const ownFields = before === null ? [] : changedFields(before.own, wanted.own)
  if (before !== null) await refuseUnreachableStatus(wanted, before)
  const moves = before !== null && deciding.isMoved ? ['formerSlugs'] : []
  const fields = [...ownFields, ...moves, ...Object.values(plans).flatMap((list) => list.fields)]
  const action = before === null ? 'create' : fields.length > 0 ? 'update' : 'keep'
  const isDescribed = before?.own.description !== wanted.own.description
  return {
    change: { key: wanted.own.slug, action, fields: action === 'update' ? fields : [] },
    wanted,
    before,
    plans,
    isOwnChanged: ownFields.length > 0,
    docTexts: await renderDocs(wanted, { plan: plans.docs, current: current.docs, deciding }),
    versions: await parseVersions(wanted, { plan: plans.versions, before, deciding }),
    descriptionHtml: isDescribed
      ? await withBundlePointer(
          `${wanted.place}/description`,
          async () => (await deciding.markup.renderMarkdown(wanted.own.description)).html,
        )
      : (before?.product.descriptionHtml ?? ''),
  } satisfies ProductDiff
}

/** A bundle may move a status back, as an administrator may with `force`. */
async function refuseUnreachableStatus({ own, place }: WantedProduct, { product }: CurrentProduct): Promise<void> {
  const to = parseStatus(own.status, `${place}/status`).word
  await withBundlePointer(`${place}/status`, () => refuseStatusMove({ from: product.status, to, force: true }))
}

function refuseContradictions(plans: ListDiffs, place: string): void {
  for (const name of orderedLists) {
    if (plans[name].entries.length > orderedChildrenMax)
      throw invalidField(`${place}/${name}`, {
        code: 'maxItems',
        message: `makes more than ${orderedChildrenMax} together with the existing ones`,
      })
  }
  const sections = plans.docSections.entries.map(({ record }) => record)
  const slugs = new Set(sections.map(({ slug }) => slug))
  const versions = new Set(plans.versions.entries.map(({ key }) => key))
  const refuseUnknown = (list: ListName, member: string, isKnown: (record: never) => boolean) => {
    const index = plans[list].entries.findIndex(({ record }) => !isKnown(record as never))
    if (index !== -1)
      throw invalidField(`${place}/${list}/${index}/${member}`, {
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
  throw invalidField(`${place}/docSections/${index}/parent`, { code: 'parent', message: fault.message })
}

function isNewOrChanged({ index, isChanged }: Entry<unknown>): boolean {
  return index === null || isChanged
}

type DiffOf<Name extends ListName> = { plan: ListDiffs[Name]; deciding: DiffOptions }

async function renderDocs(
  { place }: WantedProduct,
  { plan, current, deciding }: DiffOf<'docs'> & { current: ProductLists['docs'] },
): Promise<Map<string, RenderedText>> {
  const texts = new Map<string, RenderedText>()
  for (const [at, entry] of plan.entries.entries()) {
    const { key, record, index } = entry
    if (!isNewOrChanged(entry) || current[index ?? -1]?.markdown === record.markdown) continue
    texts.set(
      key,
      await withBundlePointer(`${place}/docs/${at}/markdown`, () => deciding.markup.renderMarkdown(record.markdown)),
    )
    await deciding.breathe()
  }
  return texts
}

async function parseVersions(
  { place }: WantedProduct,
  { plan, before, deciding }: DiffOf<'versions'> & { before: CurrentProduct | null },
): Promise<Map<string, VersionFields>> {
  const versions = new Map<string, VersionFields>()
  for (const [at, entry] of plan.entries.entries()) {
    if (!isNewOrChanged(entry)) continue
    const row = before?.rows.versions[entry.index ?? -1] ?? null
    const read = () => parseVersionRecord(entry.record, row, deciding)
    versions.set(entry.key, await withBundlePointer(`${place}/versions/${at}`, read))
    await deciding.breathe()
  }
  return versions
}

async function parseVersionRecord(
  record: VersionRecord,
  row: VersionFields | null,
  { now, markup }: DiffOptions,
): Promise<VersionFields> {
  const { notes, releasedAt, ...said } = record
  const news = {
    ...(row !== null && row.notes === notes ? {} : { notes }),
    // A stored date was valid when it was set; clocks may differ a little.
    ...(row?.releasedAt.toISOString() === releasedAt ? {} : { releasedAt }),
  }
  const terms = {
    ...versionDefaults(now),
    ...row,
    ...(await parseVersionChange({ ...said, ...news }, { now, markup })),
  } as VersionFields
  return withConsistentYank(row, { ...terms, yankReason: said.yankReason })
}
