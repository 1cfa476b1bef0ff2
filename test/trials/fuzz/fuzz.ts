import { randomBytes, randomInt } from 'node:crypto'
import { type ApiOperation, apiOperations } from '../../harness/api-operations.ts'
import { type Answer, ask } from '../../harness/client.ts'
import { makeCustomer } from '../../harness/customer.ts'
import { startPostgresServer } from '../../harness/postgres-server.ts'
import { seededRandom } from '../../harness/seeded-random.ts'
import { startService, temporaryFolder } from '../../harness/service.ts'
import { honestRequest, type Probe, startProbe } from '../attacks/probe.ts'
import type { Row } from '../row.ts'
import { type Ground, knownIds, makeGround } from './ground.ts'
import { type HostileRequest, hostileRequest, validRequest } from './hostile-request.ts'

const senders = 3
/** After so many, the credentials are looked at and what was seen is noted. */
const batchSize = 30
const liveMsMax = 200
const isSafe = ({ path, method }: ApiOperation) =>
  !/logout|auth\/password$|auth\/sessions/.test(path) && !(method === 'DELETE' && path.endsWith('/me'))

/**
 * Random requests over all operations of the OpenAPI document, with bodies up to the limits of the routes that are made to
 * be expensive. A round is a request.
 * @param seed repeats the same choices; what the service answers also decides.
 */
export async function fuzz(rounds: number, seed?: string): Promise<Row[]> {
  const server = await startPostgresServer()
  const chosen = seed === undefined ? randomInt(2 ** 31) : Number(seed)
  try {
    return [
      await fuzzOn('PostgreSQL', { DATABASE_URL: server.url }, { rounds: Math.ceil(rounds / 2), seed: chosen }),
      await fuzzOn('embedded', {}, { rounds: Math.floor(rounds / 2), seed: chosen + 1 }),
    ]
  } finally {
    await server.stop()
  }
}

type Plan = { rounds: number; seed: number }
type Sent = { request: HostileRequest; answer: Answer; fault: string | null }

async function fuzzOn(database: string, environment: Record<string, string>, { rounds, seed }: Plan): Promise<Row> {
  const adminKey = `atradmin_${randomBytes(32).toString('hex')}`
  const admin = { 'x-admin-key': adminKey }
  const limits = { RATE_LIMIT_MAX: '1000000000', RATE_LIMIT_AUTH_FAILURES: '1000000000' }
  const settings = { ADMIN_KEY: adminKey, LOG_LEVEL: 'error', DATA_DIR: await temporaryFolder(), ...limits }
  const service = await startService({ ...settings, ...environment })
  const { base } = service
  const probe = startProbe({ base, honest: honestRequest(await makeCustomer({ base, admin })) })
  try {
    const document = (await ask({ url: `${base}/openapi.json` })).body
    const operations = apiOperations(document).filter(isSafe)
    const sending = await sendAll({ base, admin, operations, probe }, { rounds, seed })
    return tableRow(database, seed, sending)
  } finally {
    await probe.stop()
    await service.stop('SIGKILL')
    for (const line of service
      .output()
      .split('\n')
      .filter((each) => each.includes('"error"'))
      .slice(0, 10))
      console.log(line.slice(0, 1000))
  }
}

type Target = { base: string; admin: Record<string, string>; operations: ApiOperation[]; probe: Probe }
type Seen = {
  statuses: Record<number, number>
  faults: string[]
  firstMs: number
  liveMs: number
  batchesAbove: number
}

async function sendAll({ base, admin, operations, probe }: Target, { rounds, seed }: Plan): Promise<Seen> {
  const random = seededRandom(seed)
  const ids = knownIds()
  const bytesMax = new Map<ApiOperation, number>()
  const seen: Seen = { statuses: {}, faults: [], firstMs: 0, liveMs: 0, batchesAbove: 0 }
  let ground: Ground = await makeGround({ base, admin })

  const send = async (request: HostileRequest): Promise<Sent> => {
    const { operation, url, headers, bytes } = request
    const what = { url: base + url, method: operation.method, headers, timeoutMs: 60_000 }
    const answer = await ask(bytes === undefined ? what : { ...what, bytes })
    ids.learn(answer.body, ground.protectedIds)
    const fault = faultOf(request, answer)
    if (bytes !== undefined && (answer.status === 413 || isCutOff(request, answer)))
      bytesMax.set(operation, Math.min(bytesMax.get(operation) ?? bytes.length, bytes.length * 0.8))
    seen.statuses[answer.status] = (seen.statuses[answer.status] ?? 0) + 1
    // Without its body, of which there may be many.
    return { request, answer: { ...answer, body: null }, fault }
  }
  const choices = (operation: ApiOperation) => ({
    random,
    bytesMax: bytesMax.get(operation) ?? Number.POSITIVE_INFINITY,
    pickId: (param?: string) => ids.pick(random, param),
    ...ground,
  })
  const renewGround = async () => {
    if (!(await ground.isAlive())) ground = await makeGround({ base, admin })
  }

  await probe.report()
  for (const operation of [...operations, ...operations].filter(({ method }) => method !== 'DELETE')) {
    const sent = await send(validRequest(operation, choices(operation)))
    if (sent.fault !== null) note(seen, sent.fault)
    if (random.below(batchSize) === 0) await renewGround()
  }
  seen.firstMs = (await probe.report()).liveMs

  for (let done = 0; done < rounds; done += batchSize) {
    const batch: Sent[] = []
    let left = batchSize
    const sender = async () => {
      while (left-- > 0) {
        const operation = random.oneOf(operations)
        batch.push(await send(hostileRequest(operation, choices(operation))))
      }
    }
    await renewGround()
    await Promise.all(Array.from({ length: senders }, sender))
    const { liveMs } = await probe.report()
    for (const { fault } of batch) if (fault !== null) note(seen, fault)
    seen.liveMs = Math.max(seen.liveMs, liveMs)
    if (liveMs <= liveMsMax) continue
    seen.batchesAbove++
    const slowest = batch.toSorted((a, b) => b.answer.tookMs - a.answer.tookMs).slice(0, senders)
    console.log(`${Math.round(liveMs)} ms silent, slowest: ${slowest.map(describe).join('; ')}`)
  }
  return seen
}

/** Null for a good answer. What this installation is not set up for is told with 503, too. */
function faultOf(request: HostileRequest, answer: Answer): string | null {
  const { status, body } = answer
  const isFault = (status === 0 && !isCutOff(request, answer)) || (status >= 500 && body?.code !== 'NOT_CONFIGURED')
  return isFault ? `${describe({ request, answer })} ${JSON.stringify(body)}` : null
}

/** A body that is too large is not read to its end. Who goes on sending may not see the answer. */
function isCutOff({ bytes }: HostileRequest, answer: Answer): boolean {
  const isLarge = (bytes?.length ?? 0) > 200 * 1024
  return answer.status === 0 && isLarge && /ECONNRESET|EPIPE/.test(String(answer.body))
}

function note({ faults }: Seen, fault: string): void {
  faults.push(fault)
  if (faults.length <= 50) console.log(fault)
}

function describe({ request, answer }: Pick<Sent, 'request' | 'answer'>): string {
  const { operation, url, what } = request
  return `${operation.method} ${url.slice(0, 120)} (${what}): ${answer.status}, ${Math.round(answer.tookMs)} ms`
}

function tableRow(database: string, seed: number, { statuses, faults, firstMs, liveMs, batchesAbove }: Seen): Row {
  const count = (from: number) =>
    Object.entries(statuses).reduce((sum, [status, times]) => {
      const isInRange = Number(status) >= from && Number(status) < from + 100
      return isInRange ? sum + times : sum
    }, 0)
  const broken = [faults.length > 0 && '5xx or no answer', batchesAbove > 0 && 'silent']
  return {
    database,
    seed,
    '2xx': count(200),
    '3xx': count(300),
    '4xx': count(400),
    '5xx or none': faults.length,
    'live ms, first use': Math.round(firstMs),
    'live ms, longest': Math.round(liveMs),
    'batches above 200 ms': batchesAbove,
    broken: broken.filter(Boolean).join(', '),
  }
}
