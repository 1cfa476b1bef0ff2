import type { MediaLibrary } from '../../content/index.ts'
import { requireRevision } from '../../http/cache/precondition.ts'
import type { PreviewTokens } from '../../http/preview.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import { newId } from '../../kernel/ids.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, type Scope, transaction } from '../../storage/scope.ts'
import { renderMarkdown } from '../../text/markup.ts'
import { auditChanges } from '../audit-changes.rules.ts'
import { fileRule } from '../file-rule.ts'
import { hasBeenPublic, type Product, type ProductFields, refuseBuiltIn } from './product.rules.ts'
import { addProduct, findProductBySlug, getProduct, lockProduct, removeProduct, saveProduct } from './product.store.ts'
import type { NewProduct, ProductChange } from './product-admin.schema.ts'
import { changedProductFields, newProductFields } from './product-fields.rules.ts'
import { addRedirect, removeRedirect } from './product-redirect.store.ts'
import { parseStatus, parseType } from './product-vocabulary.rules.ts'

/** Whether an API key, a license or anything else outside the catalog names the slug. */
export type IsProductInUse = (tx: Scope, slug: string) => Promise<boolean>

export type ProductDeps = {
  clock: Clock
  audit: Audit
  publicChanged: PublicChanged
  previews: PreviewTokens
  media: Pick<MediaLibrary, 'find'>
  updateMediaUses(tx: PlatformScope, product: { id: string; slug: string }): Promise<void>
  releaseMedia(tx: PlatformScope, product: { id: string; slug: string }): Promise<void>
  /** Without it, every product that has been public counts as in use. */
  isProductInUse?: IsProductInUse | undefined
}

export function productService({
  clock,
  audit,
  publicChanged,
  previews,
  media,
  updateMediaUses,
  releaseMedia,
  isProductInUse,
}: ProductDeps) {
  const recordChange = async (
    tx: PlatformScope,
    { id }: { id: string },
    { verb, changes }: { verb: string; changes: Record<string, unknown> },
  ): Promise<void> => {
    await audit(tx, { action: `product.${verb}`, target: { type: 'product', id }, changes })
    await publicChanged(tx)
  }

  const { refuseInUse, refuseDeletion } = inUseChecks(isProductInUse)

  const redirectFormerSlug = async (tx: PlatformScope, before: Product): Promise<void> => {
    refuseBuiltIn(before, 'renamed')
    await refuseInUse(tx, before, 'renamed')
    await addRedirect(tx, { slug: before.slug, productId: before.id, now: clock.now() })
  }

  /** Rules of `create` and `update`. */
  const rules = (platform: PlatformScope, sent: Fitting<ProductChange>): FieldRule[] => [
    ruleFor(sent.type, (type) => parseType(type, '/body/type')),
    ruleFor(sent.status, (status) => parseStatus(status, '/body/status')),
    ruleFor(sent.sunsetAt, (text) => parseTimestamp(text, '/body/sunsetAt')),
    ruleFor(sent.replacedBy, (slug) => requireReplacement(platform, slug)),
    fileRule(platform, media, { path: '/body/iconMediaId', id: sent.iconMediaId }),
    fileRule(platform, media, { path: '/body/coverMediaId', id: sent.coverMediaId }),
    fileRule(platform, media, { path: '/body/seo/imageId', id: sent.seo?.imageId }),
  ]

  /** Refuses SLUG_TAKEN, VALIDATION_ERROR, and STATE_CONFLICT for a status that a new product cannot have. */
  async function create(platform: PlatformScope, sent: NewProduct): Promise<Product> {
    const { html } = await renderMarkdown(sent.description ?? '')
    const now = clock.now()
    const terms = newProductFields(sent, html, now)
    const id = newId(now)
    return transaction(platform, async (tx) => {
      if (!(await addProduct(tx, { ...terms, id, now }))) throw slugTaken(sent.slug)
      await removeRedirect(tx, sent.slug)
      await updateMediaUses(tx, { id, slug: sent.slug })
      const { slug, name, type, status } = terms
      await recordChange(tx, { id }, { verb: 'create', changes: { slug, name, type, status } })
      return getProduct(tx, id)
    })
  }

  /** A request that changes nothing leaves no trace. Refuses NOT_FOUND, SLUG_TAKEN, VALIDATION_ERROR, STATE_CONFLICT and PRECONDITION_FAILED. */
  async function update(
    platform: PlatformScope,
    id: string,
    { sent, ifMatch }: { sent: ProductChange; ifMatch: string | undefined },
  ): Promise<Product> {
    const descriptionHtml = sent.description === undefined ? null : (await renderMarkdown(sent.description ?? '')).html
    return transaction(platform, async (tx) => {
      const before = await lockProduct(tx, id)
      requireRevision(ifMatch, before)
      const now = clock.now()
      const replacedById = await findReplacementId(tx, before, sent)
      const after = changedProductFields(productFields(before), sent, { now, descriptionHtml, replacedById })
      const changes = auditChanges(productFields(before), after, ['descriptionHtml'])
      if (Object.keys(changes).length === 0) return before
      if (after.slug !== before.slug) await redirectFormerSlug(tx, before)
      if (!(await saveProduct(tx, { ...after, id, now }))) throw slugTaken(after.slug)
      if (after.slug !== before.slug) await removeRedirect(tx, after.slug)
      await updateMediaUses(tx, { id, slug: after.slug })
      const isForced = sent.force === true && 'status' in changes
      await recordChange(tx, { id }, { verb: 'update', changes: isForced ? { ...changes, isForced } : changes })
      return getProduct(tx, id)
    })
  }

  /** Refuses NOT_FOUND, PRECONDITION_FAILED, and STATE_CONFLICT for a product in use. */
  const remove = (platform: PlatformScope, id: string, ifMatch: string | undefined): Promise<void> =>
    transaction(platform, async (tx) => {
      const product = await lockProduct(tx, id)
      requireRevision(ifMatch, product)
      await refuseDeletion(tx, product)
      await releaseMedia(tx, product)
      await removeProduct(tx, id)
      const { slug, name } = product
      await recordChange(tx, { id }, { verb: 'delete', changes: { slug, name } })
    })

  /** A path that shows the product, also a draft, to anyone who has it, until it expires. */
  const previewLink = (
    platform: PlatformScope,
    id: string,
    seconds: number,
  ): Promise<{ url: string; expiresAt: Date }> =>
    transaction(platform, async (tx) => {
      const { slug } = await getProduct(tx, id)
      const expiresAt = new Date(clock.now().getTime() + seconds * 1000)
      await audit(tx, { action: 'product.preview', target: { type: 'product', id }, changes: { slug, expiresAt } })
      return { url: `/products/${slug}?preview=${previews.issue(id, expiresAt)}`, expiresAt }
    })

  return { rules, create, update, remove, previewLink }
}

/** Checks before a product that others may name is renamed or deleted. They refuse STATE_CONFLICT. */
export function inUseChecks(isProductInUse: IsProductInUse | undefined) {
  const refuseInUse = async (tx: PlatformScope, { slug }: Product, what: string): Promise<void> => {
    if (await isProductInUse?.(tx, slug)) throw conflict(`API keys or licenses name ${slug}, so it cannot be ${what}.`)
  }
  return {
    refuseInUse,
    refuseDeletion: async (tx: PlatformScope, product: Product): Promise<void> => {
      refuseBuiltIn(product, 'deleted')
      await refuseInUse(tx, product, 'deleted')
      if (isProductInUse === undefined && hasBeenPublic(product))
        throw conflict(`${product.slug} has been public, so others may use its slug. It cannot be deleted.`)
    },
  }
}

export type Products = ReturnType<typeof productService>

function conflict(detail: string): Refusal {
  return new Refusal('STATE_CONFLICT', { detail })
}

function slugTaken(slug: string): Refusal {
  return new Refusal('SLUG_TAKEN', { detail: `Another product has the slug ${slug}.` })
}

/** The id of the product that `replacedBy` names, or null if it names none. Refuses VALIDATION_ERROR. */
async function findReplacementId(
  tx: PlatformScope,
  { id }: Product,
  { replacedBy }: ProductChange,
): Promise<string | null> {
  if (typeof replacedBy !== 'string') return null
  const found = await requireReplacement(tx, replacedBy)
  if (found.id === id) throw invalidField('/body/replacedBy', { code: 'self', message: 'is the product itself' })
  return found.id
}

async function requireReplacement(tx: PlatformScope, slug: string): Promise<Product> {
  const found = await findProductBySlug(tx, slug)
  if (found !== null) return found
  throw invalidField('/body/replacedBy', { code: 'unknown', message: 'is not the slug of a product' })
}

function productFields(product: Product): ProductFields {
  const { id: _, revision: __, replacedBy: ___, publicReplacedBy, createdAt, updatedAt, ...terms } = product
  return terms
}
