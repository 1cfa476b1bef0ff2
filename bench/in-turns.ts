import { openConnection, requestBytes, type Wire } from './connection.ts'
import { difference, type Measurement, type Rounds } from './measure.ts'
import { memoryMb, processMeter } from './processor-time.ts'
import type { Program } from './program.ts'
import { middleMean, percentile } from './statistics.ts'

/** Who is asked in turns with others. `next` gives the request of a round, and must answer with `status`. */
export type Side = { name: string; program: Program; status: number; next(): Promise<Wire> }

export type Turns = { rounds: number; warmUp: number; measured: number }

/**
 * One request to each side, turn after turn, by one caller: what disturbs the machine for longer than a request meets all
 * sides alike, where windows of their own differ by more than is to be seen. Rates are of the middle of the times. The
 * processor time of a database cannot be told apart by sides.
 */
export async function inTurns({ rounds, warmUp, measured }: Turns, sides: Side[]): Promise<Rounds> {
  const seen: Rounds = new Map(sides.map(({ name }) => [name, []]))
  const opened = await Promise.all(
    sides.map(async (side) => ({ side, connection: await openConnection(side.program) })),
  )
  try {
    for (let round = 0; round < rounds; round++) {
      const asked = await Promise.all(opened.map((one) => prepare(one)))
      for (let turn = 0; turn < warmUp + measured; turn++) {
        if (turn === warmUp) for (const { begin } of asked) begin()
        // Each goes first as often as the others.
        for (const at of asked.keys()) await asked[(turn + at) % asked.length]?.ask()
      }
      for (const { name, end } of asked) seen.get(name)?.push(end())
    }
  } finally {
    for (const { connection } of opened) connection.end()
  }
  return seen
}

async function prepare({ side, connection }: { side: Side; connection: Awaited<ReturnType<typeof openConnection>> }) {
  const { name, program, status } = side
  const wire = await side.next()
  const request = requestBytes(wire, `${program.host}:${program.port}`)
  const server = difference(processMeter(program.pid))
  let timesMs: number[] = []
  let [headBytes, bodyBytes] = [0, 0]
  return {
    name,
    begin: () => {
      timesMs = []
      server.read('begun')
    },
    ask: async () => {
      const startedAt = performance.now()
      const answer = await connection.send(request)
      timesMs.push(performance.now() - startedAt)
      if (answer.status !== status)
        throw new Error(`${wire.method} ${wire.path} answered ${answer.status}, not ${status}.`)
      headBytes = answer.headBytes
      bodyBytes = answer.bodyBytes
    },
    end: (): Measurement => {
      server.read('ended')
      const calls = timesMs.length
      return {
        calls,
        perSecond: 1000 / middleMean(timesMs),
        p50Ms: percentile(timesMs, 0.5),
        p99Ms: percentile(timesMs, 0.99),
        serverUs: server.each(calls),
        databaseUs: null,
        memoryMb: memoryMb(program.pid),
        headBytes,
        bodyBytes,
      }
    },
  }
}
