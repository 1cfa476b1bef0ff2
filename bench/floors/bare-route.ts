// node bench/floors/bare-route.ts node|bare|whole: one route that answers a constant to the holder of a key. `node` is
// node:http; `bare` is the web framework with the answer's schema and nothing else; `whole` is our server around the same route: request ids,
// headers, both limits, access, negotiation, validation. No database in either: what differs is the cross-cutting part.
import { once } from 'node:events'
import { createServer as createPlainServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { pino } from 'pino'
import { tenantKey } from '../../src/http/access/access.ts'
import type { Authenticator } from '../../src/http/access/callers.ts'
import { ok } from '../../src/http/answer.ts'
import { memoryRateCounter } from '../../src/http/limits/rate-limit.ts'
import { loopWatch } from '../../src/http/loop-watch.ts'
import { route } from '../../src/http/route.ts'
import { createServer } from '../../src/http/server.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { metricsRegistry } from '../../src/kernel/metrics.ts'
import { Type } from '../../src/kernel/type.ts'
import { rootHandle } from '../../src/storage/root-handle.ts'
import { secrets } from '../ground/service.ts'

const path = '/constant'
const Constant = Type.Object({ status: Type.String({ examples: ['ok'] }) }, { additionalProperties: false })

const holder = {
  name: 'app',
  products: [],
  expiresAt: null,
  tenantId: '00000000-0000-7000-8000-000000000000',
  isTenantSuspended: false,
  requestsPerWindow: null,
}

/** Looking a key up is not cross-cutting work but the question of who asks; it is part of `validate`. */
const knowsEverybody: Authenticator = {
  noteWrongAdminKey: async () => undefined,
  adminKey: async () => null,
  apiKey: async (id) => ({ ...holder, id }),
  nodeToken: async () => null,
  browserSession: async () => null,
  enrollmentToken: async () => null,
  runnerToken: async () => null,
  runnerEnrollmentToken: async () => null,
  runnerRequestsPerSecond: 20,
  nodeRequestsPerSecond: 20,
  accessToken: async () => null,
  builtInTenant: () => Promise.reject(new Error('There is no tenant here.')),
}

const place = { host: '127.0.0.1', port: Number(process.env['PORT'] ?? 0) }
const [, , kind] = process.argv
console.log(`listens on ${await (kind === 'node' ? plain() : (kind === 'whole' ? whole() : bare()).listen(place))}`)
process.on('SIGTERM', () => process.exit(0))

async function plain(): Promise<string> {
  const body = JSON.stringify({ status: 'ok' })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }
  const server = createPlainServer((_request, reply) => reply.writeHead(200, headers).end(body)).listen(place)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function bare() {
  const app = Fastify()
  app.get(path, { schema: { response: { 200: Constant } } }, async () => ({ status: 'ok' }))
  return app
}

function whole() {
  const windowSeconds = 900
  const log = pino({ base: null })
  const metrics = metricsRegistry()
  const declared = route({
    method: 'GET',
    path,
    name: 'constant',
    tag: 'Bench',
    summary: 'Answer a constant',
    access: tenantKey(),
    answers: { 200: Constant },
    handle: async () => ok({ status: 'ok' }),
  })
  return createServer({
    routes: [declared],
    authenticator: knowsEverybody,
    handle: rootHandle({ connect: () => Promise.reject(new Error('There is no database here.')), log }),
    secrets,
    clock: systemClock,
    log,
    rateCounter: memoryRateCounter(windowSeconds),
    rateLimits: { requestsMax: 1_000_000_000, authFailuresMax: 1_000_000_000, windowSeconds },
    publicCache: { maxAgeSeconds: 0, cacheBytesMax: 1 },
    publicRevision: { current: () => 0 },
    trustedProxies: [],
    pageOrigins: [],
    door: { isInsecureAllowed: false },
    metrics,
    loop: loopWatch({ metrics, log }),
    requestLog: { slowMs: 1000, sampleOneOf: 100 },
  })
}
