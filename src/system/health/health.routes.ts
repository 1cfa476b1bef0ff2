import type { Static } from 'typebox'
import { open } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

const Check = StrictObject({
  status: StringEnum(['up', 'down']),
  latencyMs: Type.Number({ description: 'Milliseconds the check took.', examples: [0.8] }),
})

const Health = Type.Object(
  {
    status: StringEnum(['ok', 'draining', 'unavailable'], {
      description: '`draining`: the process is about to stop. Send it no new requests.',
    }),
    version: Type.String({ examples: ['0.1.0'] }),
    uptimeSeconds: Type.Integer({ examples: [3600] }),
    checks: StrictObject({ database: Check }),
  },
  { title: 'Health' },
)

const Alive = StrictObject({ status: StringEnum(['ok']) })

export type HealthDeps = {
  version: string
  /** The duration of a trivial query in milliseconds; rejects if the database does not answer in time. */
  pingDatabase(timeoutMs: number): Promise<number>
  isDraining(): boolean
}

// Answer before a load balancer's probe times out, after a few seconds.
const pingTimeoutMs = 2000

export function healthRoutes(deps: HealthDeps): Route[] {
  const health = route({
    method: 'GET',
    path: '/health',
    name: 'health',
    tag: 'Utility',
    summary: 'Check the service and its dependencies',
    access: open('for balancers and monitors'),
    limit: 'none',
    answers: { 200: Health, 503: Health },
    handle: async () => {
      const body = await examine(deps)
      return body.status === 'ok' ? ok(body) : { status: 503 as const, body, headers: { 'retry-after': '2' } }
    },
  })
  const live = route({
    method: 'GET',
    path: '/health/live',
    name: 'healthLive',
    tag: 'Utility',
    summary: 'Check that the process runs',
    access: open('for supervisors'),
    limit: 'none',
    answers: { 200: Alive },
    handle: async () => ok({ status: 'ok' as const }),
  })
  return [health, live]
}

async function examine({ version, pingDatabase, isDraining }: HealthDeps): Promise<Static<typeof Health>> {
  const database = await pingDatabase(pingTimeoutMs).then(
    (latencyMs) => ({ status: 'up' as const, latencyMs: Math.round(latencyMs * 100) / 100 }),
    () => ({ status: 'down' as const, latencyMs: pingTimeoutMs }),
  )
  const status = database.status === 'down' ? 'unavailable' : isDraining() ? 'draining' : 'ok'
  return { status, version, uptimeSeconds: Math.floor(process.uptime()), checks: { database } }
}

/** The state without its details, for the page at `/`. */
export async function serviceState(deps: HealthDeps): Promise<Static<typeof Health>['status']> {
  return (await examine(deps)).status
}
