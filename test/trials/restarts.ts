import { setTimeout as delay } from 'node:timers/promises'
import { startBalancer } from '../harness/balancer.ts'
import { ask, countStatuses, load, slowestMs } from '../harness/client.ts'
import { type ClusterNode, startCluster } from '../harness/cluster.ts'
import { makeCustomer } from '../harness/customer.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import type { Row } from './row.ts'

const recoveryMsMax = 5_000

/** PostgreSQL is ended at once and started again under 100 clients of one process. */
export async function databaseRestarts(rounds: number): Promise<Row[]> {
  const server = await startPostgresServer()
  const cluster = await startCluster({ nodes: 1, databaseUrl: server.url, environment: { LOG_LEVEL: 'silent' } })
  const { base } = cluster.nodes[0] as ClusterNode
  const customer = await makeCustomer({ base, admin: cluster.admin, requestsPerWindow: 1_000_000_000 })
  const callers = load(100, async (caller) => {
    const answer = await (caller % 2 === 0 ? customer.validate(base) : customer.consume(base))
    if (answer.status === 503) await delay(100) // far less than Retry-After asks for, yet no busy loop
    return answer
  })
  const recoveriesMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    await delay(500)
    await server.crash()
    await delay(500)
    await server.start()
    const startedAt = performance.now()
    while ((await ask({ url: `${base}/health` })).status !== 200 || (await customer.consume(base)).status !== 200) {
      await delay(20)
    }
    recoveriesMs.push(Math.round(performance.now() - startedAt))
  }
  const answers = await callers.stop()
  await cluster.stop()
  await server.stop()
  const statuses = countStatuses(answers)
  const others = Object.keys(statuses).filter((status) => status !== '200' && status !== '503')
  const slowestRecoveryMs = Math.max(...recoveriesMs)
  const broken = [others.length > 0 && `status ${others}`, slowestRecoveryMs > recoveryMsMax && 'slow recovery']
  return [
    {
      restarts: rounds,
      'answered 200': statuses[200] ?? 0,
      'answered 503': statuses[503] ?? 0,
      'answered otherwise': answers.length - (statuses[200] ?? 0) - (statuses[503] ?? 0),
      'slowest answer ms': slowestMs(answers),
      'recovery ms, median': recoveriesMs.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0,
      'recovery ms, slowest': slowestRecoveryMs,
      broken: broken.filter(Boolean).join(', '),
    },
  ]
}

/** Three nodes behind a balancer, restarted in turn; a round is one restart. */
export async function rollingRestarts(rounds: number): Promise<Row[]> {
  const server = await startPostgresServer()
  const redis = await startRedisServer()
  const environment = { REDIS_URL: redis.url, DRAIN_SECONDS: '1' }
  const cluster = await startCluster({ nodes: 3, databaseUrl: server.url, environment })
  const balancer = await startBalancer(cluster.nodes)
  const { base } = balancer
  const customer = await makeCustomer({ base, admin: cluster.admin, requestsPerWindow: 1_000_000_000 })
  const callers = load(50, (caller) => (caller % 3 === 0 ? customer.consume(base) : customer.validate(base)))
  const warnings = new Set<string>()
  let unclean = 0
  for (let round = 0; round < rounds; round++) {
    const node = cluster.nodes[round % 3] as ClusterNode
    if ((await node.stop('SIGTERM')) !== 0) unclean++
    for (const [, message = ''] of node.output().matchAll(/"message":"([^"]+)"/g)) warnings.add(message)
    await node.start()
    await delay(500)
  }
  const answers = await callers.stop()
  const statuses = countStatuses(answers)
  await balancer.close()
  await cluster.stop()
  await redis.kill()
  await server.stop()
  const failures = answers.filter(({ status }) => status !== 200)
  const failed = failures.length
  return [
    {
      restarts: rounds,
      requests: answers.length,
      failed,
      statuses: JSON.stringify(statuses),
      'how they failed': [...new Set(failures.map(({ status, body }) => body?.code ?? `${status} ${body}`))].join('; '),
      warnings: [...warnings].join('; '),
      'sent to a second node': balancer.retries(),
      'slowest ms': slowestMs(answers),
      'unclean stops': unclean,
      broken: [failed > 0 && 'failed', unclean > 0 && 'unclean'].filter(Boolean).join(', '),
    },
  ]
}
