import type { FieldRule, Fitting } from '../../kernel/field-rules.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { parseFutureTimestamp } from '../../kernel/timestamps.ts'
import { type LimitEffect, type LimitedName, possibleEffects } from '../meters/meter.rules.ts'
import type { QuotaChange } from './override.schema.ts'

/** What an administrator of the platform has set for a meter of a tenant, instead of its plan. */
export type Override = {
  /** An amount that is shown beside the limit. Null: none. */
  soft: number | null
  /** Whether `hard` replaces the limit of the plan. */
  hasHard: boolean
  /** Null: no limit. */
  hard: number | null
  /** Null: as the meter says. */
  atLimit: LimitEffect | null
  /** Null: until it is deleted. */
  until: Date | null
  reason: string
}

/** A quota of a tenant as administrators have set it: the override, and what was granted in the current window. */
export type SetQuota = { override: Override | null; granted: number }

const overrideMembers = ['soft', 'hard', 'atLimit', 'until'] as const

/** What the schema cannot say of a change. */
export function quotaRules(name: LimitedName, body: Fitting<QuotaChange>, now: Date): FieldRule[] {
  const { soft, hard, atLimit, until } = body
  return [
    () => requireOneKind(body),
    () => {
      if (until !== undefined && until !== null) parseFutureTimestamp(until, now, '/body/until')
    },
    () => {
      const effects = possibleEffects(name)
      if (atLimit !== undefined && atLimit !== null && !effects.includes(atLimit))
        throw invalidField('/body/atLimit', { code: 'enum', message: `of ${name} must be ${effects.join(' or ')}` })
    },
    () => {
      if (typeof soft === 'number' && typeof hard === 'number' && soft > hard)
        throw invalidField('/body/soft', { code: 'maximum', message: 'must not be above `hard`' })
    },
  ]
}

function requireOneKind(body: Fitting<QuotaChange>): void {
  const named = overrideMembers.filter((member) => member in body)
  if ('grant' in body) {
    const [first] = named
    if (first !== undefined)
      throw invalidField(`/body/${first}`, { code: 'unknown', message: 'is not a member of a grant' })
  } else if (!named.some((member) => member !== 'until'))
    throw invalidField('/body', { code: 'required', message: 'needs `soft`, `hard`, `atLimit` or `grant`' })
}

/** The override that a change asks for. Members that are absent are as the plan says. */
export function overrideFrom(body: QuotaChange, now: Date): Override {
  const { soft = null, hard, atLimit = null, until, reason } = body
  return {
    soft,
    hasHard: hard !== undefined,
    hard: hard ?? null,
    atLimit,
    until: until === undefined || until === null ? null : parseFutureTimestamp(until, now, '/body/until'),
    reason,
  }
}
