import type { Person } from './oauth/grant.ts'

/** The two people of every provider, by the ids that they have there. The first one signs in unless a test says otherwise. */
export function peopleWith(first: string, second: string): Person[] {
  return [
    { id: first, name: 'Ada Example', email: 'ada@example.com' },
    { id: second, name: 'Ben Example', email: 'ben@example.com' },
  ]
}
