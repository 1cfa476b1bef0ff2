import type { Job, Load } from './load.ts'
import { type Meter, memoryMb, processMeter } from './processor-time.ts'
import type { Program } from './program.ts'
import type { Worker } from './worker.ts'

/** What one window saw of one subject. Processor times are microseconds a request. */
export type Measurement = {
  calls: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Null where it cannot be told: a window too short for the clock, a server on another machine, none at all. */
  serverUs: number | null
  databaseUs: number | null
  memoryMb: number | null
  headBytes: number
  bodyBytes: number
}

/** Who is measured, by turns with others. */
export type Subject = { name: string; measure(): Promise<Measurement> }

export type Rounds = Map<string, Measurement[]>

const none: Meter = () => null

/** Loads a program for one window and reads, at its two ends, the processor time of the program and of the database. */
export async function measureLoad(
  load: Worker<Job, Load>,
  { program, database = none, ...job }: Omit<Job, 'host' | 'port'> & { program: Program; database?: Meter },
): Promise<Measurement> {
  const server = difference(processMeter(program.pid))
  const behind = difference(database)
  const { host, port } = program
  const result = await load.do({ host, port, ...job }, (moment) => {
    server.read(moment)
    behind.read(moment)
  })
  const { calls, perSecond, p50Ms, p99Ms, headBytes, bodyBytes } = result
  const [serverUs, databaseUs] = [server.each(calls), behind.each(calls)]
  return { calls, perSecond, p50Ms, p99Ms, serverUs, databaseUs, memoryMb: memoryMb(program.pid), headBytes, bodyBytes }
}

/** What a meter counted between the two moments, divided by calls. */
export function difference(meter: Meter) {
  const readings: { begun: number | null; ended: number | null } = { begun: null, ended: null }
  return {
    read: (moment: 'begun' | 'ended') => {
      readings[moment] = meter()
    },
    each: (calls: number): number | null => {
      const { begun, ended } = readings
      return begun === null || ended === null || calls === 0 ? null : (ended - begun) / calls
    },
  }
}

/**
 * Every subject once a round, each round beginning with another one, so that a machine that grows busy or warm in the
 * course of the run does so for all of them. One round before the first is thrown away: a program that was just
 * started runs code that is not compiled yet, at several times the cost.
 */
export async function inRounds(rounds: number, subjects: Subject[]): Promise<Rounds> {
  const seen: Rounds = new Map(subjects.map(({ name }) => [name, []]))
  for (const { measure } of subjects) await measure()
  for (let round = 0; round < rounds; round++) {
    for (const at of subjects.keys()) {
      const { name, measure } = subjects[(round + at) % subjects.length] as Subject
      seen.get(name)?.push(await measure())
    }
  }
  return seen
}
