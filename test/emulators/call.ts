import type { IncomingHttpHeaders } from 'node:http'

/** A request to a provider. `host` and `path` are those of the real provider. */
export type Call = {
  method: string
  host: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
  params: Record<string, string>
}

/** `body`: text and bytes are sent as they are, anything else as JSON. */
export type Reply = { status: number; headers?: Record<string, string>; body?: unknown }

export type Handler = (call: Call) => Reply | Promise<Reply>

/** By `METHOD host/path/:parameter`. */
export type Routes = Record<string, Handler>

export type Json = Record<string, unknown>

export function jsonOf(call: Call): Json {
  if (call.text === '') return {}
  const parsed: unknown = JSON.parse(call.text)
  return typeof parsed === 'object' && parsed !== null ? (parsed as Json) : {}
}

export function formOf(call: Call): URLSearchParams {
  return new URLSearchParams(call.text)
}

export function ok(body: unknown, headers?: Record<string, string>): Reply {
  return { status: 200, body, ...(headers && { headers }) }
}
