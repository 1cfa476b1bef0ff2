import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { interleave } from '../../../../test/harness/interleavings.ts'
import { type Receiver, receiver } from '../../../../test/harness/receiver.ts'
import { type TrackerCase, trackerCases } from '../../../../test/harness/tracker-cases.ts'
import { type TwoWayLab, twoWayLab } from '../../../../test/harness/two-way.ts'

describe('a task and its issue', () => {
  let lab: TwoWayLab
  let there: Receiver
  const integrations = new Map<string, string>()
  before(async () => {
    lab = await twoWayLab()
    there = await receiver()
    await lab.app.promote(lab.people.ada)
    await lab.login()
    const endpoint = await lab.call('POST', '/v1/webhooks/endpoints', {
      url: there.url,
      eventTypes: ['task.conflicted'],
    })
    assert.equal(endpoint.status, 201, JSON.stringify(endpoint.body))
    for (const it of trackerCases) integrations.set(it.provider, await lab.connect(it))
  })
  after(async () => {
    await lab.close()
    await there.close()
  })

  const create = (it: TrackerCase, draft: object) => lab.createIssue(it, integrations.get(it.provider) ?? '', draft)

  for (const it of trackerCases) {
    test(`${it.provider}: what changes on one side changes on the other`, async () => {
      const before = lab.writes(it.provider)
      const task = await create(it, { title: 'Order the parts', due: '2026-12-01' })
      assert.equal((await lab.task(task)).link.sync, 'SYNCED')
      await lab.change(task, { title: 'Order all parts', status: 'done', assigneeId: lab.people.ada.id })
      assert.equal((await lab.task(task)).link.sync, 'PENDING')
      await lab.settle()
      assert.deepEqual(it.read(lab, task.issue), {
        title: 'Order all parts',
        status: 'done',
        assignee: it.people.ada,
        ...(it.hasDue ? { due: '2026-12-01' } : {}),
      })

      it.edit(lab, task.issue, { title: 'Order no parts', status: 'open', assignee: it.people.ben })
      await lab.settle()
      const changed = await lab.task(task)
      assert.deepEqual(
        [changed.title, changed.status, changed.assigneeId, changed.link.sync],
        ['Order no parts', 'open', lab.people.ben.id, 'SYNCED'],
      )
      assert.deepEqual(changed.conflicts, [])
      // It was created, and then three fields were changed here.
      assert.ok(lab.writes(it.provider) - before <= 4, String(lab.writes(it.provider) - before))
    })

    test(`${it.provider}: where both changed a field the tracker's stands, and the task shows both`, async () => {
      const task = await create(it, { title: 'Book a room' })
      lab.emulators.deliveries.hold(true)
      it.edit(lab, task.issue, { title: 'Book two rooms', assignee: 'a stranger' })
      await lab.change(task, { title: 'Book a hall', status: 'done' })
      await lab.settle()
      lab.emulators.deliveries.hold(false)
      const merged = await lab.task(task)
      assert.deepEqual([merged.title, merged.status], ['Book two rooms', 'done'], 'different fields are merged')
      assert.deepEqual(
        merged.conflicts.map(({ field, ours, theirs }: Record<string, string>) => [field, ours, theirs]),
        [['title', 'Book a hall', 'Book two rooms']],
      )
      assert.equal(it.read(lab, task.issue).status, 'done')
      assert.equal(it.read(lab, task.issue).title, 'Book two rooms')
      const told = there.heard.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'task.conflicted')
      assert.equal(told.filter(({ data }) => data.taskId === task.id).length, 1)

      if (it.provider === 'github') {
        assert.equal((await lab.dismiss(task, 'status')).status, 404)
        assert.equal((await lab.dismiss(task, 'title')).status, 204)
        assert.deepEqual((await lab.task(task)).conflicts, [])
        return
      }
      // Whoever decides for their own value ends the conflict with it.
      await lab.change(task, { title: 'Book a hall' })
      await lab.settle()
      assert.deepEqual((await lab.task(task)).conflicts, [])
      assert.equal(it.read(lab, task.issue).title, 'Book a hall')
    })
  }

  test('random changes on both sides, with webhooks that are late, doubled, out of order or lost', async () => {
    const result = await interleave(lab, { integrations, rounds: 12, seed: 1 })
    assert.deepEqual(result.faults, [])
    assert.equal(result.rounds, 12)
  })
})
