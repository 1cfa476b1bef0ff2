import type { LanguageModel } from 'ai'
import type { Clock } from '../kernel/clock.ts'
import { once } from '../kernel/once.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { ModelFailure } from './model-failure.ts'
import { tenantCircuits } from './tenant-circuits.ts'

/** An endpoint that speaks OpenAI's chat completions. */
export type ModelSettings = {
  baseUrl: string
  apiKey: string | null
  model: string
  /** For a whole answer. */
  timeoutMs: number
  /** For one tenant, input and output together. */
  tokensPerDay: number
  /** For the transcript in one request. */
  inputTokensMax: number
}

export type ModelQuestion = {
  instructions: string
  prompt: string
  /** JSON Schema of the answer. The answer need not match it. */
  schema: object
  outputTokensMax: number
}

/** `tokens`: the usage that the endpoint reports, or null. */
export type ModelReply = { text: string; tokens: number | null }

export type ModelClient = {
  model: string
  /** Rejects only with ModelFailure. */
  ask(tenantId: string, question: ModelQuestion): Promise<ModelReply>
}

const answerBytesMax = 2 * 1024 * 1024

/** Loads the SDK, so an installation without a model never loads it. */
export function modelClient(settings: ModelSettings, clock: Clock): ModelClient {
  const circuits = tenantCircuits(clock)
  const sdk = once(() => openSdk(settings))
  // Loaded now, so that it takes no time from the deadline of the first question. That question fails if loading fails.
  sdk().catch(() => undefined)
  // Some endpoints reject requests with a JSON Schema; then only the prompt holds the schema.
  let takesSchema = true

  const attempt = async (question: ModelQuestion, signal: AbortSignal): Promise<ModelReply> => {
    const { generate, isBadRequest } = await sdk()
    try {
      return await generate(question, { signal, withSchema: takesSchema })
    } catch (error) {
      if (!takesSchema || !isBadRequest(error)) throw error
      const reply = await generate(question, { signal, withSchema: false })
      takesSchema = false
      return reply
    }
  }

  const ask = async (tenantId: string, question: ModelQuestion): Promise<ModelReply> => {
    if (!circuits.mayRequest(tenantId)) throw new ModelFailure('PAUSED')
    const signal = AbortSignal.timeout(settings.timeoutMs)
    try {
      // A race, because the signal stops a slow body only between two reads.
      const reply = await Promise.race([attempt(question, signal), rejectOnAbort(signal)])
      circuits.succeeded(tenantId)
      return reply
    } catch (error) {
      const failure = signal.aborted ? new ModelFailure('TIMEOUT') : await toModelFailure(error)
      circuits.failed(tenantId, failure.retryAfterSeconds)
      throw failure
    }
  }
  return { model: settings.model, ask }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

type Sdk = {
  generate(question: ModelQuestion, how: { signal: AbortSignal; withSchema: boolean }): Promise<ModelReply>
  isBadRequest(error: unknown): boolean
}

async function openSdk({ baseUrl, apiKey, model }: ModelSettings): Promise<Sdk> {
  const [{ createOpenAICompatible }, ai] = await Promise.all([import('@ai-sdk/openai-compatible'), import('ai')])
  // Otherwise it logs unsupported features of the endpoint to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const endpoint = createOpenAICompatible({
    name: 'endpoint',
    baseURL: baseUrl,
    ...(apiKey === null ? {} : { apiKey }),
    fetch: boundedFetch(answerBytesMax),
    supportsStructuredOutputs: true,
  })
  const chat: LanguageModel = endpoint(model)
  return {
    isBadRequest: (error) =>
      ai.APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422),
    generate: async ({ instructions, prompt, schema, outputTokensMax }, { signal, withSchema }) => {
      try {
        const { text, usage } = await ai.generateText({
          model: chat,
          instructions,
          prompt,
          maxOutputTokens: outputTokensMax,
          temperature: 0,
          // There is one deadline; the caller has a fallback.
          maxRetries: 0,
          abortSignal: signal,
          ...(withSchema ? { output: ai.Output.object({ schema: ai.jsonSchema(schema) }) } : {}),
        })
        return { text, tokens: usage.totalTokens ?? null }
      } catch (error) {
        // Not the requested JSON. The caller reads what it is instead.
        if (ai.NoObjectGeneratedError.isInstance(error) && error.text !== undefined)
          return { text: error.text, tokens: error.usage?.totalTokens ?? null }
        throw error
      }
    },
  }
}

const retryAfterSecondsDefault = 30

async function toModelFailure(error: unknown): Promise<ModelFailure> {
  const causes = causeChain(error)
  const known = causes.find((it) => it instanceof ModelFailure)
  if (known) return known
  // fetch throws a TypeError if the connection failed.
  if (causes.some((it) => it instanceof TypeError)) return new ModelFailure('UNREACHABLE')
  const { APICallError } = await import('ai')
  if (!APICallError.isInstance(error)) return new ModelFailure('INVALID_OUTPUT')
  const { statusCode, responseHeaders } = error
  if (statusCode === 429) {
    const seconds = Number(responseHeaders?.['retry-after'])
    return new ModelFailure('RATE_LIMITED', seconds > 0 ? seconds : retryAfterSecondsDefault)
  }
  if (statusCode === undefined || statusCode >= 500) return new ModelFailure('UNREACHABLE')
  return new ModelFailure(statusCode >= 400 ? 'REFUSED' : 'INVALID_OUTPUT')
}

/** The error and its causes: the SDK wraps the errors of fetch, more than once. */
function causeChain(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causeChain(error.cause)] : []
}
