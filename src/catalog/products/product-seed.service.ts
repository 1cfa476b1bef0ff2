import { newId } from '../../kernel/ids.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { renderOwnMarkdown } from '../../text/markup.ts'
import { featureStore } from '../features/feature.store.ts'
import { planStore } from '../plans/plan.store.ts'
import { seededDescription } from '../rendered-seeds.ts'
import { noLinks, noSeo, type ProductFields } from './product.rules.ts'
import type { ProductSeed } from './product.seed.ts'
import { addProduct, isSeedDue, listUnrendered, lockOutdatedSeed, renewSeed, setRendered } from './product.store.ts'
import { milestonesAfter, noMilestones } from './product-status.rules.ts'

type SeedDeps = {
  publicChanged: PublicChanged
  /** Adds docs to a product that has none. */
  seedDocs(tx: PlatformScope, product: { productId: string; slug: string; now: Date }): Promise<void>
  now: Date
}

/**
 * Adds the product with its features and plans if no product has the slug. Never touches a product that an
 * administrator has changed. Updates one that is exactly as an earlier version seeded it. Several nodes may start at
 * once.
 */
export async function seedProduct(platform: PlatformScope, seed: ProductSeed, deps: SeedDeps) {
  const { publicChanged, seedDocs, now } = deps
  const { slug } = seed.product
  if (!(await isSeedDue(platform, slug))) return
  const html = await seededDescription(slug)
  await transaction(platform, async (tx) => {
    const id = newId(now)
    if (await addProduct(tx, { ...seedFields(seed, html, now), id, now })) {
      await addChildren(tx, seed, { productId: id, createdAt: now })
      await seedDocs(tx, { productId: id, slug, now })
      return publicChanged(tx)
    }
    const outdated = await lockOutdatedSeed(tx, slug)
    if (outdated === null) return
    const { id: productId, createdAt } = outdated
    await featureStore.removeAll(tx, productId)
    await planStore.removeAll(tx, productId)
    await renewSeed(tx, { ...seedFields(seed, html, createdAt), id: productId })
    await addChildren(tx, seed, { productId, createdAt })
    await seedDocs(tx, { productId, slug, now })
    await publicChanged(tx)
  })
}

/** Renders descriptions that were stored before descriptions were rendered. */
export async function renderDescriptions(platform: PlatformScope, { publicChanged }: Pick<SeedDeps, 'publicChanged'>) {
  for (const product of await listUnrendered(platform)) {
    const { html } = await renderOwnMarkdown(product.description)
    await transaction(platform, async (tx) => {
      await setRendered(tx, product, html)
      await publicChanged(tx)
    })
  }
}

function seedFields({ product }: ProductSeed, descriptionHtml: string, createdAt: Date): ProductFields {
  return {
    ...product,
    descriptionHtml,
    typeLabel: null,
    iconMediaId: null,
    coverMediaId: null,
    links: noLinks,
    seo: noSeo,
    ...milestonesAfter(noMilestones, product.status, createdAt),
    sunsetAt: null,
    replacedById: null,
  }
}

async function addChildren(
  tx: PlatformScope,
  { features, plans }: ProductSeed,
  at: { productId: string; createdAt: Date },
): Promise<void> {
  const first = { ...at, updatedAt: at.createdAt, revision: 1 }
  for (const [order, feature] of features.entries())
    await featureStore.add(tx, { ...feature, ...first, id: newId(at.createdAt), order })
  for (const [order, plan] of plans.entries())
    await planStore.add(tx, { ...plan, ...first, id: newId(at.createdAt), order })
}
