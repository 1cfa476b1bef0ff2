import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { seededSlots } from './slot.seed.ts'
import { beginSeed, countSlots, hasSlug, insertSlot } from './slot.store.ts'
import { defaultFields, renderedHtml } from './slot-input.ts'

/** Adds the first homepage, once in the life of an installation. Later changes and removals are kept. */
export async function seedHomepage(
  platform: PlatformScope,
  { clock, publicChanged }: { clock: Clock; publicChanged: PublicChanged },
): Promise<void> {
  const now = clock.now()
  await transaction(platform, async (tx) => {
    if (!(await beginSeed(tx, 'homepage', now))) return
    for (const seed of seededSlots) {
      if (await hasSlug(tx, seed.slug)) continue // a restored or imported homepage is there already
      const { last } = await countSlots(tx, seed.kind)
      const bodyHtml = await renderedHtml(seed.body ?? null)
      await insertSlot(tx, { ...defaultFields, order: last + 1, ...seed, id: newId(now), bodyHtml, createdAt: now })
    }
    await publicChanged(tx)
  })
}
