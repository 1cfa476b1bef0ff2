import type { LanguageModel } from 'ai'
import type { Clock } from '../kernel/clock.ts'
import { once } from '../kernel/once.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import { ModelFailure } from './model-failure.ts'

/** An endpoint that speaks OpenAI's chat completions. */
export type ModelSettings = {
  baseUrl: string
  apiKey: string | null
  model: string
  /** Of a whole answer, whatever the endpoint does meanwhile. */
  timeoutMs: number
  /** Of one tenant, in and out. */
  tokensPerDay: number
  /** Of a transcript in one request. */
  inputTokensMax: number
}

export type ModelQuestion = {
  instructions: string
  prompt: string
  /** JSON Schema of the answer. What comes need not obey it. */
  schema: object
  outputTokensMax: number
}

/** `tokens`: what the endpoint says it used; null where it does not say. */
export type ModelReply = { text: string; tokens: number | null }

export type ModelClient = {
  model: string
  /** Rejects with ModelFailure and nothing else. */
  ask(question: ModelQuestion): Promise<ModelReply>
}

const answerBytesMax = 2 * 1024 * 1024

/** Loads the SDK, which an installation without a model never does. */
export function modelClient(settings: ModelSettings, clock: Clock): ModelClient {
  const circuit = circuitBreaker(clock)
  const sdk = once(() => openSdk(settings))
  // Begun now, so that loading it takes nothing from the deadline of the first question; that one is told if it fails.
  sdk().catch(() => undefined)
  // Some endpoints know no JSON Schema and refuse a request with one; the schema then stands in the prompt alone.
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

  const ask = async (question: ModelQuestion): Promise<ModelReply> => {
    if (!circuit.mayAsk()) throw new ModelFailure('PAUSED')
    const signal = AbortSignal.timeout(settings.timeoutMs)
    try {
      // Raced, because a body that drips is given up only between two reads.
      const reply = await Promise.race([attempt(question, signal), rejectionOf(signal)])
      circuit.succeeded()
      return reply
    } catch (error) {
      const failure = signal.aborted ? new ModelFailure('TIMEOUT') : await failureOf(error)
      circuit.failed(failure.retryAfterSeconds)
      throw failure
    }
  }
  return { model: settings.model, ask }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

type Sdk = {
  generate(question: ModelQuestion, how: { signal: AbortSignal; withSchema: boolean }): Promise<ModelReply>
  isBadRequest(error: unknown): boolean
}

async function openSdk({ baseUrl, apiKey, model }: ModelSettings): Promise<Sdk> {
  const [{ createOpenAICompatible }, ai] = await Promise.all([import('@ai-sdk/openai-compatible'), import('ai')])
  // It would write what an endpoint cannot do to the console.
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
          // A deadline is all the patience there is; whoever asks falls back.
          maxRetries: 0,
          abortSignal: signal,
          ...(withSchema ? { output: ai.Output.object({ schema: ai.jsonSchema(schema) }) } : {}),
        })
        return { text, tokens: usage.totalTokens ?? null }
      } catch (error) {
        // Not the JSON that was asked for; what it is instead is for the caller to read.
        if (ai.NoObjectGeneratedError.isInstance(error) && error.text !== undefined)
          return { text: error.text, tokens: error.usage?.totalTokens ?? null }
        throw error
      }
    },
  }
}

const retryAfterSecondsDefault = 30

async function failureOf(error: unknown): Promise<ModelFailure> {
  const causes = causesOf(error)
  const known = causes.find((it) => it instanceof ModelFailure)
  if (known) return known
  // So fetch says that a connection could not be made, or broke.
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

/** The error and what it was caused by: the SDK wraps what the fetch throws, more than once. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
