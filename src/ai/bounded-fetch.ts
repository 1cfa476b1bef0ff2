import { ModelFailure } from './model-failure.ts'

type Fetch = typeof globalThis.fetch

/**
 * A `fetch` whose answers fail with TOO_LARGE after `bytesMax` bytes, whatever length they announce. It follows no redirect:
 * the key and the transcript go to the configured host or nowhere.
 */
export function boundedFetch(bytesMax: number): Fetch {
  return async (input, init) => {
    const reply = await fetch(input, { ...init, redirect: 'manual' })
    if (reply.type === 'opaqueredirect' || (reply.status >= 300 && reply.status < 400)) {
      await reply.body?.cancel()
      throw new ModelFailure('REFUSED')
    }
    const { status, statusText } = reply
    // The body is decompressed already, and its length is counted here.
    const headers = new Headers(reply.headers)
    for (const name of ['content-encoding', 'content-length']) headers.delete(name)
    const body = reply.body?.pipeThrough(counting(bytesMax)) ?? null
    return new Response(body, { status, statusText, headers })
  }
}

function counting(bytesMax: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > bytesMax) controller.error(new ModelFailure('TOO_LARGE'))
      else controller.enqueue(chunk)
    },
  })
}
