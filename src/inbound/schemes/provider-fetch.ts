import { boundedText } from '../../kernel/bounded-text.ts'

/** What verification needs of a provider, asked over the network. A port: tests give their own. */
export type ProviderDocuments = {
  /** A certificate as PEM. Null where the provider has none there; rejects where it cannot be asked now. */
  fetchCertificate(url: string, signal: AbortSignal): Promise<string | null>
  /** OpenID metadata, or a JSON Web Key Set, as text. Null and rejections as above. */
  fetchMetadata(url: string, signal: AbortSignal): Promise<string | null>
}

/** One of Amazon's has 2 KB. */
export const certificateBytesMax = 64 * 1024
/** Each key of Bot Framework comes with its certificates and with the names of thirty channels. */
export const metadataBytesMax = 256 * 1024
const standardTimeoutMs = 5000

/** Follows no redirect: the host was checked, and another one would not be. */
export function providerDocuments({ timeoutMs = standardTimeoutMs } = {}): ProviderDocuments {
  return {
    fetchCertificate: (url, signal) => fetchText({ url, signal, timeoutMs, bytesMax: certificateBytesMax }),
    fetchMetadata: (url, signal) => fetchText({ url, signal, timeoutMs, bytesMax: metadataBytesMax }),
  }
}

type Asking = { url: string; signal: AbortSignal; timeoutMs: number; bytesMax: number }

async function fetchText({ url, signal, timeoutMs, bytesMax }: Asking): Promise<string | null> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const reply = await fetch(url, { redirect: 'manual', signal: inTime, credentials: 'omit' })
  if (reply.status === 200) return await boundedText(reply, bytesMax)
  await reply.body?.cancel()
  if (reply.status >= 500 || reply.status === 429) throw new Error(`The provider answered ${reply.status}.`)
  return null
}
