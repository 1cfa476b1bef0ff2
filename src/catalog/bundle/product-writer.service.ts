import type { PlatformScope } from '../../storage/scope.ts'
import { touchProduct } from '../product-child/parent-product.store.ts'
import type { ProductFields } from '../products/product.rules.ts'
import { addProduct, saveProduct } from '../products/product.store.ts'
import { removeRedirect } from '../products/product-redirect.store.ts'
import { milestonesAfter, noMilestones } from '../products/product-status.rules.ts'
import { parseStatus, parseType } from '../products/product-vocabulary.rules.ts'
import { type WriteContext, writeChildren } from './product-children-writer.service.ts'
import type { ProductDiff } from './product-diff.ts'
import type { OwnFields } from './product-record.rules.ts'
import { findMediaId, listOwnDigests } from './product-record-parser.ts'

type ProductWriteContext = WriteContext & {
  /** Null if the product that it names is not added yet. */
  replacedById: string | null
  updateMediaUses(tx: PlatformScope, product: { id: string; slug: string }): Promise<void>
}

/** Writes a product and its children. Counts one revision of the product. */
export async function writeProduct(tx: PlatformScope, diff: ProductDiff, context: ProductWriteContext): Promise<void> {
  const { before, areOwnFieldsChanged, wanted } = diff
  const { productId: id, now } = context
  const { slug } = wanted.own
  if (before === null) {
    await addProduct(tx, { ...productFields(diff, context), id, now })
    await removeRedirect(tx, slug)
  } else if (areOwnFieldsChanged) await saveProduct(tx, { ...productFields(diff, context), id, now })
  else await touchProduct(tx, id, now)
  await writeChildren(tx, diff, context)
  if (mayUseFiles(diff)) await context.updateMediaUses(tx, { id, slug })
}

function productFields(diff: ProductDiff, { now, files, replacedById }: ProductWriteContext): ProductFields {
  const { before, wanted, descriptionHtml } = diff
  const { iconMedia, coverMedia, seo, sunsetAt, replacedBy: _, ...own } = wanted.own
  const type = parseType(own.type, `${wanted.pointer}/type`)
  const status = parseStatus(own.status, `${wanted.pointer}/status`)
  const { image, ...seoFields } = seo
  const isSameStatus = before?.product.status === status.word
  return {
    ...own,
    descriptionHtml,
    type: type.word,
    typeLabel: type.label,
    status: status.word,
    statusLabel: status.label,
    iconMediaId: findMediaId(iconMedia, files),
    coverMediaId: findMediaId(coverMedia, files),
    seo: { ...seoFields, imageId: findMediaId(image, files) },
    ...(isSameStatus
      ? pickMilestones(before.product)
      : milestonesAfter(before?.product ?? noMilestones, status.word, now)),
    sunsetAt: sunsetAt === null ? null : new Date(sunsetAt),
    replacedById,
  }
}

function pickMilestones({ announcedAt, betaAt, launchedAt, deprecatedAt }: ProductFields) {
  return { announcedAt, betaAt, launchedAt, deprecatedAt }
}

/** Whether the media library needs to know of the change. */
function mayUseFiles({ wanted, before, diffs }: ProductDiff): boolean {
  const ownFields = before === null ? [wanted.own] : [wanted.own, before.own]
  const mayShowFiles = (own: OwnFields) => listOwnDigests(own).length > 0 || own.description.includes('/media/')
  return ownFields.some(mayShowFiles) || diffs.media.entries.length + diffs.media.removed.length > 0
}
