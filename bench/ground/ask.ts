import type { Program } from '../program.ts'

export type Question = { path: string; headers: Record<string, string>; body?: unknown }

/** The text of a 2xx answer: POST with a body, GET without one. Throws for any other status. */
export async function fetchText({ base }: Pick<Program, 'base'>, { path, headers, body }: Question): Promise<string> {
  const response = await fetch(base + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return text
}

export async function ask(program: Pick<Program, 'base'>, question: Question): Promise<unknown> {
  return JSON.parse(await fetchText(program, question))
}
