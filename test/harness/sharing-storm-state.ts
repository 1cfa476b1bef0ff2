import type { TestUser } from './app.ts'
import type { Random } from './seeded-random.ts'

export type StormRole = 'member' | 'viewer' | null

/** Who is what in the organization of a storm, and whom its two meetings are open to. Its owner is not one of the people. */
export type StormState = {
  roles: Map<string, StormRole>
  visibility: string
  listed: Set<string>
  /** Whose meeting it is that is open to all members, and that its owner hands over when removed; null: there is none. */
  holder: string | null
}

export type StormChange =
  | { kind: 'role'; user: TestUser; role: StormRole; heir: string | null; next: StormState }
  | { kind: 'share'; visibility: string; listed: Set<string>; next: StormState }

/** Who may see what in a state. */
export type Sight = { members: Set<string>; readers: Set<string>; holder: string | null }

export const emptyStorm: StormState = { roles: new Map(), visibility: 'private', listed: new Set(), holder: null }

export function sightIn({ roles, visibility, listed, holder }: StormState): Sight {
  const members = new Set([...roles].flatMap(([id, role]) => (role === null ? [] : [id])))
  const open = { private: () => false, org: () => true, members: (id: string) => listed.has(id) }
  return { members, holder, readers: new Set([...members].filter(open[visibility as keyof typeof open])) }
}

export function randomChange(state: StormState, people: TestUser[], random: Random): StormChange {
  return random.below(2) === 0 ? roleChange(state, people, random) : shareChange(state, people, random)
}

function roleChange(state: StormState, people: TestUser[], random: Random): StormChange {
  const user = random.oneOf(people)
  const role = random.oneOf<StormRole>(['member', 'viewer', null])
  const roles = new Map(state.roles).set(user.id, role)
  const listed = new Set(state.listed)
  if (role === null) listed.delete(user.id)
  // Only members can take meetings over. Without one the meeting leaves the organization.
  const heirs = [...roles].flatMap(([id, own]) => (own === 'member' ? [id] : []))
  const heir = role === null && state.holder === user.id && heirs.length > 0 ? random.oneOf(heirs) : null
  const holder =
    role === null && state.holder === user.id ? heir : (state.holder ?? (role === 'member' ? user.id : null))
  return { kind: 'role', user, role, heir, next: { ...state, roles, listed, holder } }
}

function shareChange(state: StormState, people: TestUser[], random: Random): StormChange {
  const visibility = random.oneOf(['private', 'org', 'members'])
  const members = people.filter(({ id }) => state.roles.get(id)).map(({ id }) => id)
  const listed = new Set(visibility === 'members' ? members.filter(() => random.below(2) === 0) : [])
  return { kind: 'share', visibility, listed, next: { ...state, visibility, listed } }
}
