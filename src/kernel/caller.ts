export type Actor = {
  /** SYSTEM: the service by itself. ANONYMOUS: somebody without a credential. */
  type: 'ADMIN' | 'API_KEY' | 'USER' | 'NODE' | 'SYSTEM' | 'ANONYMOUS'
  /** Null for the key of the environment, for the system itself and for who is anonymous. */
  id: string | null
  /** What a person reads in the audit log: a key's name, an e-mail address. Never a secret. */
  label: string
}

/** Who asks, from where, and in which request: what an audit entry says of a change. */
export type Caller = { actor: Actor; ip: string | null; requestId: string | null }

export const systemCaller: Caller = { actor: { type: 'SYSTEM', id: null, label: 'atrium' }, ip: null, requestId: null }

export const anonymousActor: Actor = { type: 'ANONYMOUS', id: null, label: 'anonymous' }
