import type { Call, Reply } from '../call.ts'
import type { OauthBehaviour, Person } from './grant.ts'
import type { TokenCore } from './token-core.ts'

/**
 * The consent page. A person allows or denies, picks an account and takes scopes away. Tests post the form themselves:
 * `decision` (allow, deny, admin_consent), `account` (an id; default the first) and `scope` (repeated; default all).
 */
export function authorizePage(name: string, behaviour: OauthBehaviour, core: TokenCore) {
  return {
    show: (call: Call): Reply => {
      const refusal = refuse(call, behaviour, core)
      return refusal ?? page(200, name, form(behaviour, call))
    },
    decide: async (call: Call): Promise<Reply> => {
      const refusal = refuse(call, behaviour, core)
      if (refusal !== null) return refusal
      const asked = Object.fromEntries(call.query)
      const redirectUri = asked['redirect_uri'] ?? ''
      const choice = new URLSearchParams(call.text)
      const decision = choice.get('decision') ?? 'allow'
      if (decision !== 'allow') return redirect(redirectUri, { ...denial(decision), state: asked['state'] })
      const person = personOf(behaviour.people, choice.get('account'))
      if (person === undefined) return page(400, name, 'There is no such account.')
      const wanted = scopesOf(behaviour, call)
      const scopes = choice.has('scope') ? wanted.filter((scope) => choice.getAll('scope').includes(scope)) : wanted
      const clientId = asked['client_id'] ?? ''
      const code = await core.authorize({ clientId, redirectUri, person, scopes, asked })
      return redirect(redirectUri, {
        code,
        state: asked['state'],
        ...(behaviour.sendsIssuer && { iss: behaviour.issuer }),
      })
    },
  }
}

function refuse({ query }: Call, behaviour: OauthBehaviour, core: TokenCore): Reply | null {
  const problem = (text: string) => page(400, 'Authorization', escapeHtml(text))
  if (!core.clients.has(query.get('client_id') ?? '')) return problem('client_id is unknown')
  if (!isAddress(query.get('redirect_uri') ?? '')) return problem('redirect_uri is neither https nor loopback')
  if (query.get('response_type') !== 'code') return problem('response_type is not "code"')
  const hasChallenge = /^[\w-]{43}$/.test(query.get('code_challenge') ?? '')
  const method = query.get('code_challenge_method')
  if (query.has('code_challenge') && (!hasChallenge || method !== 'S256'))
    return problem('the code challenge is malformed')
  if (behaviour.pkce === 'required' && !hasChallenge) return problem('code_challenge is missing')
  return null
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}

function scopesOf({ scopeSeparator, hasScopes }: OauthBehaviour, { query }: Call): string[] {
  if (!hasScopes) return []
  return [...new Set((query.get('scope') ?? '').split(scopeSeparator).filter((scope) => scope !== ''))]
}

function personOf(people: Person[], id: string | null): Person | undefined {
  return id === null ? people[0] : people.find((person) => person.id === id)
}

function denial(decision: string): Record<string, string> {
  if (decision === 'admin_consent') {
    const text = 'AADSTS90094: The grant requires admin permission.'
    return { error: 'consent_required', error_description: text }
  }
  return { error: 'access_denied', error_description: 'The user denied the request.' }
}

function redirect(address: string, parameters: Record<string, string | undefined>): Reply {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return { status: 302, headers: { location: url.href } }
}

function form(behaviour: OauthBehaviour, call: Call): string {
  const people = behaviour.people.map(
    ({ id, name, email }, index) =>
      `<label><input type="radio" name="account" value="${escapeHtml(id)}"${index === 0 ? ' checked' : ''}> ${escapeHtml(`${name} (${email})`)}</label><br>`,
  )
  const scopes = scopesOf(behaviour, call).map(
    (scope) =>
      `<label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked> ${escapeHtml(scope)}</label><br>`,
  )
  return `<form method="post"><p>${people.join('')}</p><p>${scopes.join('')}</p>
<button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></form>`
}

function page(status: number, title: string, body: string): Reply {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title} (emulator)</title><h1>${title} (emulator)</h1>${body}</html>`
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
