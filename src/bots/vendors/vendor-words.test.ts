import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { overrideLimit } from '../../../test/harness/usage-limits.ts'
import { type VendorTest, vendorTest } from '../../../test/harness/vendors.ts'

let at: VendorTest

before(async () => {
  at = await vendorTest()
})
after(() => at.close())

/** A bot of recall, whose words come after the meeting, and all words of its tenant used up in its waiting room or inside. */
async function wordsUsedUp(when: 'waiting' | 'inside') {
  const { tenant, user } = await at.admin()
  await at.setUp(user, 'recall')
  await overrideLimit(at.app, tenant.id, 'transcriptWords', { hard: 4 })
  const { bot, theirs, rooms } = await at.sent(user, 'recall')
  const admit = async () => {
    await at.pass(1)
    rooms.admit(theirs.id)
    await at.settle()
  }
  if (when === 'inside') await admit()
  const meetings = meetingCalls(at.app)
  const other = await meetings.create(user, {})
  await meetings.append(user, other.id, [said('one two three four')])
  if (when === 'waiting') await admit()
  await at.pass(2)
  rooms.say(theirs.id, { speaker: 'Ada', text: 'We meet on Tuesday.' })
  await at.pass(20)
  if (!rooms.isOver(theirs)) rooms.over(theirs.id, 'meeting_ended')
  for (let round = 0; round < 8 && !theirs.isErased; round++) await at.pass(15)
  const { status, transcript } = (await meetings.get(user, bot.meetingId)).body
  const { reason, detail, events } = await at.bots.get(user, bot.id)
  const { detail: reconciled } = events.find(({ to }: { to: string }) => to === 'reconciled') ?? { detail: null }
  return { status, words: transcript.length, reason, detail, reconciled }
}

test('a transcript that comes after the meeting is kept where words were left when it began', async () => {
  const { status, words, reason } = await wordsUsedUp('inside')
  assert.deepEqual([status, words, reason], ['completed', 1, 'MEETING_ENDED'])
})

test('a bot of a vendor that is admitted when no words are left leaves, and nothing that it heard is kept', async () => {
  const { status, words, reason, detail, reconciled } = await wordsUsedUp('waiting')
  assert.deepEqual([status, words, reason], ['scheduled', 0, 'QUOTA'])
  assert.match(detail, /transcriptWords/)
  assert.match(reconciled, /^0 of \d+ lines/)
})
