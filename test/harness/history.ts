import { setTimeout as delay } from 'node:timers/promises'
import { ask } from './client.ts'
import type { Cluster, ClusterNode } from './cluster.ts'
import { makeCustomer } from './customer.ts'

export type History = {
  /** Callers that were told they had a use. */
  acknowledged: number
  /** Callers that were told there is none left. */
  refused: number
  /** Requests of which nobody can say whether they took a use: no answer, or one that says "try again". */
  unknown: number
  /** What the database holds in the end: the license's own count, and its uses counted one by one. */
  used: number
  listed: number
  kills: number
  tookMs: number
}

export type HistoryOptions = {
  cluster: Cluster
  uses: number
  callers: number
  /** With an `Idempotency-Key` a caller that got no answer asks the same again; without, its next try is a new one. */
  hasKeys: boolean
}

/** Many callers ask for few uses, each until it is told yes or no, while each second a node is killed and started again. */
export async function consumeUnderKills({ cluster, uses, callers, hasKeys }: HistoryOptions): Promise<History> {
  const { nodes, admin } = cluster
  const base = (nodes[0] as ClusterNode).base
  const customer = await makeCustomer({ base, admin, maxUses: uses })
  const seen = { acknowledged: 0, refused: 0, unknown: 0 }
  const startedAt = performance.now()
  const killing = killInTurn(nodes)
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let attempt = 0; ; attempt++) {
        const node = nodes[(caller + attempt) % nodes.length] as ClusterNode
        const { status, body } = await customer.consume(node.base, hasKeys ? `caller-${caller}` : undefined)
        if (status === 200) return void seen[body.valid ? 'acknowledged' : 'refused']++
        if (status !== 409 && status !== 503 && status !== 0) throw new Error(`${status} ${JSON.stringify(body)}`)
        seen.unknown++
        await delay(100 + Math.random() * 300)
      }
    }),
  )
  const kills = await killing.stop()
  const tookMs = Math.round(performance.now() - startedAt)
  const url = `${(nodes[0] as ClusterNode).base}/vault/v1/licenses/${customer.licenseKey}`
  const license = await ask({ url, headers: admin })
  const list = await ask({ url: `${url}/uses?limit=1`, headers: admin })
  return { ...seen, used: license.body.license.usesCount, listed: list.body.pagination.total, kills, tookMs }
}

/** Each second the next node dies without a farewell and is started again. */
function killInTurn(nodes: ClusterNode[]): { stop(): Promise<number> } {
  const stopping = new AbortController()
  const work = (async () => {
    for (let kills = 0; ; kills++) {
      await delay(kills === 0 ? 300 : 1_000, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return kills
      const node = nodes[kills % nodes.length] as ClusterNode
      await node.stop('SIGKILL')
      await node.start()
    }
  })()
  return {
    stop: () => {
      stopping.abort()
      return work
    },
  }
}
