import { boundedText } from '../../kernel/bounded-text.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { withTimeout } from '../../kernel/with-timeout.ts'

/** Documents of a provider that verification needs, fetched over the network. Tests replace them. */
export type ProviderDocuments = {
  /** A certificate as PEM. Null where the provider has none there; rejects where it does not answer now. */
  fetchCertificate(url: string, signal: AbortSignal): Promise<string | null>
  /** OpenID metadata, or a JSON Web Key Set, as text. Null and rejections as above. */
  fetchMetadata(url: string, signal: AbortSignal): Promise<string | null>
}

/** Amazon's certificates have 2 KB. */
export const certificateBytesMax = 64 * 1024
/** Each key of the Bot Framework comes with its certificates and the names of thirty channels. */
export const metadataBytesMax = 256 * 1024
const timeoutMsDefault = 5000

/** Follows no redirect: only this host was checked. */
export function providerDocuments({ timeoutMs = timeoutMsDefault } = {}): ProviderDocuments {
  return {
    fetchCertificate: (url, signal) => fetchText({ url, signal, timeoutMs, bytesMax: certificateBytesMax }),
    fetchMetadata: (url, signal) => fetchText({ url, signal, timeoutMs, bytesMax: metadataBytesMax }),
  }
}

type DocumentRequest = { url: string; signal: AbortSignal; timeoutMs: number; bytesMax: number }

async function fetchText({ url, signal, timeoutMs, bytesMax }: DocumentRequest): Promise<string | null> {
  const eitherSignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const reply = await fetch(url, { redirect: 'manual', signal: eitherSignal, credentials: 'omit' })
  if (reply.status === 200) return await boundedText(reply, bytesMax)
  await reply.body?.cancel()
  if (reply.status >= 500 || reply.status === 429) throw new Error(`The provider answered ${reply.status}.`)
  return null
}

/**
 * The document at the address; null where there is none or it is too long. Refuses UNAVAILABLE where the provider does not
 * answer: the delivery is then neither valid nor invalid, and the provider sends it again.
 */
export async function fetchDocument(
  fetchText: (url: string, signal: AbortSignal) => Promise<string | null>,
  { url, bytesMax }: { url: string; bytesMax: number },
): Promise<string | null> {
  try {
    // Two timeouts, because a replaced `fetchText` may ignore its signal.
    const text = await withTimeout(timeoutMsDefault, fetchText(url, AbortSignal.timeout(timeoutMsDefault)))
    return text === null || Buffer.byteLength(text) > bytesMax ? null : text
  } catch {
    throw providerUnavailable()
  }
}

export function providerUnavailable(): Refusal {
  const detail = 'The keys of the provider that signed this delivery cannot be fetched at the moment.'
  return new Refusal('UNAVAILABLE', { detail, retryAfterSeconds: 60 })
}
