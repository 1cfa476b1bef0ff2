import type { Counter, Labelled, Metrics } from '../kernel/metrics.ts'
import type { ProviderAnswer, ProviderName, ProviderRequest } from './provider.ts'
import { mappedUrl, type ProviderEndpoints } from './provider-endpoints.ts'

/** No answer of the provider: nobody knows whether the request arrived. */
export class ProviderUnreachable extends Error {
  constructor(provider: ProviderName) {
    super(`${provider} did not answer.`)
    this.name = 'ProviderUnreachable'
  }
}

export type ReceivedAnswer = ProviderAnswer & { retryAfter: string | null; etag: string | null }
export type AskProvider = (
  provider: ProviderName,
  request: ProviderRequest,
  limits: { timeoutMs: number; signal?: AbortSignal },
) => Promise<ReceivedAnswer>

const answerBytesMax = 5 * 1024 * 1024

/** Asks a provider at the address of its row, or where the operator has it asked. Follows no redirect. Throws ProviderUnreachable. */
export function providerHttp({ endpoints, metrics }: { endpoints: ProviderEndpoints; metrics: Metrics }): AskProvider {
  const calls: Labelled<Counter> = metrics.counter({
    name: 'integration_calls_total',
    help: 'Requests to providers of integrations, by provider and class of the answer (2xx to 5xx, or none).',
    labels: ['provider', 'answer'],
  })
  return async (provider, { method, url, headers, body }, { timeoutMs, signal }) => {
    const deadline = AbortSignal.timeout(timeoutMs)
    try {
      const reply = await fetch(mappedUrl(endpoints, provider, url), {
        method,
        headers: { 'user-agent': 'Atrium', ...headers },
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      })
      const text = await readText(reply)
      calls(provider, `${Math.floor(reply.status / 100)}xx`).add()
      return {
        status: reply.status,
        body: parsed(text),
        retryAfter: reply.headers.get('retry-after'),
        etag: reply.headers.get('etag'),
      }
    } catch {
      // The cause may quote the request, which holds a token.
      calls(provider, 'none').add()
      throw new ProviderUnreachable(provider)
    }
  }
}

async function readText(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > answerBytesMax) throw new Error('The answer is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
