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
export async function writeProduct(
  tx: PlatformScope,
  decision: ProductDiff,
  writing: ProductWriteContext,
): Promise<void> {
  const { before, isOwnChanged, wanted } = decision
  const { productId: id, now } = writing
  const { slug } = wanted.own
  if (before === null) {
    await addProduct(tx, { ...productFields(decision, writing), id, now })
    await removeRedirect(tx, slug)
  } else if (isOwnChanged) await saveProduct(tx, { ...productFields(decision, writing), id, now })
  else await touchProduct(tx, id, now)
  await writeChildren(tx, decision, writing)
  if (mayUseFiles(decision)) await writing.updateMediaUses(tx, { id, slug })
}

function productFields(decision: ProductDiff, { now, files, replacedById }: ProductWriteContext): ProductFields {
  const { before, wanted, descriptionHtml } = decision
  const { iconMedia, coverMedia, seo, sunsetAt, replacedBy: _, ...own } = wanted.own
  const type = parseType(own.type, `${wanted.place}/type`)
  const status = parseStatus(own.status, `${wanted.place}/status`)
  const { image, ...said } = seo
  const isThereAlready = before?.product.status === status.word
  return {
    ...own,
    descriptionHtml,
    type: type.word,
    typeLabel: type.label,
    status: status.word,
    statusLabel: status.label,
    iconMediaId: findMediaId(iconMedia, files),
    coverMediaId: findMediaId(coverMedia, files),
    seo: { ...said, imageId: findMediaId(image, files) },
    ...(isThereAlready
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
function mayUseFiles({ wanted, before, plans }: ProductDiff): boolean {
  const owns = before === null ? [wanted.own] : [wanted.own, before.own]
  const mayShow = (own: OwnFields) => listOwnDigests(own).length > 0 || own.description.includes('/media/')
  return owns.some(mayShow) || plans.media.entries.length + plans.media.gone.length > 0
}
