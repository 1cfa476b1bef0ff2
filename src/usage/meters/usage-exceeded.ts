import type { UsagePolicy } from '../../http/limits/usage-policy.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { LimitedCounter, UsageScope } from './counter.store.ts'
import type { UsageWindow } from './meter.rules.ts'

export type CounterInWindow = { counter: LimitedCounter; window: UsageWindow }

export function usagePolicy({ counter, window }: CounterInWindow, now: Date): UsagePolicy {
  const { limitedName, limit, used } = counter
  return {
    name: limitedName,
    limit,
    windowSeconds: window.seconds,
    remaining: Math.max(0, limit - used),
    resetSeconds: secondsUntil(window.end, now),
  }
}

const scopeTexts: Record<UsageScope, string> = {
  tenant: 'The tenant',
  org: 'The organization',
  user: 'The user',
}

/** Says which meter is used up, whose limit it is, where the limit comes from, and until when it refuses. */
export function usageExceeded({ counter, window }: CounterInWindow, used: number, now: Date): Refusal {
  const { limitedName: meter, limit, plan, scope } = counter
  return new Refusal('USAGE_EXCEEDED', {
    detail: `${scopeTexts[scope]} has used ${used} of ${limit} (${meter}, ${limitSources(plan)}). The next window begins at ${window.end.toISOString()}.`,
    usage: { meter, used, limit, window: { from: window.from, to: window.to, kind: window.span }, plan, scope },
    retryAfterSeconds: secondsUntil(window.end, now),
  })
}

function limitSources(plan: string): string {
  if (plan === 'OVERRIDE') return 'a limit that the platform has set for the tenant'
  return plan === 'OWN' ? 'a limit that an administrator of the tenant has set' : `the limit of the plan ${plan}`
}

function secondsUntil(end: Date, now: Date): number {
  return Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000))
}
