import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export type Ask = {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: unknown
  /** Instead of `body`: sent as they are, with the `content-type` of the headers. */
  bytes?: Buffer
  /** The client's address; on Linux every 127.x.y.z is one of this machine. */
  localAddress?: string
  /** Longer than the service may ever take: whoever waits for this has found a hang. */
  timeoutMs?: number
}

/** `status` 0: no whole answer came, so nobody knows whether the request was carried out; `body` says why. */
// Bodies are what JSON gave: tests read into them and assert what they find.
// biome-ignore lint/suspicious/noExplicitAny: an assertion on a wrong path fails the test, which is its purpose
export type Answer = { status: number; headers: IncomingHttpHeaders; body: any; tookMs: number }

const agent = new Agent({ keepAlive: true, maxSockets: 3000 })

/** One request to a real process over a kept connection. Never rejects. */
export function ask({
  url,
  method = 'GET',
  headers = {},
  body,
  bytes,
  localAddress,
  timeoutMs = 20_000,
}: Ask): Promise<Answer> {
  const startedAt = performance.now()
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const end = (status: number, received: Partial<Answer>) =>
    resolve({ headers: {}, body: null, ...received, status, tookMs: performance.now() - startedAt })
  const payload = bytes ?? Buffer.from(body === undefined ? '' : JSON.stringify(body))
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const from = localAddress === undefined ? {} : { localAddress }
  const length = { 'content-length': String(payload.length) }
  const sent = request(url, { method, headers: { ...type, ...length, ...headers }, agent, ...from })
  const timer = setTimeout(() => sent.destroy(new Error(`No answer in ${timeoutMs} ms`)), timeoutMs)
  sent.on('close', () => clearTimeout(timer))
  sent.on('error', (error) => end(0, { body: error.message }))
  sent.on('response', (answer) => {
    let text = ''
    answer.setEncoding('utf8')
    answer.on('data', (chunk) => (text += chunk))
    answer.on('error', (error) => end(0, { body: error.message }))
    answer.on('end', () => end(answer.statusCode ?? 0, { headers: answer.headers, body: parsed(text) }))
  })
  sent.end(payload)
  return promise
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** `count` callers that each repeat `call` until `isOver` or the returned stop; gives all that they were answered. */
export function load(count: number, call: (caller: number) => Promise<Answer>): { stop(): Promise<Answer[]> } {
  const answers: Answer[] = []
  let isOver = false
  const callers = Array.from({ length: count }, async (_, caller) => {
    while (!isOver) answers.push(await call(caller))
  })
  return {
    stop: async () => {
      isOver = true
      await Promise.all(callers)
      return answers
    },
  }
}

/** How often each status was answered; for assertions and tables. */
export function countStatuses(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export function slowestMs(answers: Answer[]): number {
  return Math.round(answers.reduce((slowest, { tookMs }) => Math.max(slowest, tookMs), 0))
}
