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

/** `bytes`: the answer as it came, where it is no JSON. `location`: where a redirect leads. */
export type ReceivedAnswer = ProviderAnswer & {
  bytes: Buffer
  retryAfter: string | null
  etag: string | null
  location: string | null
}
export type AskProvider = (
  provider: ProviderName,
  request: ProviderRequest,
  limits: { timeoutMs: number; bytesMax?: number; signal?: AbortSignal },
) => Promise<ReceivedAnswer>

const answerBytesMax = 5 * 1024 * 1024

/** Asks a provider at the address of its row, or where the operator has it asked. Follows no redirect. Throws ProviderUnreachable. */
export function providerHttp({ endpoints, metrics }: { endpoints: ProviderEndpoints; metrics: Metrics }): AskProvider {
  const calls: Labelled<Counter> = metrics.counter({
    name: 'integration_calls_total',
    help: 'Requests to providers of integrations, by provider and class of the answer (2xx to 5xx, or none).',
    labels: ['provider', 'answer'],
  })
  return async (provider, { method, url, headers, body }, { timeoutMs, bytesMax = answerBytesMax, signal }) => {
    const deadline = AbortSignal.timeout(timeoutMs)
    try {
      const reply = await fetch(mappedUrl(endpoints, provider, url), {
        method,
        headers: { 'user-agent': 'Atrium', ...headers },
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      })
      const bytes = await readBytes(reply, bytesMax)
      calls(provider, `${Math.floor(reply.status / 100)}xx`).add()
      return {
        status: reply.status,
        body: parsed(bytes),
        bytes,
        retryAfter: reply.headers.get('retry-after'),
        etag: reply.headers.get('etag'),
        location: reply.headers.get('location'),
      }
    } catch {
      // The cause may quote the request, which holds a token.
      calls(provider, 'none').add()
      throw new ProviderUnreachable(provider)
    }
  }
}

async function readBytes(reply: Response, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw new Error('The answer is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}
