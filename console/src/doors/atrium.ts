import { AtriumAdmin } from '@atrium/sdk/admin'
import { requireConfirmation, requireSession } from './gates.ts'
import { doorHeaders } from './session.ts'

const baseUrl = '/console/api'

/** The SDK through the console's door: the browser adds the credential, which no script can read. */
export const atrium = new AtriumAdmin({ baseUrl, fetch: doorFetch() })

/** For requests that a timer makes: they do not keep a session alive. */
export const atriumPoll = new AtriumAdmin({ baseUrl, fetch: doorFetch({ 'x-atrium-poll': '1' }), retries: 0 })

function doorFetch(more: Record<string, string> = {}): typeof fetch {
  const send: typeof fetch = async (url, init = {}) => {
    const response = await fetch(url, { ...init, headers: { ...(init.headers as object), ...doorHeaders, ...more } })
    if (response.status !== 401 && response.status !== 403) return response
    const { code } = (await response
      .clone()
      .json()
      .catch(() => ({}))) as { code?: string }
    // What was asked is asked again: a form keeps what was typed.
    if (code === 'SESSION_INVALID' && (await requireSession())) return send(url, init)
    if (code === 'CONFIRMATION_REQUIRED' && (await requireConfirmation())) return send(url, init)
    return response
  }
  return send
}
