// Who is signed in. Used before React is there, so it needs nothing but `fetch`.

export type Role = 'OWNER' | 'EDITOR' | 'VIEWER'
export type Session = {
  id: string
  role: Role
  keyId: string | null
  keyName?: string
  expiresAt: string
  idleExpiresAt: string
}

export type Refusal = { status: number; code: string; detail?: string; retryAfterSeconds?: number }

/** Foreign pages cannot send this header. */
export const doorHeaders = { 'x-atrium-door': '1' }

/** Null: nobody is signed in. */
export async function currentSession(): Promise<Session | null> {
  const answer = await ask('GET', '/console/session')
  return 'session' in answer ? answer.session : null
}

export function signIn(credential: { adminKey: string } | { link: string }): Promise<{ session: Session } | Refusal> {
  return ask('POST', '/console/session', credential)
}

export function confirmSession(adminKey: string): Promise<{ session: Session } | Refusal> {
  return ask('POST', '/console/session/confirm', { adminKey })
}

export async function signOut(): Promise<void> {
  await ask('DELETE', '/console/session')
}

async function ask(method: string, url: string, body?: object): Promise<{ session: Session } | Refusal> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...doorHeaders, accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const answer = response.status === 204 ? {} : await response.json()
    if (response.ok) return answer
    return { status: response.status, retryAfterSeconds: Number(response.headers.get('retry-after')), ...answer }
  } catch {
    return { status: 0, code: 'NETWORK_ERROR' }
  }
}
