import type { KeyCaller } from '../../http/access/callers.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** Who may create users. An API key always may: its tenant's limits hold. */
export type RegistrationPolicy = {
  isOpenTo(apiKey: KeyCaller | null): boolean
}

/** Without an API key, users of the built-in tenant could be made by anybody. */
export function registrationPolicy(settings: { isPlatformRegistrationOpen: boolean }): RegistrationPolicy {
  return { isOpenTo: (apiKey) => apiKey !== null || settings.isPlatformRegistrationOpen }
}

export function registrationClosed(): Refusal {
  return new Refusal('REGISTRATION_CLOSED', { detail: 'Registering here requires the API key of a tenant.' })
}
