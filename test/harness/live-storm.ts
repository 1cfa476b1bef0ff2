import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

export type StormOptions = {
  /** Where clients connect, by turns and anew after each break. */
  bases: string[]
  token: string
  meetingId: string
  clients: number
  /** How often each client breaks its connection in the middle and comes back with `afterSeq`. */
  breaks: number
  /** Appends some entries, while connections break; gives the last `seq`. */
  append(): Promise<number>
}

/** `missing`: of the entries that had to come; `twice` and `unordered`: frames whose seq was not greater than the one before. */
export type StormSeen = { clients: number; entries: number; connections: number; missing: number; unordered: number }

// Some of what is appended has arrived by then, some is on the way.
const pauseMs = 60

type Follower = { seqs: number[]; connections: number; socket: WebSocket | null }

/** Clients that follow one meeting from its start while it goes on, and lose their connections over and over. */
export async function liveStorm({
  bases,
  token,
  meetingId,
  clients,
  breaks,
  append,
}: StormOptions): Promise<StormSeen> {
  const followers: Follower[] = Array.from({ length: clients }, () => ({ seqs: [], connections: 0, socket: null }))
  let lastSeq = Number.POSITIVE_INFINITY
  const isOver = ({ seqs }: Follower) => (seqs.at(-1) ?? 0) >= lastSeq

  const follow = (follower: Follower, index: number): Promise<void> =>
    new Promise((resolve) => {
      const base = bases[(index + follower.connections) % bases.length] as string
      const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/assistant/v1/ws`, ['assistant.v1'], {
        headers: { authorization: `Bearer ${token}` },
        perMessageDeflate: false,
      })
      follower.socket = socket
      socket.on('error', () => undefined)
      socket.on('close', () => resolve())
      socket.on('open', () => {
        follower.connections += 1
        socket.send(JSON.stringify({ type: 'join', meetingId, afterSeq: follower.seqs.at(-1) ?? 0 }))
      })
      socket.on('message', (data) => {
        const { type, seq } = JSON.parse(String(data))
        if (socket !== follower.socket || type !== 'transcript.entry') return
        follower.seqs.push(seq)
        if (isOver(follower)) socket.close()
      })
    })

  const stay = async (follower: Follower, index: number): Promise<void> => {
    while (!isOver(follower)) {
      await follow(follower, index)
      if (!isOver(follower)) await delay(20 + (index % 50))
    }
  }
  const everybodyIsThere = async (connections: number): Promise<void> => {
    while (followers.some((follower) => follower.connections < connections)) await delay(10)
  }
  /** Cuts all connections without a goodbye; what was on the way is lost, as on a broken line. */
  const cutAll = (): void => {
    for (const follower of followers) {
      const cut = follower.socket
      follower.socket = null
      cut?.terminate()
    }
  }
  const following = Promise.all(followers.map(stay))
  let end = 0
  for (let round = 0; round <= breaks; round++) {
    await everybodyIsThere(round + 1)
    const appending = append()
    if (round < breaks) await delay(pauseMs).then(cutAll)
    end = await appending
  }
  lastSeq = end
  // Those who have everything already hear nothing more that would tell them.
  for (const follower of followers) if (isOver(follower)) follower.socket?.close()
  await following
  return {
    clients,
    entries: lastSeq,
    connections: followers.reduce((sum, { connections }) => sum + connections, 0),
    missing: followers.reduce((sum, { seqs }) => sum + (lastSeq - new Set(seqs).size), 0),
    unordered: followers.reduce(
      (sum, { seqs }) => sum + seqs.filter((seq, at) => at > 0 && seq <= (seqs[at - 1] as number)).length,
      0,
    ),
  }
}
