import type { Customer } from '../../harness/customer.ts'

export type AttackTarget = {
  base: string
  admin: Record<string, string>
  /** The attacker's own tenant, with the limits of a fresh installation. */
  customer: Pick<Customer, 'tenantId' | 'headers' | 'licenseKey'>
}

export type Attack = {
  name: string
  /** Settings of the service, where the attack needs others than the default ones. */
  environment?: Record<string, string>
  /** Resolves with what was seen, for example `400 BODY_TOO_MANY_MEMBERS`. Throws where the service did not hold. */
  run(target: AttackTarget): Promise<string>
}
