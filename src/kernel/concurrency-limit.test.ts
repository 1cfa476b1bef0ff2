import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { concurrencyLimit } from './concurrency-limit.ts'
import { Refusal } from './refusal.ts'

const isUnavailable = (fault: unknown) => fault instanceof Refusal && fault.code === 'UNAVAILABLE'

test('never more than the allowed number run or wait, and they start in the order in which they came', async () => {
  const sizes = fc.record({ concurrent: fc.integer({ min: 1, max: 4 }), queueMax: fc.nat({ max: 5 }) })
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.scheduler(),
      fc.array(fc.boolean(), { maxLength: 20 }),
      async (size, scheduler, fails) => {
        const { concurrent, queueMax } = size
        const inTurn = concurrencyLimit(concurrent, queueMax)
        const started: number[] = []
        let running = 0
        const asked = fails.map((isFailing, at) =>
          inTurn(async () => {
            started.push(at)
            running += 1
            assert.ok(running <= concurrent)
            await scheduler.schedule(Promise.resolve())
            running -= 1
            if (isFailing) throw new Error('failed')
          }),
        )
        const answers = Promise.allSettled(asked)
        await scheduler.waitFor(answers)

        const accepted = Math.min(fails.length, concurrent + queueMax)
        assert.deepEqual(started, [...Array(accepted).keys()])
        const refused = (await answers).slice(accepted)
        assert.ok(refused.every((answer) => answer.status === 'rejected' && isUnavailable(answer.reason)))
      },
    ),
  )
})
