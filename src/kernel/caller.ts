export type Actor = {
  /** SYSTEM: the service by itself. ANONYMOUS: somebody without a credential. */
  type: 'ADMIN' | 'API_KEY' | 'USER' | 'NODE' | 'RUNNER' | 'SYSTEM' | 'ANONYMOUS'
  /** Null for the admin key of the environment, for the system itself and for an anonymous caller. */
  id: string | null
  /** What the audit log shows: a key's name or an e-mail address. Never a secret. */
  label: string
}

/** Who made a request, from where, and which request: recorded with every change in the audit log. */
export type Caller = { actor: Actor; ip: string | null; requestId: string | null }

export const systemCaller: Caller = { actor: { type: 'SYSTEM', id: null, label: 'atrium' }, ip: null, requestId: null }

export const anonymousActor: Actor = { type: 'ANONYMOUS', id: null, label: 'anonymous' }
