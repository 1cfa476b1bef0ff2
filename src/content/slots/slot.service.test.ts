import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { testClock } from '../../../test/harness/clock.ts'
import type { BundlePartInput } from '../../kernel/bundle.ts'
import { newId } from '../../kernel/ids.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { transaction } from '../../storage/scope.ts'
import { markup } from '../../text/markup.ts'
import type { FindMediaByDigest, MediaLibrary, MediaSummary } from '../media/media-library.ts'
import { slotPart } from './slot.bundle.ts'
import { type SlotDeps, slotService } from './slot.service.ts'
import { getSlot } from './slot.store.ts'
import { findSlotMedia, publicSlotView } from './slot.view.ts'

let app: TestApp
let uses: Map<string, string[]>
let changes = 0
const file: MediaSummary = {
  id: newId(new Date()),
  filename: 'hero.webp',
  mimeType: 'image/webp',
  kind: 'image',
  size: 12,
  sha256: 'a1'.repeat(32),
  width: 1920,
  height: 1080,
  alt: 'A bridge',
  url: '/media/hero.webp',
  variants: {},
}

/** A library of one file that remembers who uses it. */
const media: MediaLibrary = {
  find: async (_, ids) => new Map(ids.includes(file.id) ? [[file.id, file]] : []),
  setUses: async (_, user, ids) => {
    if (ids.some((id) => id !== file.id))
      throw invalidField('/body/mediaId', { code: 'unknown', message: 'is no uploaded file' })
    uses.set(user.id, ids)
  },
}
const findMediaByDigest: FindMediaByDigest = async (_, digests) =>
  new Map(digests.includes(file.sha256) ? [[file.sha256, file.id]] : [])

before(async () => {
  app = await testApp()
})
function service(overrides: Partial<SlotDeps> = {}) {
  return slotService({
    clock: app.clock,
    audit: async () => undefined,
    publicChanged: async () => void changes++,
    media,
    unknownProducts: async () => [],
    draftProducts: async () => [],
    ...overrides,
  })
}

describe('the file of a slot', () => {
  beforeEach(() => {
    uses = new Map()
    changes = 0
  })

  test('is shown with the slot, and is in use exactly as long as the slot shows it', async () => {
    const slots = service()
    const { id } = await slots.create(app.platform, { kind: 'LOGO_STRIP', mediaId: file.id })
    assert.deepEqual(uses.get(id), [file.id])
    const slot = await getSlot(app.platform, id)
    const shown = publicSlotView(slot, await findSlotMedia(app.platform, [slot], media))
    assert.equal(shown.media?.alt, 'A bridge')
    await slots.update(app.platform, id, { asked: { mediaId: null }, ifMatch: undefined })
    assert.deepEqual(uses.get(id), [])
    await slots.update(app.platform, id, { asked: { mediaId: file.id }, ifMatch: undefined })
    await slots.remove(app.platform, id, undefined)
    assert.deepEqual(uses.get(id), [])
    assert.equal(changes, 4)
  })

  test('has to be there, or the slot is not made', async () => {
    const slug = unique('slot')
    const mediaId = newId(new Date())
    await assert.rejects(service().create(app.platform, { kind: 'LOGO_STRIP', slug, mediaId }), {
      code: 'VALIDATION_ERROR',
    })
    const again = await service().create(app.platform, { kind: 'LOGO_STRIP', slug })
    await service().remove(app.platform, again.id, undefined)
  })

  test('goes into a bundle by its content, and is found by it', async () => {
    const part = slotPart({ clock: app.clock, media, findMediaByDigest })
    const slug = unique('slot')
    const { id } = await service().create(app.platform, { kind: 'LOGO_STRIP', slug, mediaId: file.id })
    const record = (await part.export(app.platform)).find((exported) => exported['slug'] === slug) ?? {}
    assert.deepEqual(record['media'], { sha256: file.sha256, filename: 'hero.webp' })
    await service().remove(app.platform, id, undefined)
    const ask: BundlePartInput = { records: [record], mode: 'merge', markup }
    const [made] = await transaction(app.platform, (tx) => part.apply(tx, ask))
    assert.equal(made?.action, 'create')
    const renamed = { ...record, media: { sha256: file.sha256, filename: 'other.webp' } }
    const [kept] = await part.plan(app.platform, { records: [renamed], mode: 'merge', markup })
    assert.equal(kept?.action, 'keep')
    const unknown = { ...record, media: { sha256: '0'.repeat(64), filename: 'hero.webp' } }
    await assert.rejects(part.plan(app.platform, { records: [unknown], mode: 'merge', markup }), (error: Error) =>
      error.message.startsWith('/body/parts/slots/0/media/sha256 '),
    )
    const present = [...uses].findLast(([, ids]) => ids.length > 0)?.[0] ?? ''
    await service().remove(app.platform, present, undefined)
  })
})

test('the homepage is good until the next slot begins or ends, and for ever when none does', async () => {
  // Far from all moments of other tests.
  const clock = testClock(new Date('2091-01-01T00:00:00.000Z'))
  const slots = service({ clock })
  const at = (ms: number) => new Date(clock.now().getTime() + ms)
  const nextInMs = async () => {
    const { validUntil } = await slots.homepage(app.platform)
    return validUntil === null ? null : validUntil.getTime() - clock.now().getTime()
  }
  const make = (from: number, to: number, isActive = true) =>
    slots.create(app.platform, {
      kind: 'TESTIMONIAL',
      isActive,
      startsAt: at(from).toISOString(),
      endsAt: at(to).toISOString(),
    })
  const made = [await make(300, 900), await make(-500, 200), await make(-900, -100), await make(50, 60, false)]
  assert.equal(await nextInMs(), 200)
  clock.advance({ ms: 200 })
  assert.equal(await nextInMs(), 100)
  clock.advance({ ms: 100 })
  assert.equal(await nextInMs(), 600)
  clock.advance({ ms: 600 })
  assert.equal(await nextInMs(), null)
  for (const { id } of made) await slots.remove(app.platform, id, undefined)
})
