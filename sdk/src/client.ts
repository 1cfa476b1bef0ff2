import { AtriumError, isCode } from './errors.ts'
import type { Arguments, CallOptions, OperationId, Output } from './method.ts'
import { type Operation, type OperationTable, parseTable } from './operation-table.ts'
import { Pages } from './pages.ts'
import { type InputValues, prepareRequest } from './request.ts'
import { isTemporary, waitMs } from './retry.rules.ts'
import { type TokenKeeper, tokensIn } from './tokens.ts'
import { send, wait } from './transport.ts'

export type ClientOptions = {
  /** The address of the service, such as `https://api.example.com`. */
  baseUrl: string
  fetch?: typeof globalThis.fetch
  /** For a call with all its retries. Default: 30 seconds. */
  timeoutMs?: number
  /** How often a call is sent again after a temporary failure. Default: 2. */
  retries?: number
}

type Credentials = { headers: Record<string, string>; tokens: TokenKeeper | null }

type Group = Record<string, (input?: InputValues, options?: CallOptions) => unknown>

const defaultTimeoutMs = 30_000
const defaultRetries = 2

/** What the clients of all entries share: one method for each operation of a table. */
export class Client<Id extends OperationId> {
  readonly #options: ClientOptions
  readonly #table: OperationTable
  protected credentials: Credentials = { headers: {}, tokens: null }

  constructor(options: ClientOptions, table: string) {
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') }
    this.#table = parseTable(table)
    for (const [group, methods] of this.#table.groups) {
      const named = [...methods].map(([name, operation]) => [name, this.#method(operation)])
      Object.defineProperty(this, group, { value: Object.fromEntries(named), enumerable: true })
    }
  }

  /** Any operation, by the `operationId` of the API reference. */
  call<Called extends Id>(operationId: Called, ...[input, options]: Arguments<Called>): Promise<Output<Called>> {
    const operation = this.#table.operations.get(operationId)
    if (operation === undefined) throw new TypeError(`There is no operation ${operationId}`)
    return this.#send(operation, (input ?? {}) as InputValues, options) as Promise<Output<Called>>
  }

  protected group(name: string): Group {
    return (this as unknown as Record<string, Group>)[name] as Group
  }

  #method(operation: Operation): Group[string] {
    const { list } = operation
    if (list === null) return (input = {}, options) => this.#send(operation, input, options)
    return (input = {}, options) =>
      new Pages((page) => this.#send(operation, page === undefined ? input : { ...input, page }, options), list)
  }

  async #send(operation: Operation, input: InputValues, options: CallOptions = {}): Promise<unknown> {
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? defaultTimeoutMs
    const endsAt = Date.now() + timeoutMs
    const deadline = AbortSignal.timeout(timeoutMs)
    const retriesMax = this.#mayRepeat(operation) ? (this.#options.retries ?? defaultRetries) : 0
    // Made once: the service then knows a repeated request again.
    const key = operation.isIdempotent ? { 'idempotency-key': options.idempotencyKey ?? randomKey() } : undefined
    const request = prepareRequest(this.#options.baseUrl, operation, input)
    const attempt = async () => {
      const headers = { ...request.headers, ...this.credentials.headers, ...key }
      return this.#sendSigned({ ...request, method: operation.verb, headers }, operation, (signed) =>
        send(signed, { fetch: this.#options.fetch ?? globalThis.fetch, signal: options.signal, deadline }),
      )
    }
    for (let retry = 0; ; retry += 1) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof AtriumError) || retry >= retriesMax || !isTemporary(error)) throw error
        const ms = waitMs(retry, error.retryAfterMs, Math.random())
        if (Date.now() + ms >= endsAt) throw error
        await wait(ms, options.signal)
      }
    }
  }

  /** With the user's token, and once more with a new one if it has expired. */
  async #sendSigned<Request extends { headers: Record<string, string> }>(
    request: Request,
    { acceptsToken }: Operation,
    sendOnce: (request: Request) => Promise<unknown>,
  ): Promise<unknown> {
    const { tokens } = this.credentials
    const current = acceptsToken ? await tokens?.get() : null
    const withToken = (token: string) => ({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${token}` },
    })
    if (!tokens || !current) {
      const answer = await sendOnce(request)
      const issued = tokensIn(answer)
      if (issued) await tokens?.set(issued)
      return answer
    }
    try {
      return await sendOnce(withToken(current.accessToken))
    } catch (error) {
      if (!isCode(error, 'TOKEN_EXPIRED', 'TOKEN_INVALID')) throw error
      const renewed = await tokens.renew(current.accessToken)
      if (renewed === null) throw error
      return sendOnce(withToken(renewed.accessToken))
    }
  }

  #mayRepeat({ verb, isIdempotent }: Operation): boolean {
    return isIdempotent || !['POST', 'PATCH'].includes(verb)
  }
}

/** Not `crypto.randomUUID`, which browsers have on https alone. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
