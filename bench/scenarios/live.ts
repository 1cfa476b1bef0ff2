import { once } from 'node:events'
import { WebSocket } from 'ws'
import { ask } from '../ground/ask.ts'
import { loginOwner, type Meeting, openMeeting } from '../ground/meetings.ts'
import { startService } from '../ground/service.ts'
import type { Figure } from '../outcome.ts'
import { grounds, type Scenario } from '../plan.ts'
import type { Program } from '../program.ts'
import { median, percentile } from '../statistics.ts'

const clients = 1_000
const appends = 20

type Round = { p50Ms: number; p99Ms: number; lastMs: number; ackMs: number }

/** All clients run in this process, so their reading time is part of the figures. */
export const live: Scenario = {
  name: 'live',
  about: `${clients} WebSocket clients on one meeting, ${appends} entries one after another: from the request that appends to each client's reading of the entry.`,
  run: async (plan) => {
    const figures: Figure[] = []
    for (const { kind, title } of grounds) {
      const seeded = await plan.seeded(kind, plan.sizes.few)
      const program = await startService(seeded.ground)
      try {
        const meeting = await openMeeting(program, await loginOwner(program, seeded))
        const { sockets, received } = await follow(program, meeting)
        await measure(program, { meeting, received })
        const rounds: Round[] = []
        for (let round = 0; round < plan.rounds; round++) rounds.push(await measure(program, { meeting, received }))
        for (const socket of sockets) socket.terminate()
        figures.push(...toFigures(title, rounds))
      } finally {
        await program.stop()
      }
    }
    return { rows: [], figures }
  },
}

/** Connects all clients. `received` holds the times at which they read the entry of the current append. */
async function follow({ base }: Program, { id, headers }: Meeting) {
  const received: number[] = []
  const sockets: WebSocket[] = []
  for (let client = 0; client < clients; client++) {
    const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/assistant/v1/ws`, ['assistant.v1'], { headers })
    await once(socket, 'open')
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data)) as { type: string }
      if (type === 'transcript.entry') received.push(performance.now())
      else if (type === 'joined') resolve()
    })
    socket.send(JSON.stringify({ type: 'join', meetingId: id }))
    await promise
    sockets.push(socket)
  }
  return { sockets, received }
}

async function measure(
  program: Program,
  { meeting, received }: { meeting: Meeting; received: number[] },
): Promise<Round> {
  const times: number[] = []
  const lasts: number[] = []
  const acks: number[] = []
  for (let append = 0; append < appends; append++) {
    received.length = 0
    const startedMs = performance.now()
    const entries = [{ speaker: 'Ada', text: 'I will send the figures by Friday.', timestamp: '00:00:01' }]
    await ask(program, { path: meeting.path, headers: meeting.headers, body: { entries } })
    acks.push(performance.now() - startedMs)
    while (received.length < clients) await new Promise((resolve) => setTimeout(resolve, 1))
    const delays = received.map((moment) => moment - startedMs)
    times.push(...delays)
    lasts.push(Math.max(...delays))
  }
  const [p50Ms, p99Ms] = [percentile(times, 0.5), percentile(times, 0.99)]
  return { p50Ms, p99Ms, lastMs: median(lasts), ackMs: median(acks) }
}

function toFigures(title: string, rounds: Round[]): Figure[] {
  const figure = (what: string, read: (round: Round) => number): Figure => {
    const values = rounds.map(read)
    return { what: `${title}: ${what}`, value: median(values), unit: 'ms', rounds: values, limit: null }
  }
  return [
    figure('append answered', ({ ackMs }) => ackMs),
    figure('heard, p50 of all clients', ({ p50Ms }) => p50Ms),
    figure('heard, p99', ({ p99Ms }) => p99Ms),
    figure('heard by the last client', ({ lastMs }) => lastMs),
  ]
}
