import { liveClient } from '../../harness/live-client.ts'
import type { People, Person } from './people.ts'
import type { Faults } from './races.ts'

/** What the contract promises for every process. */
const closedMsMax = 2_000

export type Removal = (round: number) => Promise<{ faults: Faults; closedMs: number }>

/**
 * A member follows a meeting on one process, and is removed by another, which hands their meetings over. Gives how long the
 * connection lived after the answer to the removal.
 */
export async function removal({ baseAt, call, expect, createOrg, add, person }: People): Promise<Removal> {
  const [owner, member] = [await person(), await person()]
  const orgId = await createOrg(owner)
  const create = async (body: object): Promise<string> =>
    (await expect(201, call(member, 'POST', '/meetings', { body: { title: 'Planning', orgId, ...body } }))).id
  const accessOf = async (reader: Person, id: string): Promise<string> => {
    const { status, body } = await call(reader, 'GET', `/meetings/${id}`)
    return status === 200 ? `${body.access} ${body.visibility}` : String(status)
  }

  return async (round) => {
    await add(orgId, member, 'member')
    const sharedWith = [{ userId: owner.id, access: 'read' }]
    const meetings = {
      open: await create({ sharedWith: [{ userId: owner.id, access: 'write' }] }),
      closed: await create({ visibility: 'private' }),
      listed: await create({ visibility: 'members', sharedWith }),
    }
    const token = (member.headers['authorization'] as string).slice('Bearer '.length)
    const client = await liveClient({ base: baseAt(round + 1), token })
    client.send({ type: 'join', meetingId: meetings.open })
    await client.next('joined')
    const told = Promise.race([client.closed, client.next('left').catch(() => undefined)])
    const path = `/orgs/${orgId}/members/${member.id}?meetingsTo=${owner.id}`
    await expect(204, call(owner, 'DELETE', path, { at: round }))
    const removedAt = performance.now()
    await told
    const closedMs = performance.now() - removedAt
    await client.close()
    const seen: Record<string, string> = {}
    for (const [name, id] of Object.entries(meetings))
      seen[name] = `${await accessOf(owner, id)}, ${await accessOf(member, id)}`
    const expected = { open: 'owner org, 404', closed: '404, owner private', listed: '404, owner private' }
    const wrong = Object.entries(expected).filter(([name, access]) => seen[name] !== access)
    const late = closedMs > closedMsMax ? ['closed late'] : []
    return { closedMs, faults: [...late, ...wrong.map(([name]) => `${name}: ${seen[name]}`)] }
  }
}
