import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'

export type PasswordHasher = {
  /** The PHC string to store. Refuses UNAVAILABLE when too many are waiting. */
  hash(password: string): Promise<string>
  /** Null stands for a user who does not exist: false, at the cost of a real check. Refuses UNAVAILABLE when too many are waiting. */
  verify(storedHash: string | null, password: string): Promise<boolean>
  /** Whether a stored hash was made with other parameters and should be made anew while the password is at hand. */
  isStale(storedHash: string): boolean
}

/** The OWASP password storage cheat sheet's minimum for argon2id, which is the library's default: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const phcPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
/** Salt and hash of zeros: no password is known to give it, and checking against it costs what a real check costs. */
const decoy = `${phcPrefix}${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * argon2id for at most `concurrent` passwords at once (each takes 19 MiB and a core for about 12 ms) with at most
 * `queueMax` waiting, so that a flood of logins neither fills the memory nor makes the last one wait for seconds.
 */
export function passwordHasher({
  concurrent = Math.max(2, availableParallelism()),
  queueMax = 64,
} = {}): PasswordHasher {
  const inTurn = concurrencyLimit(concurrent, queueMax)
  return {
    hash: (password) => inTurn(() => hash(password.normalize('NFC'), cost)),
    async verify(storedHash, password) {
      const isSame = await inTurn(() => verify(storedHash ?? decoy, password.normalize('NFC')))
      return isSame && storedHash !== null
    },
    isStale: (storedHash) => !storedHash.startsWith(phcPrefix),
  }
}
