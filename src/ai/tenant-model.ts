import type { Clock } from '../kernel/clock.ts'
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
  ask(scope: TenantScope, question: ModelQuestion): Promise<ModelReply>
}

/** The usage that an endpoint reports counts up to this multiple of the reservation. */
const usageFactorMax = 4

/** Failures before any token was read: nothing is charged. After all other failures the reservation stays. */
const unpaid: readonly ModelFailureReason[] = ['UNREACHABLE', 'RATE_LIMITED', 'REFUSED', 'PAUSED']

/** The configured model, within each tenant's daily budget of tokens. */
export function tenantModel(settings: ModelSettings, clock: Clock): TenantModel {
  const client: ModelClient = modelClient(settings, clock)
  const { tokensPerDay, inputTokensMax } = settings
  const ask = async (scope: TenantScope, question: ModelQuestion): Promise<ModelReply> => {
    const day = clock.now().toISOString().slice(0, 10)
    const { instructions, prompt, outputTokensMax } = question
    const reserved = estimateTokens(instructions) + estimateTokens(prompt) + outputTokensMax
    if (!(await reserveTokens(scope, { day, tokens: reserved, max: tokensPerDay })))
      throw new ModelFailure('BUDGET_SPENT')
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
      if (used !== reserved) await settleTokens(scope, { day, difference: used - reserved })
    }
  }
  return { model: client.model, inputTokensMax, ask }
}
