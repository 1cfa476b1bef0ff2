import { open } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { MediaLibrary } from '../media/media-library.ts'
import { slotKinds } from '../slots/slot.rules.ts'
import { PublicSlot } from '../slots/slot.schema.ts'
import type { Slots } from '../slots/slot.service.ts'
import { findSlotMedia, publicSlotView } from '../slots/slot.view.ts'

const Homepage = StrictObject({
  slots: StrictObject(
    Object.fromEntries(slotKinds.map((kind) => [kind, Type.Array(PublicSlot)])) as Record<
      (typeof slotKinds)[number],
      ReturnType<typeof Type.Array<typeof PublicSlot>>
    >,
    { description: 'All kinds, including empty ones.' },
  ),
})

export function homepageRoute({ slots, media }: { slots: Slots; media: MediaLibrary }): Route {
  return route({
    method: 'GET',
    path: '/cms/homepage',
    name: 'getHomepage',
    tag: 'Content',
    summary: 'Get the current homepage',
    description: 'Slots by kind, in order. Only active slots within their time whose product is public are included.',
    access: open('the homepage is public'),
    answers: { 200: Homepage },
    cache: { maxAgeSeconds: 0 },
    handle: async ({ platform }) => {
      const { slots: live, validUntil } = await slots.homepage(platform)
      const files = await findSlotMedia(platform, live, media)
      const byKind = Map.groupBy(live, ({ kind }) => kind)
      const shown = slotKinds.map((kind) => [kind, (byKind.get(kind) ?? []).map((slot) => publicSlotView(slot, files))])
      return { ...ok({ slots: Object.fromEntries(shown) }), ...(validUntil === null ? {} : { validUntil }) }
    },
  })
}
