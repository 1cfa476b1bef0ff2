import type { Answer } from '../../harness/client.ts'
import type { People, Person } from './people.ts'

/** What was wrong after a race; empty: nothing. */
export type Faults = string[]

const acceptsAtOnce = 20

export type Races = Record<string, (round: number) => Promise<Faults>>

/** Races for roles, memberships and seats. Each of the callers asks the next process. */
export async function races(people: People, membersMax: number): Promise<Races> {
  const { call, createOrg, add, invite, membersSeenBy } = people
  const [owner, second, third] = [await people.person(), await people.person(), await people.person()]
  const guests: Person[] = []
  for (let count = 0; count < acceptsAtOnce; count++) guests.push(await people.person())

  const leave = (person: Person, orgId: string, at: number) =>
    call(person, 'DELETE', `/orgs/${orgId}/members/me`, { at })
  const accept = (person: Person, body: object, at: number) => call(person, 'POST', '/invitations/accept', { at, body })
  const guestOf = (round: number) => guests[round % guests.length] as Person

  return {
    'two owners leave': async (round) => {
      const orgId = await createOrg(owner)
      await add(orgId, second, 'owner')
      const answers = await Promise.all([leave(owner, orgId, round), leave(second, orgId, round + 1)])
      const staying = answers[0].status === 204 ? second : owner
      return [...wrongStatuses(answers, [204, 409]), ...(await wrongOwners(staying, orgId, 1))]
    },

    'transfer and removal': async (round) => {
      const orgId = await createOrg(owner)
      await add(orgId, second, 'member')
      await add(orgId, third, 'admin')
      const [handed, removed] = await Promise.all([
        call(owner, 'POST', `/orgs/${orgId}/transfer`, { at: round, body: { userId: second.id } }),
        call(third, 'DELETE', `/orgs/${orgId}/members/${second.id}`, { at: round + 1 }),
      ])
      const isHanded = handed.status === 200
      const expected = isHanded ? [200, 403] : [400, 204]
      const wrong = wrongStatuses([handed, removed], expected, { isOrdered: true })
      return [...wrong, ...(await wrongOwners(isHanded ? second : owner, orgId, isHanded ? 3 : 2))]
    },

    'one token': async (round) => {
      const [orgId, guest] = [await createOrg(owner), guestOf(round)]
      await invite(owner, orgId, guest)
      const token = await people.tokenTo(guest.email)
      const answers = await Promise.all(guests.map((_, at) => accept(guest, { token }, at)))
      const expected = [200, ...Array<number>(acceptsAtOnce - 1).fill(400)]
      return [...wrongStatuses(answers, expected), ...(await wrongOwners(owner, orgId, 2))]
    },

    'the last seat': async () => {
      const orgId = await createOrg(owner)
      for (const person of [second, third].slice(0, membersMax - 2)) await add(orgId, person, 'member')
      const invitationIds: string[] = []
      for (const guest of guests) invitationIds.push(await invite(owner, orgId, guest))
      const answers = await Promise.all(
        guests.map((guest, at) => accept(guest, { invitationId: invitationIds[at] }, at)),
      )
      const expected = [200, ...Array<number>(acceptsAtOnce - 1).fill(403)]
      return [...wrongStatuses(answers, expected), ...(await wrongOwners(owner, orgId, membersMax))]
    },
  }

  async function wrongOwners(member: Person, orgId: string, count: number): Promise<Faults> {
    const members = await membersSeenBy(member, orgId)
    const owners = members.filter(({ role }) => role === 'owner')
    return [
      ...(owners.length === 1 ? [] : [`${owners.length} owners`]),
      ...(members.length === count ? [] : [`${members.length} members instead of ${count}`]),
      ...(new Set(members.map(({ userId }) => userId)).size === members.length ? [] : ['a member twice']),
    ]
  }
}

function wrongStatuses(answers: Answer[], expected: number[], { isOrdered = false } = {}): Faults {
  const text = (statuses: number[]) => (isOrdered ? statuses : statuses.toSorted((a, b) => a - b)).join(' ')
  const got = text(answers.map(({ status }) => status))
  return got === text(expected) ? [] : [`answers ${got}`]
}
