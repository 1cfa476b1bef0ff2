// A process that counts uses, as a node does. Started by `usage.ts`, which kills it. Prints a line for each caller: `+` for a
// use that was counted, `-` for one that was refused, and before them `!` each time a counter was not free within the limit of a
// statement: then nothing was counted, and the caller asks again.
import { json } from 'node:stream/consumers'
import { systemCaller } from '../../../src/kernel/caller.ts'
import { Refusal } from '../../../src/kernel/refusal.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { mintPlatformScope } from '../../../src/storage/mint.ts'
import { sql } from '../../../src/storage/query.ts'
import { scopeToTenant, transaction } from '../../../src/storage/scope.ts'
import type { Subject } from '../../../src/usage/meters/counter.store.ts'
import type { ExactMeter } from '../../../src/usage/meters/meter.rules.ts'
import { meteringService, type Use } from '../../../src/usage/meters/metering.service.ts'

export type CountingOrder = {
  databaseUrl: string
  tenantId: string
  /** Of the callers, in turn. */
  subjects: Subject[]
  meters: ExactMeter[]
  callers: number[]
  atOnce: number
}

const { databaseUrl, tenantId, subjects, meters, callers, atOnce } = (await json(process.stdin)) as CountingOrder
const { handle } = await openDatabase({ databaseUrl, dataFolder: '', log: { warn: () => undefined } })
const scope = scopeToTenant(mintPlatformScope(handle, systemCaller), tenantId)
const metering = meteringService({
  clock: { now: () => new Date() },
  planOf: () => sql`null::text`,
  planEndOf: () => sql`null::timestamptz`,
  tellReached: async () => undefined,
})
const canceledByTimeout = '57014'
const waiting = callers.values()
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (const caller of waiting) {
      const use: Use = {
        ...subjects[caller % subjects.length],
        amounts: Object.fromEntries(meters.map((meter) => [meter, 1])),
      }
      for (let answer = '!'; answer === '!'; ) {
        answer = await transaction(scope, (tx) => metering.count(tx, use)).then(
          () => '+',
          (error) => {
            if (error instanceof Refusal) return '-'
            if (error.code === canceledByTimeout) return '!'
            throw error
          },
        )
        process.stdout.write(`${answer}${caller}\n`)
      }
    }
  }),
)
process.exit(0)
