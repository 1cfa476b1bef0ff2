import { Refusal, refusalDetail, refusals } from '../../kernel/refusal.ts'
import type { AskAnswerView } from './ask.schema.ts'

export const eventStream = 'text/event-stream'

/** While a model thinks. Proxies close connections on which nothing comes for half a minute or more. */
const commentEveryMs = 10_000

/**
 * An answer as server-sent events (HTML Standard, section 9.2): `part` for each sentence in order, then `answer` with all of it.
 * A refusal is an `error`; any other error breaks the connection.
 */
export async function* askEvents(answering: Promise<AskAnswerView>): AsyncGenerator<string> {
  // Asked for again below, where it is handled.
  answering.catch(() => undefined)
  yield ': searching\n\n'
  while (!(await isSettledWithin(answering, commentEveryMs))) yield ': waiting\n\n'
  try {
    const answer = await answering
    for (const part of answer.parts) yield event('part', part)
    yield event('answer', answer)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [status, title] = refusals[error.code]
    yield event('error', { code: error.code, status, title, detail: refusalDetail(error) })
  }
}

/** JSON holds no line ends, so it is one `data` line. */
function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

async function isSettledWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: waiting, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  const settled = promise.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([settled, waiting])
  } finally {
    clearTimeout(timer)
  }
}
