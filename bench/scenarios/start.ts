import { setTimeout as delay } from 'node:timers/promises'
import type { Ground } from '../ground/service.ts'
import { startService } from '../ground/service.ts'
import type { Figure, Limit } from '../outcome.ts'
import type { Scenario } from '../plan.ts'
import { memoryMb } from '../processor-time.ts'
import { median } from '../statistics.ts'

/** After the start, when what it left behind has been collected. */
const settleMs = 1000

type Kind = { title: string; startLimit: Limit | null; memoryLimit: Limit | null }
type Seen = Kind & { startMs: number[]; memoryMb: number[] }

export const start: Scenario = {
  name: 'start',
  about: `From the start of the process until it listens, and its memory ${settleMs / 1000} s later.`,
  run: async (plan) => {
    const first = seen({ title: 'embedded, first start', startLimit: { atMost: 5000 }, memoryLimit: { atMost: 600 } })
    const again = seen({ title: 'embedded, again', startLimit: { atMost: 1000 }, memoryLimit: { atMost: 600 } })
    const server = seen({ title: 'PostgreSQL, again', startLimit: null, memoryLimit: null })
    const migrated = await plan.empty('postgres')
    await (await startService(migrated)).stop()
    for (let round = 0; round < plan.rounds; round++) {
      const ground = await plan.empty('embedded')
      await measure(first, ground)
      await measure(again, ground)
      await measure(server, migrated)
    }
    return { rows: [], figures: [first, again, server].flatMap(toFigures) }
  },
}

function seen(kind: Kind): Seen {
  return { ...kind, startMs: [], memoryMb: [] }
}

async function measure({ startMs, memoryMb: memories }: Seen, ground: Ground): Promise<void> {
  const service = await startService(ground)
  startMs.push(service.startMs)
  await delay(settleMs)
  memories.push(memoryMb(service.pid) ?? Number.NaN)
  await service.stop()
}

function toFigures({ title, startMs, memoryMb, startLimit, memoryLimit }: Seen): Figure[] {
  return [
    { what: `${title}: start`, value: median(startMs), unit: 'ms', rounds: startMs, limit: startLimit },
    { what: `${title}: memory`, value: median(memoryMb), unit: 'MB', rounds: memoryMb, limit: memoryLimit },
  ]
}
