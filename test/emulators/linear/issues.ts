import { createHmac, randomUUID } from 'node:crypto'
import type { Controls, World } from '../emulator.ts'
import type { Grant } from '../oauth/grant.ts'
import { linearOauth } from './linear-oauth.ts'

const organization = { id: '9cfb482a-81e3-4154-b5b9-2c805e70a02d', name: 'Example', urlKey: 'example' }
const linearTeam = { id: '4f2c9d53-7e0c-4b5b-9a7e-3c1b6f0e8d11', name: 'Product', key: 'PRO' }

const states = [
  { id: '0a6f2b9c-1f55-4d0b-8c4a-0e6f6b0f7a01', name: 'Todo', type: 'unstarted' },
  { id: '0a6f2b9c-1f55-4d0b-8c4a-0e6f6b0f7a02', name: 'In Progress', type: 'started' },
  { id: '0a6f2b9c-1f55-4d0b-8c4a-0e6f6b0f7a03', name: 'Done', type: 'completed' },
  { id: '0a6f2b9c-1f55-4d0b-8c4a-0e6f6b0f7a04', name: 'Canceled', type: 'canceled' },
]

type Issue = {
  id: string
  number: number
  title: string
  description: string | null
  stateId: string
  assigneeId: string | null
  dueDate: string | null
  createdAt: Date
  updatedAt: Date
}

type IssueInput = {
  id?: string
  teamId?: string
  title?: string
  description?: string | null
  stateId?: string
  assigneeId?: string | null
  dueDate?: string | null
}

type Webhook = { id: string; url: string; secret: string; resourceTypes: string[] }

/** Who writes through the API with `actor=app`. */
const appActor = { id: 'a1d0c6e8-8f3f-4a55-8a19-5b6a7a0a9e01', name: 'Atrium' }

/** https://linear.app/developers/graphql. An issue is created with an id of the caller's, and a second time refused. */
export function linearIssues(world: World) {
  const issues = new Map<string, Issue>()
  const webhooks = new Map<string, Webhook>()

  function create(input: IssueInput, actorId: string): Issue {
    if (input.teamId !== linearTeam.id) throw new Error('Entity not found: Team')
    const id = input.id ?? randomUUID()
    if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id))
      throw new Error('Argument Validation Error: id must be a UUID')
    if (issues.has(id)) throw new Error(`Entity already exists: Issue ${id}`)
    const now = world.clock.now()
    const { title = '', description = null, stateId = states[0]?.id ?? '', assigneeId = null, dueDate = null } = input
    const issue = {
      id,
      number: issues.size + 1,
      title,
      description,
      stateId,
      assigneeId,
      dueDate,
      createdAt: now,
      updatedAt: now,
    }
    issues.set(id, issue)
    tell('create', issue, actorId)
    return issue
  }

  function update(id: string, { id: _id, teamId: _teamId, ...input }: IssueInput, actorId: string): Issue {
    const issue = find(id)
    Object.assign(issue, input, { updatedAt: world.clock.now() })
    tell('update', issue, actorId)
    return issue
  }

  function find(id: string): Issue {
    const issue = issues.get(id) ?? [...issues.values()].find((it) => `${linearTeam.key}-${it.number}` === id)
    if (issue === undefined) throw new Error('Entity not found: Issue')
    return issue
  }

  function tell(action: 'create' | 'update', issue: Issue, actorId: string): void {
    for (const webhook of webhooks.values()) {
      if (!webhook.resourceTypes.includes('Issue')) continue
      const deliveryId = randomUUID()
      const data = { ...shown(issue), stateId: issue.stateId, assigneeId: issue.assigneeId }
      const createdAt = world.clock.now().toISOString()
      world.deliver({
        url: webhook.url,
        about: issue.id,
        sign: (now) => {
          const body = JSON.stringify({
            action,
            type: 'Issue',
            actor: { id: actorId },
            createdAt,
            organizationId: organization.id,
            webhookTimestamp: now.getTime(),
            webhookId: webhook.id,
            url: shown(issue).url,
            data,
          })
          const signature = createHmac('sha256', webhook.secret).update(body).digest('hex')
          const names = { 'linear-delivery': deliveryId, 'linear-event': 'Issue', 'linear-signature': signature }
          return { headers: { 'content-type': 'application/json', ...names }, body }
        },
      })
    }
  }

  const controls: Controls = {
    issues: () => [...issues.values()].map(shown),
    states: () => states,
    webhooks: () => [...webhooks.values()].map(({ id, url }) => ({ id, url })),
    /** A person creates an issue. */
    createIssue: (input) => shown(create({ teamId: linearTeam.id, ...input }, linearOauth.people[1]?.id ?? '')),
    /** A person edits an issue: `{id, title, description, stateId, assigneeId, dueDate}`. */
    editIssue: (input) => shown(update(String(input['id']), input, linearOauth.people[1]?.id ?? '')),
  }

  return {
    controls,
    /** The first person is an admin of the workspace. */
    mayHaveWebhooks: ({ person, scopes }: Grant) => person.id === linearOauth.people[0]?.id || scopes.includes('admin'),
    queries: {
      organization,
      teams: () => ({ nodes: [{ ...linearTeam, states: { nodes: states } }] }),
      team: ({ id }: { id: string }) => {
        if (id !== linearTeam.id) throw new Error('Entity not found: Team')
        return { ...linearTeam, states: { nodes: states } }
      },
      users: ({ filter }: { filter?: { email?: { eqIgnoreCase?: string } } }) => ({
        nodes: linearOauth.people
          .filter(({ email }) => email === (filter?.email?.eqIgnoreCase?.toLowerCase() ?? email))
          .map((person) => ({ ...person, displayName: person.name })),
      }),
      webhooks: () => ({ nodes: [...webhooks.values()].map(({ id, url }) => ({ id, url, enabled: true })) }),
      workflowStates: () => ({ nodes: states }),
      issue: ({ id }: { id: string }) => shown(find(id)),
      issues: ({ filter, first = 50, after }: { filter?: IssueFilter; first?: number; after?: string }) => {
        const since = Date.parse(filter?.updatedAt?.gte ?? filter?.updatedAt?.gt ?? '1970-01-01')
        const found = [...issues.values()]
          .filter((it) => it.updatedAt.getTime() >= since && (filter?.id?.in?.includes(it.id) ?? true))
          .sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime())
        const start = Number(after ?? 0)
        const page = found.slice(start, start + first)
        const hasNextPage = start + first < found.length
        return {
          nodes: page.map(shown),
          pageInfo: { hasNextPage, endCursor: hasNextPage ? String(start + first) : null },
        }
      },
    },
    mutations: {
      issueCreate: ({ input }: { input: IssueInput }) => ({ success: true, issue: shown(create(input, appActor.id)) }),
      issueUpdate: ({ id, input }: { id: string; input: IssueInput }) => ({
        success: true,
        issue: shown(update(id, input, appActor.id)),
      }),
      commentCreate: () => ({ success: true, comment: { id: randomUUID() } }),
      webhookCreate: ({ input }: { input: Partial<Webhook> }) => {
        const webhook = {
          id: randomUUID(),
          url: input.url ?? '',
          secret: input.secret ?? '',
          resourceTypes: input.resourceTypes ?? [],
        }
        webhooks.set(webhook.id, webhook)
        return { success: true, webhook: { ...webhook, enabled: true } }
      },
      webhookDelete: ({ id }: { id: string }) => ({ success: webhooks.delete(id) }),
    },
  }
}

type IssueFilter = { updatedAt?: { gte?: string; gt?: string }; id?: { in?: string[] } }

function shown(issue: Issue) {
  const identifier = `${linearTeam.key}-${issue.number}`
  const assignee = linearOauth.people.find(({ id }) => id === issue.assigneeId) ?? null
  return {
    ...issue,
    identifier,
    url: `https://linear.app/${organization.urlKey}/issue/${identifier}`,
    team: { ...linearTeam, states: { nodes: states } },
    state: states.find(({ id }) => id === issue.stateId),
    assignee: assignee && { ...assignee, displayName: assignee.name },
    createdAt: issue.createdAt.toISOString(),
    updatedAt: issue.updatedAt.toISOString(),
  }
}
