import type { Metrics } from '../../kernel/metrics.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** Counts what becomes of logins: OK, or the code of the refusal. */
export function countedLogins<A extends unknown[], T>(
  metrics: Metrics,
  login: (...asked: A) => Promise<T>,
): (...asked: A) => Promise<T> {
  const logins = metrics.counter({
    name: 'logins_total',
    help: 'Logins by password: OK, or why not.',
    labels: ['outcome'],
  })
  const done = logins('OK')
  return async (...asked) => {
    try {
      const tokens = await login(...asked)
      done.add()
      return tokens
    } catch (error) {
      if (error instanceof Refusal) logins(error.code).add()
      throw error
    }
  }
}
