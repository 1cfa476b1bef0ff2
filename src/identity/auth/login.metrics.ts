import type { Metrics } from '../../kernel/metrics.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** Counts logins by outcome: OK, or the code of the refusal. */
export function countedLogins<A extends unknown[], T>(
  metrics: Metrics,
  login: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  const logins = metrics.counter({
    name: 'logins_total',
    help: 'Logins with a password, by outcome: OK or the refusal code.',
    labels: ['outcome'],
  })
  const done = logins('OK')
  return async (...args) => {
    try {
      const tokens = await login(...args)
      done.add()
      return tokens
    } catch (error) {
      if (error instanceof Refusal) logins(error.code).add()
      throw error
    }
  }
}
