import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestUser } from '../../../test/harness/app.ts'
import { links, type VendorTest, vendorTest } from '../../../test/harness/vendors.ts'
import { vendors as names } from '../vendor.rules.ts'

let at: VendorTest
let user: TestUser

before(async () => {
  at = await vendorTest()
  user = (await at.admin()).user
  for (const name of names) await at.setUp(user, name)
})
after(() => at.close())

type Entry = { text: string; speaker: string; kind?: string }

async function transcriptOf(meetingId: string): Promise<Entry[]> {
  const reply = await at.app.call({ method: 'GET', url: `/assistant/v1/meetings/${meetingId}`, headers: user.headers })
  return reply.body.transcript
}
const texts = async (meetingId: string) => (await transcriptOf(meetingId)).map(({ text }) => text)
const get = (id: string) => at.bots.get(user, id)

async function untilErased(id: string): Promise<void> {
  for (let round = 0; round < 8; round++) {
    const { events } = await get(id)
    if (events.some(({ type, to }: { type: string; to: string }) => type === 'vendor' && to === 'erased')) return
    await at.pass(15)
  }
  assert.fail('the vendor did not confirm that it has nothing any more')
}

for (const vendor of names) {
  describe(`a bot of ${vendor}`, () => {
    test('waits, is let in, writes down what is said, ends with its meeting, and leaves nothing there', async () => {
      const { bot, theirs, rooms } = await at.sent(user, vendor)
      assert.equal(theirs.link, links[vendor])
      assert.match(theirs.name, /\(notes\)$/)
      if (vendor !== 'vexa') assert.equal(theirs.notice, bot.consent.message)
      rooms.wait(theirs.id)
      await at.settle()
      assert.equal((await get(bot.id)).status, 'waiting_room')
      rooms.admit(theirs.id)
      await at.settle()
      const inside = await get(bot.id)
      assert.deepEqual([inside.status, inside.consent.delivered], ['in_meeting', vendor !== 'vexa'])
      await at.pass(3)
      rooms.say(theirs.id, { speaker: 'Ada', text: 'We meet on Tue', id: 'one', isDraft: true })
      await at.pass(31)
      rooms.say(theirs.id, { speaker: 'Ada', text: 'We meet on Tuesday.', id: 'one' })
      rooms.say(theirs.id, { speaker: 'Ben', text: 'A draft that was nothing.', id: 'two', isDraft: true })
      if (vendor !== 'vexa') rooms.write(theirs.id, { speaker: 'Ben', text: 'The room is 4.' })
      await at.pass(31)
      if (vendor !== 'recall') assert.ok((await texts(bot.meetingId)).includes('We meet on Tuesday.'))
      rooms.unsay(theirs.id, 'two')
      rooms.say(theirs.id, { speaker: 'Ada', text: 'Goodbye.' })
      at.clock.advance({ ms: 20_000 })
      rooms.over(theirs.id, 'meeting_ended')
      await at.settle()
      await untilErased(bot.id)
      const over = await get(bot.id)
      assert.deepEqual([over.status, over.reason], ['ended', 'MEETING_ENDED'])
      // 3 + 31 + 31 + 20 seconds, by the vendor's times.
      assert.equal(over.seconds, 85)
      const expected = ['We meet on Tuesday.', 'Goodbye.', ...(vendor === 'vexa' ? [] : ['The room is 4.'])]
      assert.deepEqual((await texts(bot.meetingId)).toSorted(), expected.toSorted())
      assert.equal(theirs.isErased, true)
    })

    test('says no word that was said after !stop, and none at all after !forget', async () => {
      if (vendor === 'vexa') return
      for (const [word, kept] of [
        ['!stop', ['Before.']],
        ['!forget', []],
      ] as const) {
        const { bot, theirs, rooms } = await at.admitted(user, vendor)
        await at.pass(2)
        rooms.say(theirs.id, { speaker: 'Ada', text: 'Before.' })
        await at.pass(31)
        rooms.write(theirs.id, { speaker: 'Ben', text: word })
        await at.settle()
        const { status, reason } = await get(bot.id)
        assert.ok(['leaving', 'ended'].includes(status), status)
        assert.equal(reason, 'CONSENT_REFUSED')
        rooms.say(theirs.id, { speaker: 'Ada', text: 'After.' })
        await at.pass(5)
        await untilErased(bot.id)
        assert.equal((await get(bot.id)).reason, 'CONSENT_REFUSED')
        const found = await texts(bot.meetingId)
        assert.ok(!found.includes('After.'), found.join())
        for (const text of found) assert.ok((kept as readonly string[]).includes(text), text)
      }
    })

    test('is ordered once, though the answer was lost before or after its effect', async () => {
      const rooms = at.vendors.rooms(vendor)
      for (const lost of ['before', 'after'] as const) {
        const had = rooms.bots.length
        at.vendors.faults.add({ provider: vendor, method: 'POST', path: vendor === 'vexa' ? '/bots' : '/bot', lost })
        const bot = await at.bots.deploy(user, { meetingUrl: links[vendor], provider: vendor })
        for (let round = 0; round < 8; round++) await at.pass(4)
        assert.equal(rooms.bots.length, had + 1, lost)
        assert.equal((await get(bot.id)).status, 'joining')
        await at.bots.call(user, 'POST', `/${bot.id}/leave`)
        await untilErased(bot.id)
      }
    })

    test('is asked to leave until it is out, though the vendor fails', async () => {
      const { bot, theirs, rooms } = await at.admitted(user, vendor)
      const path = vendor === 'recall' ? 'leave_call' : vendor === 'attendee' ? '/leave' : '/bots/'
      at.vendors.faults.add({ provider: vendor, path, status: 503, times: 2 })
      at.vendors.faults.add({ provider: vendor, path, lost: 'before' })
      const left = await at.bots.call(user, 'POST', `/${bot.id}/leave`)
      assert.equal(left.body.bot.status, 'leaving')
      for (let round = 0; round < 8 && !rooms.isOver(theirs); round++) await at.pass(20)
      assert.equal(theirs.outcome, 'asked')
      await untilErased(bot.id)
      const over = await get(bot.id)
      assert.deepEqual([over.status, over.reason], ['ended', 'USER_REQUEST'])
    })
  })
}

test('no second bot comes while the vendor does not say that the first is out', async () => {
  const { bot, rooms } = await at.sent(user, 'attendee')
  const live = () => rooms.bots.filter((theirs) => !rooms.isOver(theirs)).length
  at.vendors.faults.add({ provider: 'attendee', method: 'GET', status: 502, times: 60 })
  at.vendors.faults.add({ provider: 'attendee', path: '/leave', status: 502, times: 60 })
  for (let round = 0; round < 17; round++) {
    await at.pass(15)
    assert.ok(live() <= 1)
  }
  assert.equal((await get(bot.id)).attempt, 2)
  at.vendors.faults.clear()
  for (let round = 0; round < 8; round++) {
    await at.pass(10)
    assert.ok(live() <= 1)
  }
  assert.deepEqual([(await get(bot.id)).status, live()], ['joining', 1])
  await at.bots.call(user, 'DELETE', `/${bot.id}`)
  await at.pass(10)
  await at.pass(2)
  assert.equal(live(), 0)
})
