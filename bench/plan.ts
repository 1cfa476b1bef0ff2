import type { Seeded } from './ground/seed.ts'
import type { Ground } from './ground/service.ts'
import type { Job, Load } from './load.ts'
import type { Outcome } from './outcome.ts'
import type { Meter } from './processor-time.ts'
import type { Worker } from './worker.ts'

/** What a scenario is given: how long to measure, and where. */
export type Plan = {
  rounds: number
  warmUpMs: number
  measuredMs: number
  load: Worker<Job, Load>
  /** Of the whole PostgreSQL server. */
  databaseMeter: Meter
  /** Licenses where there are few, and where there are many. */
  sizes: { few: number; many: number }
  /** Seeded when it is first asked for, and then shared: to seed a million takes minutes. */
  seeded(kind: Ground['kind'], licenses: number): Promise<Seeded>
  /** A database with nothing in it. */
  empty(kind: Ground['kind']): Promise<Ground>
}

export type Scenario = {
  name: string
  about: string
  /** Only where it is named: it takes long and says little that another does not. */
  isOptional?: true
  run(plan: Plan): Promise<Omit<Outcome, 'scenario' | 'about'>>
}

export const grounds = [
  { kind: 'postgres', title: 'service, PostgreSQL' },
  { kind: 'embedded', title: 'service, embedded' },
] as const satisfies { kind: Ground['kind']; title: string }[]
