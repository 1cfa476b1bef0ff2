import type { VendorName } from '../emulators/emulator.ts'
import type { RoomBot } from '../emulators/vendors/meeting-rooms.ts'
import type { TestUser } from './app.ts'
import { type Random, seededRandom } from './seeded-random.ts'
import type { VendorTest } from './vendors.ts'

export type Chaos = {
  vendor: VendorName
  seed: number
  webhooks: number
  seconds: number
  entries: number
  broken: string
}

/** Is done, and not kept. */
const toBot = '!agree'
const outcomes = ['meeting_ended', 'alone', 'removed'] as const
const reasons = { meeting_ended: 'MEETING_ENDED', alone: 'ALONE', removed: 'REMOVED' }

/**
 * A meeting at a vendor that loses, doubles and disorders its webhooks, asks to wait, and fails before and after what it
 * was asked. Says what is not as it should be in the end.
 */
export async function vendorChaos(at: VendorTest, user: TestUser, vendor: VendorName, seed: number): Promise<Chaos> {
  const random = seededRandom(seed)
  const { deliveries, faults } = at.vendors
  deliveries.hold(true)
  const before = deliveries.sent().length
  const had = at.vendors.rooms(vendor).bots.length
  const { bot, theirs, rooms } = await at.sent(user, vendor)
  if (random.below(2) === 0) rooms.wait(theirs.id)
  await at.pass(random.below(20))
  rooms.admit(theirs.id)
  // A vendor that is away while its bot joins is a JOIN_TIMEOUT, which is none of this.
  await at.pass(6)
  for (let step = 0; step < 8; step++) {
    speak(random, { at, vendor, theirs, step })
    if (random.below(3) === 0) misbehave(random, at, vendor)
    await sendSome(random, at)
    await at.pass(1 + random.below(45))
  }
  for (const { id, isDraft } of [...theirs.speech]) if (isDraft) rooms.unsay(theirs.id, id)
  const said = [...theirs.speech, ...theirs.chat].map(({ text }) => text).filter((text) => text !== toBot)
  said.sort()
  const outcome = random.oneOf(outcomes)
  rooms.over(theirs.id, outcome)
  misbehave(random, at, vendor)
  for (let round = 0; round < 30 && !theirs.isErased; round++) {
    await sendSome(random, at)
    await at.pass(20)
  }
  faults.clear()
  for (let round = 0; round < 4; round++) await at.pass(60)
  deliveries.hold(false)
  const over = await at.bots.get(user, bot.id)
  const url = `/assistant/v1/meetings/${bot.meetingId}`
  const meeting = (await at.app.call({ method: 'GET', url, headers: user.headers })).body
  const kept = meeting.transcript.map(({ text }: { text: string }) => text).toSorted()
  const seconds = Math.round(((theirs.leftAt?.getTime() ?? 0) - (theirs.joinedAt?.getTime() ?? 0)) / 1000)
  const faultsFound = [
    JSON.stringify(kept) === JSON.stringify(said) ? '' : `transcript: ${kept.length} of ${said.length}`,
    over.seconds === seconds ? '' : `seconds: ${over.seconds} of ${seconds}`,
    over.reason === reasons[outcome] ? '' : `reason: ${over.reason}, not ${outcome}`,
    theirs.isErased ? '' : 'not erased',
    rooms.bots.length === had + 1 ? '' : 'ordered more than once',
  ]
  return {
    vendor,
    seed,
    webhooks: deliveries.sent().length - before,
    seconds,
    entries: kept.length,
    broken: faultsFound.filter((fault) => fault !== '').join('; '),
  }
}

type Talk = { at: VendorTest; vendor: VendorName; theirs: RoomBot; step: number }

/** Something is said, said again in other words, or written. */
function speak(random: Random, { at, vendor, theirs, step }: Talk): void {
  const rooms = at.vendors.rooms(vendor)
  const speaker = random.oneOf(['Ada', 'Ben', 'Cy'])
  rooms.say(theirs.id, { speaker, text: `Sentence ${step}.`, id: `s${step}`, isDraft: random.below(3) === 0 })
  const earlier = theirs.speech[random.below(theirs.speech.length)]
  if (earlier !== undefined && random.below(3) === 0)
    rooms.say(theirs.id, { speaker: earlier.speaker, text: `${earlier.text} Corrected.`, id: earlier.id })
  at.clock.advance({ ms: 1500 })
  if (vendor !== 'vexa' && random.below(3) === 0) {
    rooms.write(theirs.id, { speaker, text: `Written ${step}.` })
    if (random.below(3) === 0) rooms.write(theirs.id, { speaker, text: toBot })
  }
}

function misbehave(random: Random, at: VendorTest, vendor: VendorName): void {
  const fault = random.oneOf([
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 500, answer: 'oops' },
    { status: 502, answer: { detail: 'Bad gateway' } },
    { lost: 'before' as const },
    { lost: 'after' as const },
  ])
  at.vendors.faults.add({ provider: vendor, times: 1 + random.below(3), ...fault })
}

/** Some of the webhooks that wait, some of them twice, in any order. The others are late, and the last are lost. */
async function sendSome(random: Random, at: VendorTest): Promise<void> {
  const { deliveries } = at.vendors
  const ids = deliveries.waiting().map(({ id }) => id)
  const order = ids.map((id) => ({ id, place: random.fraction() })).sort((a, b) => a.place - b.place)
  for (const { id } of order) {
    const times = random.weighted([
      [3, 0],
      [4, 1],
      [3, 2],
    ])
    for (let time = 0; time < times; time++) await deliveries.send(id)
  }
}
