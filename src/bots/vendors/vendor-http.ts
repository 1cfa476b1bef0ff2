import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Counter, Labelled, Metrics } from '../../kernel/metrics.ts'
import { guardedLookup, resolverFor } from '../../outgoing/host-lookup.ts'
import { type AllowedHosts, urlProblem } from '../../outgoing/target-address.ts'
import { type AskVendor, type VendorAnswer, VendorUnreachable } from '../providers/vendor.ts'
import { vendorTable } from '../providers/vendor-table.ts'
import type { VendorName } from '../vendor.rules.ts'

export type VendorAccount = { vendor: VendorName; baseUrl: string; apiKey: string }

/** Where the operator has vendors asked instead, without a slash at the end (`BOT_VENDOR_ENDPOINTS`). */
export type VendorEndpoints = ReadonlyMap<string, string>

type Deps = { metrics: Metrics; endpoints: VendorEndpoints; allowedHosts: AllowedHosts }

const timeoutMs = 15_000
/** A transcript of four hours with a time for each word. */
const answerBytesMax = 10 * 1024 * 1024
const retryAfterMsMax = 300_000
/** Where vendors store files whose addresses are in their answers. They are asked without the key. */
const fileHosts = /^https:\/\/[a-z0-9.-]+\.(?:recall\.ai|amazonaws\.com)(?::443)?\//

export type AskAs = (account: VendorAccount) => AskVendor

/**
 * Asks vendors with the key of a tenant, at the address of the row or of the tenant. Every address is checked when it is
 * connected to, unless the operator has set it. Follows no redirect.
 */
export function vendorHttp({ metrics, endpoints, allowedHosts }: Deps): AskAs {
  const calls: Labelled<Counter> = metrics.counter({
    name: 'bot_vendor_calls_total',
    help: 'Requests to vendors of bots, by vendor and class of the answer (2xx to 5xx, or none).',
    labels: ['vendor', 'answer'],
  })
  return ({ vendor, baseUrl, apiKey }) =>
    async ({ method, path, headers = {}, body }) => {
      const isFile = !path.startsWith('/')
      const target = isFile ? fileAddress(path) : `${baseUrl}${path}`
      const endpoint = endpoints.get(vendor)
      const key = isFile ? {} : vendorTable[vendor].authorization(apiKey)
      try {
        if (target === null) throw new Error('The file is not where the vendor stores files.')
        const url = endpoint === undefined ? target : mapped(endpoint, target)
        const hosts = endpoint === undefined ? allowedHosts : 'any'
        const problem = urlProblem(url, hosts)
        if (problem !== null) throw new Error(problem)
        const answer = await send(new URL(url), { method, hosts, body, headers: { ...headers, ...key } })
        calls(vendor, `${Math.floor(answer.status / 100)}xx`).add()
        return answer
      } catch {
        // The cause may quote the request, which holds the key.
        calls(vendor, 'none').add()
        throw new VendorUnreachable(vendor)
      }
    }
}

function fileAddress(url: string): string | null {
  return URL.canParse(url) && fileHosts.test(new URL(url).href) ? new URL(url).href : null
}

function mapped(endpoint: string, target: string): string {
  const { host, pathname, search } = new URL(target)
  return `${endpoint}/${host}${pathname}${search}`
}

type Sending = { method: string; headers: Record<string, string>; body: object | undefined; hosts: AllowedHosts }

async function send(url: URL, { method, headers, body, hosts }: Sending): Promise<VendorAnswer> {
  const text = body === undefined ? null : JSON.stringify(body)
  const client = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const request = client.request(url, {
    method,
    agent: false,
    lookup: guardedLookup(resolverFor(hosts), hosts),
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      'user-agent': 'Atrium',
      accept: 'application/json',
      ...(text === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
      ...headers,
    },
  })
  const reply = await replyOf(request, text)
  const status = reply.statusCode ?? 0
  if (status < 200 || (status >= 300 && status < 400)) throw new Error('The vendor answered with a redirect.')
  return { status, body: parsed(await readText(reply)), retryAfterMs: retryAfter(reply.headers['retry-after']) }
}

function replyOf(request: ClientRequest, text: string | null): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', resolve)
    request.on('close', () => reject(new Error('The connection ended without an answer.')))
    request.end(text ?? undefined)
  })
}

async function readText(reply: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of reply as AsyncIterable<Buffer>) {
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

/** Seconds; a date is as good as nothing here. */
function retryAfter(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Math.min(Number(value) * 1000, retryAfterMsMax) : null
}
