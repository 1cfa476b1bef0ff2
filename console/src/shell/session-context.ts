import { createContext, use } from 'react'
import type { Role, Session } from '../doors/session.ts'
import { words } from './words.ts'

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === null) throw new Error('There is no session outside of the shell.')
  return session
}

const ranks: Record<Role, number> = { VIEWER: 0, EDITOR: 1, OWNER: 2 }

/** Null if the person may do it, else why not. The service decides; this only spares a refusal. */
export function useWhyNot(role: Role): string | null {
  const session = useSession()
  return ranks[session.role] >= ranks[role] ? null : words.needsRole(role, session.role)
}
