import type { Clock } from '../kernel/clock.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { ModelFailure } from './model-failure.ts'
import { tenantCircuits } from './tenant-circuits.ts'

/** An endpoint that speaks OpenAI's embeddings. */
export type EmbeddingSettings = { baseUrl: string; apiKey: string | null; model: string }

export type EmbeddingClient = {
  model: string
  /** One vector for each text, in their order, all of the same length. Rejects only with ModelFailure. */
  embed(tenantId: string, texts: readonly string[], options: { timeoutMs: number }): Promise<number[][]>
}

/** Sixteen vectors of 4,096 numbers, written with all their digits. */
const answerBytesMax = 4 * 1024 * 1024
const numbersMin = 8
const numbersMax = 4096
const retryAfterSecondsDefault = 30

export function embeddingClient({ baseUrl, apiKey, model }: EmbeddingSettings, clock: Clock): EmbeddingClient {
  const circuits = tenantCircuits(clock)
  const send = boundedFetch(answerBytesMax)
  const url = `${baseUrl.replace(/\/$/, '')}/embeddings`
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  }

  async function request(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    const body = JSON.stringify({ model, input: texts, encoding_format: 'float' })
    const reply = await send(url, { method: 'POST', headers, body, signal })
    if (!reply.ok) {
      await reply.body?.cancel()
      throw refusal(reply)
    }
    return readVectors(await reply.text(), texts.length)
  }

  return {
    model,
    embed: async (tenantId, texts, { timeoutMs }) => {
      if (!circuits.mayRequest(tenantId)) throw new ModelFailure('PAUSED')
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const vectors = await request(texts, signal)
        circuits.succeeded(tenantId)
        return vectors
      } catch (error) {
        const failure = signal.aborted ? new ModelFailure('TIMEOUT') : toModelFailure(error)
        circuits.failed(tenantId, failure.retryAfterSeconds)
        throw failure
      }
    },
  }
}

function refusal({ status, headers }: Response): ModelFailure {
  if (status >= 500) return new ModelFailure('UNREACHABLE')
  if (status !== 429) return new ModelFailure('REFUSED')
  const seconds = Number(headers.get('retry-after'))
  return new ModelFailure('RATE_LIMITED', seconds > 0 ? seconds : retryAfterSecondsDefault)
}

function toModelFailure(error: unknown): ModelFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof ModelFailure) return cause
  // fetch throws a TypeError if the connection failed.
  return new ModelFailure(error instanceof TypeError ? 'UNREACHABLE' : 'INVALID_OUTPUT')
}

type Answer = { data?: { index?: unknown; embedding?: unknown }[] }

/** Refuses whatever is not one vector for each text. */
function readVectors(text: string, count: number): number[][] {
  const { data } = JSON.parse(text) as Answer
  if (!Array.isArray(data) || data.length !== count) throw new ModelFailure('INVALID_OUTPUT')
  const vectors = new Array<number[]>(count)
  for (const [place, item] of data.entries()) {
    const index = item?.index ?? place
    if (typeof index !== 'number' || !isVector(item?.embedding)) throw new ModelFailure('INVALID_OUTPUT')
    vectors[index] = item.embedding
  }
  const { length } = vectors[0] ?? []
  const isWhole = vectors.length === count && !vectors.includes(undefined as never)
  if (!isWhole || vectors.some((it) => it.length !== length)) throw new ModelFailure('INVALID_OUTPUT')
  return vectors
}

function isVector(value: unknown): value is number[] {
  if (!Array.isArray(value) || value.length < numbersMin || value.length > numbersMax) return false
  return value.every((it) => Number.isFinite(it)) && value.some((it) => it !== 0)
}
