import assert from 'node:assert/strict'
import { eventBus } from '../../src/storage/events.ts'
import { transaction } from '../../src/storage/scope.ts'
import type { Task } from '../../src/tasks/tasks/task.rules.ts'
import { taskRecords } from '../../src/tasks/tasks/task-record.ts'
import type { Reply, TestApp, TestUser } from './app.ts'

/** Short forms of the requests of an organization's tasks. */
export function taskCalls(app: TestApp, orgId: string) {
  const call = (
    user: TestUser,
    method: string,
    path = '',
    rest: { body?: unknown; headers?: object } = {},
  ): Promise<Reply> =>
    app.call({
      method,
      url: `/assistant/v1/orgs/${orgId}/tasks${path}`,
      headers: { authorization: `Bearer ${user.accessToken}`, ...rest.headers },
      ...(rest.body === undefined ? {} : { body: rest.body }),
    })
  return {
    call,
    // biome-ignore lint/suspicious/noExplicitAny: parsed JSON, whose members tests read
    create: async (user: TestUser, overrides: Record<string, unknown> = {}): Promise<any> => {
      const { status, body } = await call(user, 'POST', '', { body: { title: 'Write the notes', ...overrides } })
      assert.equal(status, 201, JSON.stringify(body))
      return body.task
    },
    get: (user: TestUser, id: string) => call(user, 'GET', `/${id}`),
    change: (user: TestUser, id: string, body: object, headers = {}) =>
      call(user, 'PATCH', `/${id}`, { body, headers }),
    /** The titles that a query lists, in its order. */
    titles: async (user: TestUser, query = ''): Promise<string[]> => {
      const { status, body } = await call(user, 'GET', `?limit=100${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body.tasks.map(({ title }: { title: string }) => title)
    },
  }
}

/** A task that was proposed from a meeting. */
export function propose(
  app: TestApp,
  { tenantId, orgId, meetingId }: { tenantId: string; orgId: string; meetingId: string },
): Promise<Task> {
  const records = taskRecords({ clock: app.clock, events: eventBus(), audit: async () => undefined })
  const evidence = { speaker: 'Ada', timestamp: '00:00:01', quote: 'I will sign the contract tomorrow.', seqs: [1] }
  const spoken = { title: 'Sign the contract', assigneeName: 'Ada', dueText: 'tomorrow', labels: ['spoken'] }
  const draft = { orgId, meetingId, evidence, ...spoken }
  return transaction(app.scopeOf(tenantId), (tx) =>
    records.create(tx, { ...draft, status: 'proposed', source: 'meeting', createdBy: null }, { maxTasks: null }),
  )
}

export type TaskCalls = ReturnType<typeof taskCalls>
