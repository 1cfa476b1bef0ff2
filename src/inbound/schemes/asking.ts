import { Refusal } from '../../kernel/refusal.ts'
import { withTimeout } from '../../kernel/with-timeout.ts'

const timeoutMs = 5000

/**
 * What the provider has at the address, or UNAVAILABLE where it cannot be asked: the delivery is then neither good nor
 * bad, and an answer that says so makes the provider send it again.
 */
export async function ask(
  fetchText: (url: string, signal: AbortSignal) => Promise<string | null>,
  { url, bytesMax }: { url: string; bytesMax: number },
): Promise<string | null> {
  try {
    // Twice, as a port need not look at its signal.
    const text = await withTimeout(timeoutMs, fetchText(url, AbortSignal.timeout(timeoutMs)))
    return text === null || Buffer.byteLength(text) > bytesMax ? null : text
  } catch {
    throw awayRefusal()
  }
}

export function awayRefusal(): Refusal {
  const detail = 'What proves this delivery cannot be fetched from its provider at the moment.'
  return new Refusal('UNAVAILABLE', { detail, retryAfterSeconds: 60 })
}
