export type OrgMember = { userId: string; name: string | null; email: string }
export type Participant = { name: string; email: string | null }

/** Somebody whom a spoken name may mean. `userId` is null for a participant who is no member. */
type Person = { userId: string | null }

const titles = new Set(['mr', 'mrs', 'ms', 'dr', 'prof', 'herr', 'frau', 'senor', 'senora', 'monsieur', 'madame'])

/**
 * Finds the member whom a spoken name means: the only one among members and participants whose whole name it is, or else
 * whose name has all its words. A participant with a member's address is that member, and so is one with a member's name.
 */
export function ownerFinder({ members, participants }: { members: OrgMember[]; participants: Participant[] }) {
  const byName = new Map<string, Set<Person>>()
  const byWord = new Map<string, Set<Person>>()
  const add = (name: string, person: Person) => {
    const words = nameWords(name)
    if (words.length === 0) return
    addTo(byName, words.join(' '), person)
    for (const word of words) addTo(byWord, word, person)
  }
  const byEmail = new Map<string, Person>()
  for (const { userId, name, email } of members) {
    const person = { userId }
    byEmail.set(email.toLowerCase(), person)
    add(name ?? '', person)
  }
  for (const { name, email } of participants) {
    const member = byEmail.get(email?.toLowerCase() ?? '')
    if (member !== undefined) add(name, member)
    else if (!byName.has(nameWords(name).join(' '))) add(name, { userId: null })
  }
  return (spoken: string): string | null => {
    const words = nameWords(spoken)
    const whole = byName.get(words.join(' '))
    if (whole !== undefined) return only(whole)
    const [first = new Set<Person>(), ...rest] = words.map((word) => byWord.get(word) ?? new Set<Person>())
    return only(new Set([...first].filter((person) => rest.every((having) => having.has(person)))))
  }
}

function only(people: Set<Person>): string | null {
  const [person] = people
  return people.size === 1 ? (person?.userId ?? null) : null
}

function addTo(index: Map<string, Set<Person>>, key: string, person: Person): void {
  index.set(key, (index.get(key) ?? new Set()).add(person))
}

/** "Dr. Ada Lovelace (Brightline)" is "ada lovelace"; accents do not count. */
function nameWords(name: string): string[] {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\([^()]*\)/g, ' ')
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !titles.has(word))
}
