import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestUser } from '../../../test/harness/app.ts'
import type { Written } from '../../../test/harness/mail-engine.ts'
import {
  question,
  type ReadersWorld,
  readersWorld,
  seen,
  type Word,
  words,
} from '../../../test/harness/mail-readers.ts'

/** Every order is tried twice. The trial `mail-readers` sends more of them. */
const steeringMails = 16

describe('an answer by mail', () => {
  let world: ReadersWorld
  let engine: ReadersWorld['engine']

  before(async () => {
    world = await readersWorld()
    engine = world.engine
  })

  /** Asks for each thing by its word, so that it would be found if it could be. */
  async function harvest(written: Omit<Written, 'text'>, asked: readonly Word[] = words): Promise<Set<Word>> {
    const found = new Set<Word>()
    for (const word of asked) {
      const { answer } = await engine.ask({ ...written, text: question(word) })
      for (const it of seen(answer?.text ?? '')) found.add(it)
    }
    return found
  }

  test('holds what its reader may read, and no word of anything else, for every kind of sender', async () => {
    for (const { who, address: from, may } of world.readers) {
      const found = await harvest({ from })
      assert.deepEqual(
        [...found].filter((word) => !may.includes(word)),
        [],
        `${who} read too much`,
      )
      assert.deepEqual(
        may.filter((word) => !found.has(word)),
        [],
        `${who} read too little`,
      )
    }
  })

  test('holds what all members of the conversation may read, since the API shows it to them', async () => {
    const { owner, member, viewer } = world.people
    const person = ({ id, email }: TestUser) => ({ address: email, userId: id })
    const cases: [from: TestUser, others: TestUser[], may: Word[]][] = [
      [owner, [member], ['team', 'shared']],
      [owner, [viewer], ['team']],
      [member, [viewer], ['team']],
      [member, [owner], ['team', 'shared']],
    ]
    const asked: Word[] = ['restricted', 'team', 'shared', 'private']
    for (const [from, others, may] of cases) {
      const threadId = await engine.thread([from, ...others].map(person))
      const found = [...(await harvest({ from: from.email, threadId }, asked))]
      // What all members may read answers the other questions.
      const openToAll = ['open', 'public']
      assert.deepEqual(found.filter((word) => !openToAll.includes(word)).sort(), may.toSorted())
    }
    const threadId = await engine.thread([{ address: world.participant }, person(viewer)])
    assert.deepEqual([...(await harvest({ from: world.participant, threadId }, ['public', 'attended']))], ['public'])
  })

  test('goes to the address of the sender alone, whatever Reply-To says', async () => {
    const { email: from } = world.people.owner
    const headers = [['reply-to', world.stranger]] as const
    const senders = [from, world.stranger]
    const { answer } = await engine.ask({ from, senders, headers, text: question('open') })
    assert.deepEqual(answer?.to, [from])
  })

  test('is neither written nor sent for a mail that claims a user and fails, and waits for a person where nothing proves it', async () => {
    const { email } = world.people.owner
    const failed = await engine.ask({ from: email, authenticity: 'fail', text: question('open') })
    assert.deepEqual([failed.status, failed.cause, failed.answer], ['ignored', 'NOT_AUTHENTIC', null])
    const unproven = await engine.ask({ from: email, authenticity: 'none', text: question('open') })
    assert.deepEqual(
      [unproven.cause, unproven.answer?.status, unproven.answer?.to],
      ['UNPROVEN_SENDER', 'draft', [email]],
    )
  })

  test('holds no more when mails try to steer the engine', async () => {
    assert.deepEqual(await world.steer(steeringMails), [])
  })
})
