import type { EmulatorClock } from '../emulator.ts'

export type StoredToken = Record<string, unknown> & { grantId?: string; clientId?: string }

type Entry = { payload: StoredToken; expiresAt: number; consumedAt: number | null }

/** What `oidc-provider` keeps of one kind (its interface for databases). */
export type TokenAdapter = {
  upsert(id: string, payload: StoredToken, expiresIn: number | undefined): Promise<void>
  find(id: string): Promise<StoredToken | undefined>
  consume(id: string): Promise<void>
  destroy(id: string): Promise<void>
  revokeByGrantId(grantId: string): Promise<void>
  findByUid(): Promise<undefined>
  findByUserCode(): Promise<undefined>
}

export type TokenStore = {
  adapter(kind: string): TokenAdapter
  read(kind: string, id: string): StoredToken | undefined
  revokeGrant(grantId: string): void
}

type Options = {
  clock: EmulatorClock
  /** How long a refresh token works after its use. */
  graceSeconds: number
  /** Whether a refresh token that is used again after that ends its grant. Otherwise it is only refused. */
  reuseEndsGrant: boolean
  findClient(id: string): StoredToken | undefined
}

/** In memory, by the clock of the emulators, so that tokens expire when a test advances it. */
export function tokenStore({ clock, graceSeconds, reuseEndsGrant, findClient }: Options): TokenStore {
  const entries = new Map<string, Entry>()

  function read(kind: string, id: string): StoredToken | undefined {
    if (kind === 'Client') return findClient(id)
    const entry = entries.get(`${kind}:${id}`)
    const now = clock.now().getTime()
    if (entry === undefined || entry.expiresAt <= now) return undefined
    const isConsumed = entry.consumedAt !== null && now >= entry.consumedAt + graceOf(kind) * 1000
    if (isConsumed && kind === 'RefreshToken' && !reuseEndsGrant) return undefined
    return isConsumed ? { ...entry.payload, consumed: Math.floor((entry.consumedAt ?? 0) / 1000) } : entry.payload
  }

  const graceOf = (kind: string) => (kind === 'RefreshToken' ? graceSeconds : 0)

  function revokeGrant(grantId: string): void {
    for (const [key, { payload }] of entries) {
      if (payload.grantId === grantId || key === `Grant:${grantId}`) entries.delete(key)
    }
  }

  return {
    read,
    revokeGrant,
    adapter: (kind) => ({
      upsert: async (id, payload, expiresIn) => {
        const expiresAt = expiresIn === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() + expiresIn * 1000
        entries.set(`${kind}:${id}`, { payload, expiresAt, consumedAt: null })
      },
      find: async (id) => read(kind, id),
      consume: async (id) => {
        const entry = entries.get(`${kind}:${id}`)
        // The first use counts: later ones do not lengthen the grace.
        if (entry !== undefined) entry.consumedAt ??= clock.now().getTime()
      },
      destroy: async (id) => void entries.delete(`${kind}:${id}`),
      revokeByGrantId: async (grantId) => revokeGrant(grantId),
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    }),
  }
}
