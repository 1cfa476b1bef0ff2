import type { ProviderName } from './provider.ts'
import { requireLink } from './provider-endpoints.ts'
import { type AskProvider, ProviderUnreachable, type ReceivedAnswer } from './provider-http.ts'
import { providers } from './provider-table.ts'

/** @param headers for the first request alone: where it redirects to gets none of them */
export type AskLink = (
  provider: ProviderName,
  url: string,
  headers: Record<string, string>,
  bytesMax?: number,
) => Promise<ReceivedAnswer>

const redirectsMax = 3
const timeoutMs = 20_000
const linkBytesMax = 5 * 1024 * 1024
const redirects = [301, 302, 303, 307, 308]

/** Follows a link from a provider's answer, on the hosts of its row alone. Throws ProviderUnreachable, also for others. */
export function linkReader(ask: AskProvider): AskLink {
  return async (provider, url, headers, bytesMax = linkBytesMax) => {
    let from = own(provider, url)
    let answer = await ask(provider, { method: 'GET', url: from, headers }, { timeoutMs, bytesMax })
    for (let count = 0; count < redirectsMax && redirects.includes(answer.status); count += 1) {
      from = own(provider, URL.canParse(answer.location ?? '', from) ? new URL(answer.location ?? '', from).href : '')
      answer = await ask(provider, { method: 'GET', url: from, headers: {} }, { timeoutMs, bytesMax })
    }
    return answer
  }
}

function own(provider: ProviderName, url: string): string {
  try {
    return requireLink(providers[provider], url)
  } catch {
    throw new ProviderUnreachable(provider)
  }
}
