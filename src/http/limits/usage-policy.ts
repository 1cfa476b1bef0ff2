import type { FastifyReply } from 'fastify'
import type { Refusal } from '../../kernel/refusal.ts'

/** A limit of usage that holds for a route, beside the rate limit. */
export type UsagePolicy = {
  name: string
  limit: number
  windowSeconds: number
  remaining: number
  resetSeconds: number
}

/**
 * Adds the limits to `RateLimit-Policy` and `RateLimit`, behind those of the rate limit. Of several limits of one name (the
 * tenant's, an organization's) only the one with the fewest left is told.
 */
export function announceUsage(reply: FastifyReply, policies: UsagePolicy[]): void {
  for (const { name, limit, windowSeconds, remaining, resetSeconds } of tightest(policies)) {
    appendTo(reply, 'ratelimit-policy', `"${name}";q=${limit};w=${windowSeconds}`)
    appendTo(reply, 'ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`)
  }
}

/** The limit that refused a request, as it is announced. */
export function refusedUsage({ options: { usage, retryAfterSeconds = 0 } }: Refusal): UsagePolicy[] {
  if (usage === undefined) return []
  const { meter, used, limit, window } = usage
  return [
    {
      name: meter,
      limit,
      windowSeconds: (Date.parse(window.to) - Date.parse(window.from)) / 1000,
      remaining: Math.max(0, limit - used),
      resetSeconds: retryAfterSeconds,
    },
  ]
}

function tightest(policies: UsagePolicy[]): Iterable<UsagePolicy> {
  const byName = new Map<string, UsagePolicy>()
  for (const policy of policies) {
    const known = byName.get(policy.name)
    if (known === undefined || policy.remaining < known.remaining) byName.set(policy.name, policy)
  }
  return byName.values()
}

function appendTo(reply: FastifyReply, header: string, item: string): void {
  const present = reply.getHeader(header)
  reply.header(header, typeof present === 'string' ? `${present}, ${item}` : item)
}
