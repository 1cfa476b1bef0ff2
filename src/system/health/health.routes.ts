import type { Static } from 'typebox'
import { open, openKnowingAdmins } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import { type CheckResult, cachedCheck, checkOnce } from './health.checks.ts'

const latencyMs = Type.Number({ description: 'Milliseconds the check took.', examples: [0.8] })
const Check = StrictObject({ status: StringEnum(['up', 'down']), latencyMs })
const RedisCheck = StrictObject({
  status: StringEnum(['up', 'down', 'unused'], {
    description:
      '`unused`: `REDIS_URL` is not set. The service needs no Redis to answer: while it is down, each node counts the rate limits for itself.',
  }),
  latencyMs,
})
const BlobsCheck = StrictObject({
  status: StringEnum(['up', 'down', 'apart'], {
    description:
      '`down`: uploads and downloads of files are answered with 503, everything else works. `apart`: another node of this database keeps uploaded files where this node does not see them, so they are a 404 here.',
  }),
  kind: StringEnum(['folder', 'bucket']),
  latencyMs,
})

const Health = Type.Object(
  {
    status: StringEnum(['ok', 'draining', 'unavailable'], {
      description:
        '`draining`: the process is about to stop. Send it no new requests. `unavailable`: the database is down. Redis and the files do not change the status.',
    }),
    version: Nullable(
      Type.String({ examples: ['0.1.0'] }),
      'Only for administrators (`X-Admin-Key`): it says which known faults this installation may have. Null for everybody else.',
    ),
    uptimeSeconds: Type.Integer({ examples: [3600] }),
    checks: StrictObject({ database: Check, redis: RedisCheck, blobs: BlobsCheck }),
  },
  { title: 'Health' },
)

type Health = Static<typeof Health>

const Alive = StrictObject({ status: StringEnum(['ok']) })

export type HealthDeps = {
  version: string
  /** The duration of a trivial query in milliseconds; rejects if the database does not answer in time. */
  pingDatabase(timeoutMs: number): Promise<number>
  /** Null without a Redis. */
  redis: { ping(): Promise<unknown> } | null
  blobs: Pick<Blobs, 'place' | 'ping'>
  areFilesApart(): boolean
  isDraining(): boolean
}

export function healthRoutes(deps: HealthDeps): Route[] {
  const { version } = deps
  const examineParts = partsExaminer(deps)
  const health = route({
    method: 'GET',
    path: '/health',
    name: 'health',
    tag: 'Utility',
    summary: 'Check the service and its dependencies',
    access: openKnowingAdmins('for balancers and monitors'),
    limit: 'none',
    answers: { 200: Health, 503: Health },
    handle: async ({ admin }) => {
      const [{ status, database }, parts] = await Promise.all([examine(deps), examineParts()])
      const uptimeSeconds = Math.floor(process.uptime())
      const body: Health = {
        status,
        version: admin === null ? null : version,
        uptimeSeconds,
        checks: { database, ...parts },
      }
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

type State = Pick<Health, 'status'> & { database: CheckResult }

async function examine({ pingDatabase, isDraining }: HealthDeps): Promise<State> {
  const database = await checkOnce(pingDatabase)
  const status = database.status === 'down' ? 'unavailable' : isDraining() ? 'draining' : 'ok'
  return { status, database }
}

/** What the service can do without. */
function partsExaminer({ redis, blobs, areFilesApart }: HealthDeps) {
  const checkRedis = redis === null ? null : cachedCheck(() => redis.ping())
  const checkBlobs = cachedCheck(() => blobs.ping())
  return async (): Promise<Pick<Health['checks'], 'redis' | 'blobs'>> => {
    const [redisResult, { status, latencyMs }] = await Promise.all([checkRedis?.(), checkBlobs()])
    return {
      redis: redisResult ?? { status: 'unused', latencyMs: 0 },
      blobs: { status: status === 'up' && areFilesApart() ? 'apart' : status, kind: blobs.place.kind, latencyMs },
    }
  }
}

/** The state without its details, for the page at `/`. */
export async function serviceState(deps: HealthDeps): Promise<Health['status']> {
  return (await examine(deps)).status
}
