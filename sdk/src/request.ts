import type { Operation } from './operation-table.ts'

export type InputValues = Record<string, unknown>

export type PreparedRequest = { url: string; headers: Record<string, string>; body?: string | Blob | FormData }

/** Sorts the members of an input into the path, the query, the `If-Match` header and the body. */
export function prepareRequest(baseUrl: string, operation: Operation, input: InputValues): PreparedRequest {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const take = (name: string): unknown => {
    const value = rest.get(name)
    rest.delete(name)
    return value
  }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, take(name)))
  const headers: Record<string, string> = { accept: 'application/json, */*;q=0.5' }
  const ifMatch = take('ifMatch')
  if (ifMatch !== undefined) headers['if-match'] = String(ifMatch)

  const query = new URLSearchParams()
  for (const name of operation.hasBody ? operation.query : [...rest.keys()]) {
    if (rest.has(name)) query.set(name, String(take(name)))
  }
  const url = `${baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`
  if (!operation.hasBody) return { url, headers }
  const { body, type } = encodeBody(rest)
  if (type) headers['content-type'] = type
  return { url, headers, body }
}

function encodeSegment(name: string, value: unknown): string {
  // An empty segment or dots would name another resource.
  if (value === undefined || value === null || /^\.{0,2}$/.test(String(value))) {
    throw new TypeError(`${name} must not be ${value === undefined ? 'absent' : `"${value}"`}`)
  }
  return encodeURIComponent(String(value))
}

/** A form if a member is a file; its type is set by `fetch`, which knows the boundary. */
function encodeBody(members: Map<string, unknown>): { body: string | Blob | FormData; type?: string } {
  const body = members.get('body')
  if (members.size === 1 && typeof body === 'string') return { body, type: 'text/plain' }
  if (members.size === 1 && body instanceof Blob) return { body, type: body.type }
  if ([...members.values()].some((value) => value instanceof Blob)) {
    const form = new FormData()
    for (const [name, value] of members) {
      form.append(name, value instanceof Blob || typeof value === 'string' ? value : JSON.stringify(value))
    }
    return { body: form }
  }
  const isWhole = members.size === 1 && typeof body === 'object' && body !== null
  return { body: JSON.stringify(isWhole ? body : Object.fromEntries(members)), type: 'application/json' }
}
