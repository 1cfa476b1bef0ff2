import { openConnection, requestBytes, type Wire } from './connection.ts'
import { difference, type Measurement, type Rounds } from './measure.ts'
import { memoryMb, processMeter } from './processor-time.ts'
import type { Program } from './program.ts'
import { middleMean, percentile } from './statistics.ts'

/**
 * Who is asked in turns with others. `next` gives the requests of a round, one for each caller. Each must be answered with
 * `status`.
 */
export type Side = { name: string; program: Program; callers: number; status: number; next(): Promise<Wire[]> }

export type Turns = { rounds: number; warmUp: number; measured: number }

/**
 * One request of each caller to each side, turn after turn: what disturbs the machine for longer than a turn meets all
 * sides alike, where windows of their own differ by more than is to be seen. A turn ends with its last answer. Rates are of
 * the middle of the turns. The processor time of a database cannot be told apart by sides.
 */
export async function inTurns({ rounds, warmUp, measured }: Turns, sides: Side[]): Promise<Rounds> {
  const seen: Rounds = new Map(sides.map(({ name }) => [name, []]))
  const opened = await Promise.all(sides.map(async (side) => ({ side, connections: await openConnections(side) })))
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
    for (const connection of opened.flatMap(({ connections }) => connections)) connection.end()
  }
  return seen
}

type Connection = Awaited<ReturnType<typeof openConnection>>

const openConnections = ({ callers, program }: Side): Promise<Connection[]> =>
  Promise.all(Array.from({ length: callers }, () => openConnection(program)))

async function prepare({ side, connections }: { side: Side; connections: Connection[] }) {
  const { name, program, callers, status } = side
  const requests = (await side.next()).map((wire) => ({
    wire,
    bytes: requestBytes(wire, `${program.host}:${program.port}`),
  }))
  const server = difference(processMeter(program.pid))
  let turnsMs: number[] = []
  let timesMs: number[] = []
  let [headBytes, bodyBytes] = [0, 0]
  const call = async (caller: number, startedAt: number) => {
    const { wire, bytes } = requests[caller] as (typeof requests)[number]
    const answer = await (connections[caller] as Connection).send(bytes)
    timesMs.push(performance.now() - startedAt)
    if (answer.status !== status)
      throw new Error(`${wire.method} ${wire.path} answered ${answer.status}, not ${status}.`)
    headBytes = answer.headBytes
    bodyBytes = answer.bodyBytes
  }
  return {
    name,
    begin: () => {
      turnsMs = []
      timesMs = []
      server.read('begun')
    },
    ask: async () => {
      const startedAt = performance.now()
      await Promise.all(requests.keys().map((caller) => call(caller, startedAt)))
      turnsMs.push(performance.now() - startedAt)
    },
    end: (): Measurement => {
      server.read('ended')
      const calls = timesMs.length
      return {
        calls,
        perSecond: (1000 * callers) / middleMean(turnsMs),
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
