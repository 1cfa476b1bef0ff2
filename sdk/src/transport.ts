import { AtriumError, type ErrorCode, type ErrorDetails } from './errors.ts'
import type { PreparedRequest } from './request.ts'

/** Sends a request once and reads its whole answer. Throws AtriumError, or the reason of `signal` if the caller ended it. */
export async function send(
  request: PreparedRequest & { method: string },
  {
    fetch,
    signal,
    deadline,
  }: { fetch: typeof globalThis.fetch; signal: AbortSignal | undefined; deadline: AbortSignal },
): Promise<unknown> {
  const { url, ...init } = request
  try {
    const response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, deadline]) : deadline })
    const answer = await readAnswer(response)
    if (response.ok) return answer
    throw refusal(response, answer)
  } catch (error) {
    if (error instanceof AtriumError) throw error
    signal?.throwIfAborted()
    const [code, message]: [ErrorCode, string] = deadline.aborted
      ? ['TIMEOUT', 'The service did not answer in time.']
      : ['NETWORK_ERROR', 'The service could not be reached.']
    throw new AtriumError({ code, message, cause: error })
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  if (/[/+]json/.test(type)) return response.json()
  return /^text\/|xml|subrip/.test(type) ? response.text() : response.blob()
}

function refusal({ status, headers }: Response, answer: unknown): AtriumError {
  const problem = (typeof answer === 'object' ? answer : {}) as Partial<ErrorDetails> & {
    title?: string
    detail?: string
  }
  const seconds = headers.get('retry-after')
  return new AtriumError({
    ...problem,
    code: problem.code ?? 'UNEXPECTED_ANSWER',
    message: problem.detail ?? problem.title ?? `The answer has status ${status} and is not from the service.`,
    status,
    requestId: problem.requestId ?? headers.get('x-request-id'),
    retryAfterMs: seconds === null ? null : Number(seconds) * 1000,
  })
}

/** Rejects with the reason of `signal` if the caller ends the wait. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
