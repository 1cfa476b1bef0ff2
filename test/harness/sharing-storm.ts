import { type TestApp, type TestUser, unique } from './app.ts'
import { type LiveClient, liveClient } from './live-client.ts'
import { meetingCalls, said } from './meetings.ts'
import { organizationCalls } from './organizations.ts'
import { seededRandom } from './seeded-random.ts'
import { emptyStorm, randomChange, type Sight, type StormChange, sightIn } from './sharing-storm-state.ts'
import { propose, taskCalls } from './tasks.ts'

/** An app over the database that all nodes share, and where it listens. */
export type StormNode = { app: TestApp; base: string }

/** What was shown to whom, and when: moments are counts of changes. */
export type StormOutcome = {
  changes: number
  handovers: number
  reads: number
  entriesRead: number
  entriesHeard: number
  evidenceRead: number
  handedRead: number
  leaks: string[]
}

/**
 * Changes roles, shares and memberships at random, while the people of an organization read meetings and tasks and follow a
 * meeting live, each on one of the nodes. Every entry tells the moment at which it was said. Somebody may see it who could
 * read the meeting at any moment from then until it arrived; everything else is a leak. Tasks with evidence, and a meeting
 * that goes from member to member, may be seen by who could read them at any moment of the request.
 */
export async function sharingStorm(
  nodes: [StormNode, ...StormNode[]],
  { changes, seed = 1 }: { changes: number; seed?: number },
): Promise<StormOutcome> {
  const random = seededRandom(seed)
  const { app } = nodes[0]
  const [orgs, meetings] = [organizationCalls(app), meetingCalls(app)]
  const key = await app.apiKey(await app.tenant())
  const owner = await orgs.person(key)
  const orgId: string = (await orgs.create(owner)).id
  const people = await Promise.all(Array.from({ length: 4 }, () => orgs.person(key)))
  const { id } = await meetings.create(owner, { orgId, visibility: 'private', ttl_days: null, title: unique('storm') })
  const source = { tenantId: key.tenantId, orgId, meetingId: id }
  await propose(app, source)
  await taskCalls(app, orgId).change(owner, (await propose(app, source)).id, { status: 'open' })

  let state = emptyStorm
  /** The meeting of `state.holder`. */
  let handedId: string | null = null
  const sights: Sight[] = [sightIn(state)]
  /** The last change that was answered; one more may be under way. */
  let moment = 0
  const outcome: StormOutcome = {
    changes: 0,
    handovers: 0,
    reads: 0,
    entriesRead: 0,
    entriesHeard: 0,
    evidenceRead: 0,
    handedRead: 0,
    leaks: [],
  }
  const check = (what: string, since: number, may: (sight: Sight) => boolean) => {
    if (!sights.slice(since).some(may)) outcome.leaks.push(`${what}: could be read before ${since}, seen at ${moment}`)
  }
  const checkEntry = (how: string, user: TestUser, text: string) =>
    check(how, Number(text), ({ readers }) => readers.has(user.id))

  const carryOut = async (change: StormChange): Promise<void> => {
    if (change.kind === 'share') {
      const { visibility, listed } = change
      const sharedWith = [...listed].map((userId) => ({ userId, access: random.oneOf(['read', 'write']) }))
      return succeed(meetings.call(owner, 'PATCH', `/${id}`, { body: { visibility, sharedWith } }))
    }
    const { user, role, heir } = change
    if (role === null) {
      const query = heir === null ? '' : `?meetingsTo=${heir}`
      if (heir !== null) outcome.handovers++
      // Somebody who is no member cannot be removed: nothing has changed.
      return succeed(orgs.call(owner, 'DELETE', `/orgs/${orgId}/members/${user.id}${query}`), 404)
    }
    const url = `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`
    await succeed(app.call({ method: 'POST', url, headers: app.admin, body: { userId: user.id, role } }))
  }
  const changeOnce = async () => {
    const change = randomChange(state, people, random)
    const { next } = change
    sights.push(sightIn(next))
    await carryOut(change)
    if (next.holder === null) handedId = null
    else if (state.holder === null && change.kind === 'role')
      handedId = (await meetings.create(change.user, { orgId, ttl_days: null })).id
    state = next
    // What may be read from now on is the new state alone, for what is said from now on.
    moment = sights.length - 1
    outcome.changes++
  }

  let isOver = false
  let lastSeq = 0
  const speak = async () => {
    while (!isOver) {
      const { body } = await meetings.append(owner, id, [said(String(moment), { segmentId: String(moment) })])
      lastSeq = body.lastSeq
    }
  }
  const nodeOf = (at: number) => nodes[at % nodes.length] as StormNode
  const read = async (user: TestUser, at: number) => {
    const calls = { meetings: meetingCalls(nodeOf(at).app), tasks: taskCalls(nodeOf(at).app, orgId) }
    const reading = [
      async () => {
        const path = `/${id}/transcript?limit=50&afterSeq=${Math.max(0, lastSeq - 10)}`
        const { status, body } = await calls.meetings.call(user, 'GET', path)
        if (status !== 200) return
        for (const { text } of body.entries) checkEntry('read', user, text)
        outcome.entriesRead += body.entries.length
      },
      async () => {
        const since = moment
        const { status, body } = await calls.tasks.call(user, 'GET')
        if (status !== 200) return
        check('tasks', since, ({ members }) => members.has(user.id))
        for (const task of body.tasks) {
          if (task.status !== 'proposed' && task.evidence === null) continue
          check(`${task.status} task`, since, ({ readers }) => readers.has(user.id))
          outcome.evidenceRead++
        }
      },
      async () => {
        const since = moment
        const reply = handedId === null ? null : await calls.meetings.get(user, handedId)
        if (reply?.status !== 200) return
        check('handed over', since, ({ members }) => members.has(user.id))
        if (reply.body.access === 'owner') check('owner', since, ({ holder }) => holder === user.id)
        outcome.handedRead++
      },
    ]
    while (!isOver)
      for (const readOne of reading) {
        await readOne()
        outcome.reads++
      }
  }
  const follow = async (user: TestUser, at: number) => {
    while (!isOver) {
      const client = await liveClient({ base: nodeOf(at).base, token: user.accessToken })
      client.send({ type: 'join', meetingId: id })
      await Promise.race([heard(client, user), over])
      await client.close()
    }
  }
  const heard = async (client: LiveClient, user: TestUser): Promise<void> => {
    const answer = await Promise.race([client.next('joined'), client.next('error')]).catch(() => null)
    if (answer?.type !== 'joined') return
    for (;;) {
      const frame = await client.next('transcript.entry').catch(() => null)
      if (frame === null) return
      checkEntry('heard', user, frame['entry'].text)
      outcome.entriesHeard++
    }
  }
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const work = [speak(), ...people.map(read), ...people.map((user, at) => follow(user, at + 1))]
  while (outcome.changes < changes) await changeOnce()
  isOver = true
  end()
  await Promise.all(work)
  return outcome
}

async function succeed(reply: Promise<{ status: number }>, ...others: number[]): Promise<void> {
  const { status } = await reply
  if (status >= 400 && !others.includes(status)) throw new Error(`a change was refused with ${status}`)
}
