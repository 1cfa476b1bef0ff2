import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { changes } from './changes.ts'

export type StormOptions = {
  /** The nodes. Each client takes the next one after a break. */
  bases: string[]
  token: string
  meetingId: string
  clients: number
  /** How often each client loses its connection and returns with `afterSeq`. */
  breaks: number
  /** Appends some entries while connections break. Returns the last `seq`. */
  append(): Promise<number>
}

/** `missing`: entries that never arrived. `unordered`: frames whose `seq` was not greater than the one before. */
export type StormResult = { clients: number; entries: number; connections: number; missing: number; unordered: number }

// By then some of the appended entries have arrived and others are on the way.
const pauseMs = 60

type Follower = { seqs: number[]; connections: number; socket: WebSocket | null }

/** Clients follow one meeting from its start while it continues, and lose their connections again and again. */
export async function liveStorm({
  bases,
  token,
  meetingId,
  clients,
  breaks,
  append,
}: StormOptions): Promise<StormResult> {
  const followers: Follower[] = Array.from({ length: clients }, () => ({ seqs: [], connections: 0, socket: null }))
  const { changed, until } = changes()
  let lastSeq = Number.POSITIVE_INFINITY
  const hasAll = ({ seqs }: Follower) => (seqs.at(-1) ?? 0) >= lastSeq

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
        changed()
        socket.send(JSON.stringify({ type: 'join', meetingId, afterSeq: follower.seqs.at(-1) ?? 0 }))
      })
      socket.on('message', (data) => {
        const { type, seq } = JSON.parse(String(data))
        if (socket !== follower.socket || type !== 'transcript.entry') return
        follower.seqs.push(seq)
        if (hasAll(follower)) socket.close()
      })
    })

  const keepFollowing = async (follower: Follower, index: number): Promise<void> => {
    while (!hasAll(follower)) {
      await follow(follower, index)
      if (!hasAll(follower)) await delay(20 + (index % 50))
    }
  }
  const allConnected = async (connections: number): Promise<void> => {
    await until(() => followers.every((follower) => follower.connections >= connections))
  }
  /** Cuts all connections without closing them. Frames on the way are lost, as on a broken line. */
  const cutAll = (): void => {
    for (const follower of followers) {
      const cut = follower.socket
      follower.socket = null
      cut?.terminate()
    }
  }
  const following = Promise.all(followers.map(keepFollowing))
  let end = 0
  for (let round = 0; round <= breaks; round++) {
    await allConnected(round + 1)
    const appending = append()
    if (round < breaks) await delay(pauseMs).then(cutAll)
    end = await appending
  }
  lastSeq = end
  // Clients that already have everything receive no frame that would end them.
  for (const follower of followers) if (hasAll(follower)) follower.socket?.close()
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
