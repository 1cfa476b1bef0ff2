import type { Clock } from '../../kernel/clock.ts'
import type { ProviderRequest } from '../../providers/provider.ts'
import { requireApiUrl } from '../../providers/provider-endpoints.ts'
import { type AskProvider, ProviderUnreachable, type ReceivedAnswer } from '../../providers/provider-http.ts'
import { providers } from '../../providers/provider-table.ts'
import { retryAt } from '../../providers/retry-after.rules.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { GrantFailure } from './grant-failure.ts'
import type { AccessToken, Tokens } from './token.service.ts'
import { noteCall, type TokenRow } from './token.store.ts'

export type ProviderCallDeps = {
  clock: Clock
  ask: AskProvider
  tokens: Tokens
  endGrant(scope: TenantScope, row: TokenRow, cause: string): Promise<void>
}

const timeoutMs = 20_000

/** `isSent` of a failure in between: whether the provider may have done what it was asked. */
export type CallApi = (
  scope: TenantScope,
  integrationId: string,
  toRequest: (accessToken: string) => ProviderRequest,
  /** Of the answer; 5 MiB where none is given. */
  bytesMax?: number,
) => Promise<ReceivedAnswer>

/** Calls of the providers' APIs on behalf of an integration. */
export function providerCalls({ clock, ask, tokens, endGrant }: ProviderCallDeps) {
  /**
   * One call. A refused token is renewed, and the call is made again. Throws GrantFailure where it was not made, and
   * ProviderUnreachable where nobody knows.
   */
  const callApi: CallApi = async (scope, integrationId, toRequest, bytesMax) => {
    const access = await tokens.get(scope, integrationId)
    const { nextTryAt } = access.row
    if (nextTryAt !== null && nextTryAt > clock.now()) throw new GrantFailure('HELD_UP', nextTryAt)
    const first = await send(scope, access, { toRequest, bytesMax })
    if (first.status !== 401) return first
    const renewed = await tokens.renew(scope, integrationId, access.version)
    const second = await send(scope, renewed, { toRequest, bytesMax })
    if (second.status !== 401) return second
    await endGrant(scope, { ...renewed.row, version: renewed.version }, 'ACCESS_REFUSED')
    throw new GrantFailure('REAUTH_REQUIRED')
  }

  async function send(
    scope: TenantScope,
    { token, row }: AccessToken,
    { toRequest, bytesMax }: { toRequest: (token: string) => ProviderRequest; bytesMax: number | undefined },
  ) {
    const provider = providers[row.provider]
    const request = toRequest(token)
    requireApiUrl(provider, request.url)
    const { id } = row
    try {
      const received = await ask(row.provider, request, { timeoutMs, ...(bytesMax === undefined ? {} : { bytesMax }) })
      const answer = { ...received, ...provider.toApiAnswer(received) }
      const now = clock.now()
      const nextTryAt = retryAt(answer, now)
      const isSuccess = answer.status < 500 && answer.status !== 429
      await noteCall(scope, { id, isSuccess, nextTryAt, now })
      return answer
    } catch (error) {
      if (error instanceof ProviderUnreachable)
        await noteCall(scope, { id, isSuccess: false, nextTryAt: null, now: clock.now() })
      throw error
    }
  }

  return { callApi }
}
