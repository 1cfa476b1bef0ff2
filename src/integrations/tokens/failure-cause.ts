import { ProviderUnreachable } from '../../providers/provider-http.ts'
import { GrantFailure } from './grant-failure.ts'

/** What a check says of a provider that could not be asked. Null: it went well. Other errors are thrown on. */
export async function causeOf(ask: () => Promise<string | null>): Promise<string | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProviderUnreachable) return 'PROVIDER_UNAVAILABLE'
    if (!(error instanceof GrantFailure)) throw error
    return error.reason === 'HELD_UP' ? 'RATE_LIMITED' : error.reason === 'GONE' ? 'NOT_CONFIRMED' : error.reason
  }
}
