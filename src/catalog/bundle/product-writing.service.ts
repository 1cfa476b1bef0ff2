import type { PlatformScope } from '../../storage/scope.ts'
import { touchProduct } from '../product-child/parent-product.store.ts'
import type { ProductFields } from '../products/product.rules.ts'
import { addProduct, saveProduct } from '../products/product.store.ts'
import { removeRedirect } from '../products/product-redirect.store.ts'
import { milestonesAfter, noMilestones } from '../products/product-status.rules.ts'
import { readStatus, readType } from '../products/product-word.rules.ts'
import type { Decision } from './product-deciding.ts'
import { idOf, ownDigestsOf } from './product-reading.ts'
import type { OwnTerms } from './product-record.rules.ts'
import { type Writing, writeRecords } from './product-records-writing.service.ts'

type ProductWriting = Writing & {
  /** Null where the product that it names is still to be added. */
  replacedById: string | null
  updateMediaUses(tx: PlatformScope, product: { id: string; slug: string }): Promise<void>
}

/** The product and all that belongs to it become what was decided. Counts one revision of it. */
export async function writeProduct(tx: PlatformScope, decision: Decision, writing: ProductWriting): Promise<void> {
  const { before, isOwnChanged, wanted } = decision
  const { productId: id, now } = writing
  const { slug } = wanted.own
  if (before === null) {
    await addProduct(tx, { ...termsOf(decision, writing), id, now })
    await removeRedirect(tx, slug)
  } else if (isOwnChanged) await saveProduct(tx, { ...termsOf(decision, writing), id, now })
  else await touchProduct(tx, id, now)
  await writeRecords(tx, decision, writing)
  if (showsFiles(decision)) await writing.updateMediaUses(tx, { id, slug })
}

function termsOf(decision: Decision, { now, files, replacedById }: ProductWriting): ProductFields {
  const { before, wanted, descriptionHtml } = decision
  const { iconMedia, coverMedia, seo, sunsetAt, replacedBy: _, ...own } = wanted.own
  const type = readType(own.type, `${wanted.place}/type`)
  const status = readStatus(own.status, `${wanted.place}/status`)
  const { image, ...said } = seo
  const isThereAlready = before?.product.status === status.word
  return {
    ...own,
    descriptionHtml,
    ...{ type: type.word, typeLabel: type.label, status: status.word, statusLabel: status.label },
    iconMediaId: idOf(iconMedia, files),
    coverMediaId: idOf(coverMedia, files),
    seo: { ...said, imageId: idOf(image, files) },
    ...(isThereAlready
      ? milestonesOf(before.product)
      : milestonesAfter(before?.product ?? noMilestones, status.word, now)),
    sunsetAt: sunsetAt === null ? null : new Date(sunsetAt),
    replacedById,
  }
}

function milestonesOf({ announcedAt, betaAt, launchedAt, deprecatedAt }: ProductFields) {
  return { announcedAt, betaAt, launchedAt, deprecatedAt }
}

/** Whether the media library has to be told anything. */
function showsFiles({ wanted, before, plans }: Decision): boolean {
  const owns = before === null ? [wanted.own] : [wanted.own, before.own]
  const mayShow = (own: OwnTerms) => ownDigestsOf(own).length > 0 || own.description.includes('/media/')
  return owns.some(mayShow) || plans.media.entries.length + plans.media.gone.length > 0
}
