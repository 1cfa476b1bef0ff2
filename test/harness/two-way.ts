import assert from 'node:assert/strict'
import type { ProviderName } from '../emulators/emulator.ts'
import type { TestKey, TestUser } from './app.ts'
import { integrationsBase as base, connectAccount, integrationLab, loggedIn } from './integrations.ts'
import { organizationCalls } from './organizations.ts'
import { type TrackerCase, trackerCases } from './tracker-cases.ts'

export type LinkedTask = { id: string; issue: string; actionId: string }

export type TwoWayLab = Awaited<ReturnType<typeof twoWayLab>>

/** An organization whose tasks become issues, with Ada and Ben, who are known at the trackers by their addresses. */
export async function twoWayLab() {
  const lab = await integrationLab()
  const { app, emulators } = lab
  const key: TestKey = await app.apiKey(await app.tenant())
  const orgs = organizationCalls(app)
  // Jobs are due by the clock of the database, too: ours must not be behind.
  lab.advance(600)
  const person = async (name: string): Promise<TestUser> =>
    orgs.verified(await app.user(key, { email: `${name}@example.com` }))
  let ada = await person('ada')
  let ben = await person('ben')
  const orgId: string = (await orgs.create(ada)).id
  await orgs.join(key, orgId, { user: ben, role: 'member' })
  const linear = (index: number) => emulators.people('linear')[index]?.id ?? ''
  const cases = trackerCases.map((it) =>
    it.provider === 'linear' ? Object.assign(it, { people: { ada: linear(0), ben: linear(1) } }) : it,
  )

  const call = (method: string, url: string, body?: object, user = ada) =>
    app.call({ method, url, headers: user.headers, ...(body === undefined ? {} : { body }) })
  const tasksBase = `/assistant/v1/orgs/${orgId}/tasks`

  async function connect({ provider }: Pick<TrackerCase, 'provider'>): Promise<string> {
    // Who has which account at GitHub is known by their own connections alone.
    if (provider === 'github')
      for (const [user, index] of [[ada, 0] as const, [ben, 1] as const]) {
        const account = emulators.people('github')[index]?.id ?? ''
        await connectAccount(app.call, user, { provider, features: ['tasks'], consent: { account } })
      }
    const integration = await connectAccount(app.call, ada, { provider, features: ['tasks'], orgId })
    if (integration.status !== 'choosing') return integration.id
    const chosen = await call('POST', `${base}/${integration.id}/account`, { accountId: integration.choices[0].id })
    return chosen.body.integration.id
  }

  /** Runs all jobs that are due, those of webhooks on their way included. */
  async function settle(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      await app.settled()
      await emulators.deliveries.settle()
    }
    await app.settled()
  }

  /** By what the tracker and our requests name it. */
  function issueOf({ provider }: TrackerCase, externalId: string): string {
    if (provider !== 'atlassian') return externalId
    const issues = emulators.control('atlassian', 'issues') as { id: string; key: string }[]
    return issues.find(({ key: name }) => name === externalId)?.id ?? ''
  }

  async function createIssue(it: TrackerCase, integrationId: string, draft: object): Promise<LinkedTask> {
    const made = await call('POST', tasksBase, draft)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const id: string = made.body.task.id
    const asked = await call('POST', `${base}/${integrationId}/actions`, {
      action: 'create_issue',
      taskId: id,
      target: it.target,
    })
    assert.equal(asked.status, 202, JSON.stringify(asked.body))
    const actionId: string = asked.body.action.id
    await settle()
    const { action } = (await call('GET', `${base}/actions/${actionId}`)).body
    assert.equal(action.status, 'done', JSON.stringify(action))
    return { id, issue: issueOf(it, action.externalId), actionId }
  }

  return {
    ...lab,
    cases,
    orgId,
    key,
    people: { ada, ben },
    call,
    connect,
    createIssue,
    settle,
    task: async ({ id }: Pick<LinkedTask, 'id'>) => (await call('GET', `${tasksBase}/${id}`)).body.task,
    tasks: async () => (await call('GET', `${tasksBase}?limit=100`)).body.tasks,
    change: async ({ id }: Pick<LinkedTask, 'id'>, body: object) => {
      const changed = await call('PATCH', `${tasksBase}/${id}`, body)
      assert.equal(changed.status, 200, JSON.stringify(changed.body))
      return changed.body.task
    },
    remove: ({ id }: Pick<LinkedTask, 'id'>) => call('DELETE', `${tasksBase}/${id}`),
    dismiss: ({ id }: Pick<LinkedTask, 'id'>, field: string) => call('DELETE', `${tasksBase}/${id}/conflicts/${field}`),
    /** A webhook that a person has made there. */
    hookAtGithub: async (config: { url: string; secret: string }) => {
      const token = await emulators.accessToken('github', ['repo', 'admin:repo_hook'])
      const reply = await fetch(`${emulators.origin}/api.github.com/repos/example/website/hooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ events: ['issues'], config }),
      })
      assert.equal(reply.status, 201)
    },
    /** Requests that wrote issues. */
    writes: (provider: ProviderName) => {
      const isWrite = trackerCases.find((it) => it.provider === provider)?.isWrite
      return emulators.journal.entries({ provider }).filter((entry) => isWrite?.(entry)).length
    },
    /** Users with new access tokens, after time has passed. */
    login: async () => {
      ada = await loggedIn(app, ada)
      ben = await loggedIn(app, ben)
    },
  }
}
