import type { Clock } from '../kernel/clock.ts'
import { utcDay } from '../kernel/period.ts'
import { estimateTokens } from '../kernel/token-estimate.ts'
import type { TenantScope } from '../storage/scope.ts'
import {
  type ModelClient,
  type ModelQuestion,
  type ModelReply,
  type ModelSettings,
  modelClient,
} from './model-client.ts'
import { ModelFailure, type ModelFailureReason } from './model-failure.ts'
import { reserveTokens, settleTokens } from './tokens.store.ts'

export type TenantModel = {
  model: string
  inputTokensMax: number
  /** Rejects with ModelFailure, or with an error of the database. */
  ask(scope: TenantScope, question: ModelQuestion, subject: Subject): Promise<ModelReply>
}

/** Whose tokens a request takes. The tenant's are counted always. */
type Subject = { orgId: string | null; userId: string | null }

type Reservation = { id: string }

/** Counts tokens within the limits of tenants, organizations and users. */
export type TokenMetering = {
  /** Null where a limit has no room for so many tokens. */
  reserve(scope: TenantScope, subject: Subject, tokens: number): Promise<Reservation | null>
  settle(scope: TenantScope, reservation: Reservation, used: number): Promise<unknown>
}

/** The usage that an endpoint reports counts up to this multiple of the reservation. */
const usageFactorMax = 4

/** Failures before any token was read: nothing is charged. After all other failures the reservation stays. */
const unpaid: readonly ModelFailureReason[] = ['UNREACHABLE', 'RATE_LIMITED', 'REFUSED', 'PAUSED']

/** The configured model, within each tenant's daily budget of tokens and within the limits of usage. */
export function tenantModel(
  settings: ModelSettings,
  { clock, metering }: { clock: Clock; metering: TokenMetering },
): TenantModel {
  const client: ModelClient = modelClient(settings, clock)
  const { tokensPerDay, inputTokensMax } = settings

  const ask = async (scope: TenantScope, question: ModelQuestion, subject: Subject): Promise<ModelReply> => {
    const day = utcDay(clock.now())
    const { instructions, prompt, outputTokensMax } = question
    const reserved = estimateTokens(instructions) + estimateTokens(prompt) + outputTokensMax
    const give = (difference: number) => settleTokens(scope, { day, difference })
    if (!(await reserveTokens(scope, { day, tokens: reserved, max: tokensPerDay })))
      throw new ModelFailure('BUDGET_SPENT')
    const reservation = await metering.reserve(scope, subject, reserved).catch(async (error) => {
      await give(-reserved)
      throw error
    })
    if (reservation === null) {
      await give(-reserved)
      throw new ModelFailure('BUDGET_SPENT')
    }
    let used = reserved
    try {
      const reply = await client.ask(scope.tenantId, question)
      used =
        reply.tokens === null ? reserved : Math.min(Math.max(0, Math.ceil(reply.tokens)), reserved * usageFactorMax)
      return reply
    } catch (error) {
      if (error instanceof ModelFailure && unpaid.includes(error.reason)) used = 0
      throw error
    } finally {
      // What is not settled counts as used after some minutes. A good answer must not be lost for it.
      await metering.settle(scope, reservation, used).catch(() => undefined)
      if (used !== reserved) await give(used - reserved)
    }
  }
  return { model: client.model, inputTokensMax, ask }
}
