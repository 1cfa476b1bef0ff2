import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'

export type PasswordHasher = {
  /** Returns the PHC string to store. Refuses UNAVAILABLE if the queue is full. */
  hash(password: string): Promise<string>
  /** Pass null for an unknown user: the result is false, and takes as long as a real check. Refuses UNAVAILABLE if the queue is full. */
  verify(storedHash: string | null, password: string): Promise<boolean>
  /** Whether a stored hash has outdated parameters and should be replaced at the next login. */
  isStale(storedHash: string): boolean
}

/** Of argon2id. `memoryCost` is in KiB, `timeCost` in passes, `parallelism` in lanes. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** The minimum for argon2id in the OWASP password storage cheat sheet: 19 MiB, two passes, one lane. */
const recommendedCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** `cost`: by default what is recommended. A hash that was made with another one is stale. */
type PasswordHasherOptions = { cost?: PasswordCost | undefined; concurrent?: number; queueMax?: number }

/**
 * Hashes with argon2id, at most `concurrent` at once; each takes 19 MiB and one core for about 12 ms. At most `queueMax`
 * wait, so that a flood of logins neither fills the memory nor makes anybody wait for seconds.
 */
export function passwordHasher({
  cost = recommendedCost,
  concurrent = Math.max(2, availableParallelism()),
  queueMax = 64,
}: PasswordHasherOptions = {}): PasswordHasher {
  const phcPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
  // Salt and hash of zeros: no known password matches, and checking against it takes as long as a real check.
  const decoy = `${phcPrefix}${'A'.repeat(22)}$${'A'.repeat(43)}`
  const limited = concurrencyLimit(concurrent, queueMax)
  return {
    hash: (password) => limited(() => hash(password.normalize('NFC'), cost)),
    async verify(storedHash, password) {
      const isSame = await limited(() => verify(storedHash ?? decoy, password.normalize('NFC')))
      return isSame && storedHash !== null
    },
    isStale: (storedHash) => !storedHash.startsWith(phcPrefix),
  }
}
