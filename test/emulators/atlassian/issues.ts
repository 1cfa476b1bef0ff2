import { createHmac } from 'node:crypto'
import { type Call, jsonOf, ok, type Reply, type Routes } from '../call.ts'
import type { Controls, World } from '../emulator.ts'
import { searchIndex } from '../lag.ts'
import { pageOf, pageSize } from '../paging.ts'
import type { secured } from '../secured.ts'
import { atlassianOauth } from './atlassian-oauth.ts'
import { type Issue, issuePaths, shown, transitions } from './issue-view.ts'

type Webhook = { id: number; url: string; jql: string; events: string[]; expiresAt: Date }

const webhookSeconds = 30 * 86_400
const projects = [
  { id: '10000', key: 'WEB', name: 'Website' },
  { id: '10001', key: 'APP', name: 'App' },
]
const issueTypes = [
  { id: '10001', name: 'Task', subtask: false },
  { id: '10002', name: 'Bug', subtask: false },
]

const notFound: Reply = {
  status: 404,
  body: { errorMessages: ['Issue does not exist or you do not have permission to see it.'], errors: {} },
}
const invalid = (errors: Record<string, string>): Reply => ({ status: 400, body: { errorMessages: [], errors } })

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/. An issue is found by a property or label some seconds later. */
export function jiraIssues(world: World, api: ReturnType<typeof secured>): { routes: Routes; controls: Controls } {
  const issues: Issue[] = []
  const webhooks: Webhook[] = []
  const index = searchIndex(world.clock, 5)
  const read = ['read:jira-work']
  const write = ['write:jira-work']
  const base = 'api.atlassian.com/ex/jira/:cloudId/rest/api/3'

  const issueOf = (key: string | undefined) => issues.find((it) => it.id === key || it.key === key)
  const ofIssue = (scopes: string[], handle: (issue: Issue, call: Call) => Reply) =>
    api(scopes, (call) => {
      const issue = issueOf(call.params['issue'])
      return issue === undefined ? notFound : handle(issue, call)
    })

  function create(fields: Record<string, unknown>, properties: unknown, actor: string): Issue | Reply {
    const { id: projectId, key: projectKey } = (fields['project'] ?? {}) as { id?: string; key?: string }
    const project = projects.find(({ id, key }) => id === projectId || key === projectKey)
    if (project === undefined) return invalid({ project: 'valid project is required' })
    if (typeof fields['summary'] !== 'string' || fields['summary'] === '')
      return invalid({ summary: 'You must specify a summary of the issue.' })
    if (/\n/.test(fields['summary']))
      return invalid({ summary: 'The summary is invalid because it contains newline characters.' })
    const now = world.clock.now()
    const issue: Issue = {
      id: String(20_000 + world.next()),
      key: `${project.key}-${issues.filter(({ key }) => key.startsWith(`${project.key}-`)).length + 1}`,
      summary: '',
      description: null,
      status: transitions[0],
      assignee: null,
      duedate: null,
      labels: [],
      properties: new Map(),
      createdAt: now,
      updatedAt: now,
    }
    set(issue, fields)
    for (const { key, value } of (properties ?? []) as { key: string; value: unknown }[])
      issue.properties.set(key, value)
    issues.push(issue)
    tell('jira:issue_created', issue, actor)
    return issue
  }

  function set(issue: Issue, fields: Record<string, unknown>): void {
    if (typeof fields['summary'] === 'string') issue.summary = fields['summary']
    if (fields['description'] !== undefined) issue.description = fields['description']
    if (fields['assignee'] !== undefined) {
      const { accountId, id } = (fields['assignee'] ?? {}) as { accountId?: string; id?: string }
      issue.assignee = accountId ?? id ?? null
    }
    if (fields['duedate'] !== undefined) issue.duedate = fields['duedate'] as string | null
    if (Array.isArray(fields['labels'])) issue.labels = fields['labels'].map(String)
  }

  function touch(issue: Issue, actor: string): void {
    issue.updatedAt = world.clock.now()
    tell('jira:issue_updated', issue, actor)
  }

  /** https://developer.atlassian.com/cloud/jira/platform/webhooks/: those of OAuth apps carry a token signed with the app's secret. */
  function tell(event: string, issue: Issue, actor: string): void {
    const now = world.clock.now()
    for (const webhook of webhooks) {
      if (webhook.expiresAt <= now || !webhook.events.includes(event)) continue
      if (clauseOf(webhook.jql)?.(issue) !== true) continue
      const body = JSON.stringify({
        timestamp: now.getTime(),
        webhookEvent: event,
        user: { accountId: actor },
        issue: shown(issue),
        matchedWebhookIds: [webhook.id],
      })
      const identifier = `hook-${world.next()}`
      world.deliver({
        url: webhook.url,
        about: issue.key,
        sign: (at) => ({
          headers: {
            'content-type': 'application/json',
            'x-atlassian-webhook-identifier': identifier,
            authorization: `Bearer ${appToken(at)}`,
          },
          body,
        }),
      })
    }
  }

  const ada = atlassianOauth.people[0]?.id ?? ''
  const ben = atlassianOauth.people[1]?.id ?? ''
  return {
    routes: {
      [`GET ${base}/myself`]: api(['read:jira-user'], (_call, { person }) =>
        ok({ accountId: person.id, displayName: person.name, emailAddress: person.email, accountType: 'atlassian' }),
      ),
      [`GET ${base}/project/search`]: api(read, () => ok({ values: projects, isLast: true, total: projects.length })),
      [`GET ${base}/issue/createmeta/:project/issuetypes`]: api(read, () =>
        ok({ issueTypes, total: issueTypes.length }),
      ),
      [`GET ${base}/user/search`]: api(['read:jira-user'], ({ query }) =>
        ok(
          atlassianOauth.people
            .filter(({ name, email }) =>
              `${name} ${email}`.toLowerCase().includes((query.get('query') ?? '').toLowerCase()),
            )
            .map(({ id, name, email }) => ({ accountId: id, displayName: name, emailAddress: email, active: true })),
        ),
      ),
      [`POST ${base}/issue`]: api(write, (call, { person }) => {
        const { fields, properties } = jsonOf(call)
        const issue = create((fields ?? {}) as Record<string, unknown>, properties, person.id)
        if ('status' in issue && typeof issue.status === 'number') return issue as Reply
        return { status: 201, body: issuePaths(issue as Issue) }
      }),
      [`GET ${base}/issue/:issue`]: ofIssue(read, (issue) => ok(shown(issue))),
      [`PUT ${base}/issue/:issue`]: ofIssue(write, (issue, call) => {
        set(issue, (jsonOf(call)['fields'] ?? {}) as Record<string, unknown>)
        touch(issue, ada)
        return { status: 204 }
      }),
      [`GET ${base}/issue/:issue/transitions`]: ofIssue(read, () =>
        ok({ transitions: transitions.map((status) => ({ id: status.transitionId, name: status.name, to: status })) }),
      ),
      [`POST ${base}/issue/:issue/transitions`]: ofIssue(write, (issue, call) => {
        const { id } = (jsonOf(call)['transition'] ?? {}) as { id?: string }
        const status = transitions.find(({ transitionId }) => transitionId === id)
        if (status === undefined) return invalid({ transition: 'It is not a valid transition.' })
        issue.status = status
        touch(issue, ada)
        return { status: 204 }
      }),
      [`GET ${base}/issue/:issue/properties/:key`]: ofIssue(read, (issue, { params }) => {
        const key = params['key'] ?? ''
        return issue.properties.has(key) ? ok({ key, value: issue.properties.get(key) }) : notFound
      }),
      [`PUT ${base}/issue/:issue/properties/:key`]: ofIssue(write, (issue, call) => {
        issue.properties.set(call.params['key'] ?? '', JSON.parse(call.text))
        return { status: 201 }
      }),
      [`GET ${base}/search/jql`]: api(read, ({ query }) =>
        search(query.get('jql') ?? '', query.get('nextPageToken'), query.get('maxResults')),
      ),
      [`POST ${base}/search/jql`]: api(read, (call) => {
        const { jql, nextPageToken, maxResults } = jsonOf(call)
        return search(String(jql ?? ''), (nextPageToken as string | undefined) ?? null, String(maxResults ?? 50))
      }),
      [`POST ${base}/webhook`]: api(['manage:jira-webhook'], (call) => {
        const { url, webhooks: wanted } = jsonOf(call) as {
          url: string
          webhooks: { jqlFilter: string; events: string[] }[]
        }
        // "Only a single URL per app is allowed to be registered."
        if (webhooks.some((webhook) => webhook.url !== url))
          return ok({
            webhookRegistrationResult: (wanted ?? []).map(() => ({
              errors: ['Only a single URL per app is allowed.'],
            })),
          })
        const made = (wanted ?? []).map(({ jqlFilter, events }) => {
          const expiresAt = new Date(world.clock.now().getTime() + webhookSeconds * 1000)
          const webhook = { id: world.next(), url, jql: jqlFilter, events, expiresAt }
          webhooks.push(webhook)
          return { createdWebhookId: webhook.id }
        })
        return ok({ webhookRegistrationResult: made })
      }),
      [`GET ${base}/webhook`]: api(['manage:jira-webhook'], () =>
        ok({
          values: webhooks.map(({ id, jql, events }) => ({ id, jqlFilter: jql, events })),
          isLast: true,
          total: webhooks.length,
        }),
      ),
      [`PUT ${base}/webhook/refresh`]: api(['manage:jira-webhook'], (call) => {
        const ids = (jsonOf(call)['webhookIds'] ?? []) as number[]
        const expiresAt = new Date(world.clock.now().getTime() + webhookSeconds * 1000)
        for (const webhook of webhooks) if (ids.includes(webhook.id)) webhook.expiresAt = expiresAt
        return ok({ expirationDate: expiresAt.toISOString() })
      }),
      [`DELETE ${base}/webhook`]: api(['manage:jira-webhook'], (call) => {
        const ids = (jsonOf(call)['webhookIds'] ?? []) as number[]
        for (const id of ids) {
          const position = webhooks.findIndex((it) => it.id === id)
          if (position >= 0) webhooks.splice(position, 1)
        }
        return { status: 202 }
      }),
    },
    controls: {
      issues: () => issues.map(shown),
      webhooks: () => webhooks,
      /** A person creates an issue: `{fields: {project: {key}, summary, ...}}`. */
      createIssue: ({ fields }) => {
        const issue = create((fields ?? {}) as Record<string, unknown>, [], ben)
        return 'summary' in issue ? shown(issue) : issue
      },
      /** A person edits an issue: `{key, fields, transition}`. */
      editIssue: ({ key, fields, transition }) => {
        const issue = issueOf(String(key))
        if (issue === undefined) throw new Error('there is no such issue')
        set(issue, (fields ?? {}) as Record<string, unknown>)
        issue.status = transitions.find(({ transitionId }) => transitionId === transition) ?? issue.status
        touch(issue, ben)
        return shown(issue)
      },
      setSearchLag: ({ seconds }) => {
        index.lagSeconds = Number(seconds)
      },
    },
  }

  /** The clauses that an integration asks with, joined by AND. */
  function search(jql: string, token: string | null, size: string | null): Reply {
    const clauses = jql
      .replace(/\s+order\s+by.*$/i, '')
      .split(/\s+and\s+/i)
      .filter((it) => it.trim() !== '')
    const tests = clauses.map((clause) => relativeClauseOf(clause, world.clock.now()) ?? clauseOf(clause))
    if (tests.includes(null))
      return { status: 400, body: { errorMessages: [`Error in the JQL Query: ${jql}`], errors: {} } }
    const isByChange = /\bupdated\b/i.test(jql)
    const found = issues.filter(
      (issue) =>
        index.isIndexed(isByChange ? issue.updatedAt : issue.createdAt) && tests.every((matches) => matches?.(issue)),
    )
    const { page, next } = pageOf(found, token, pageSize(size, { usual: 50, max: 100 }))
    return ok({ issues: page.map(shown), isLast: next === null, ...(next !== null && { nextPageToken: next }) })
  }

  function appToken(at: Date): string {
    const seconds = Math.floor(at.getTime() / 1000)
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iss: 'atlassian-client', iat: seconds, exp: seconds + 300 })}`
    return `${text}.${createHmac('sha256', world.appSecret()).update(text).digest('base64url')}`
  }
}

/** `updated >= -90m` */
function relativeClauseOf(text: string, now: Date): ((issue: Issue) => boolean) | null {
  const minutes = /^updated\s*>=\s*-(\d+)m$/i.exec(text.trim())?.[1]
  if (minutes === undefined) return null
  return ({ updatedAt }) => updatedAt.getTime() >= now.getTime() - Number(minutes) * 60_000
}

/** `field = "value"`, `labels in (...)`, `issue.property[key].path = "value"`, `updated >= "..."`; null for anything else. */
function clauseOf(text: string): ((issue: Issue) => boolean) | null {
  const value = (quoted: string) => quoted.trim().replace(/^["']|["']$/g, '')
  const property = /^issue\.property\[["']?([^\]"']+)["']?\]\.(\w+)\s*=\s*(.+)$/i.exec(text.trim())
  if (property !== null) {
    const [, key = '', path = '', wanted = ''] = property
    return ({ properties }) =>
      String((properties.get(key) as Record<string, unknown> | undefined)?.[path]) === value(wanted)
  }
  const plain = /^"?(\w+)"?\s*(=|>=|~|in)\s*(.+)$/i.exec(text.trim())
  if (plain === null) return null
  const [, field = '', operator = '', wanted = ''] = plain
  const values = wanted
    .replace(/^\(|\)$/g, '')
    .split(',')
    .map(value)
  if (/^labels?$/i.test(field)) return ({ labels }) => values.some((it) => labels.includes(it))
  if (/^(key|id|issuekey)$/i.test(field)) return ({ id, key }) => values.includes(id) || values.includes(key)
  if (/^project$/i.test(field))
    return ({ key }) =>
      values.some((it) => it === key.split('-')[0] || projects.find(({ id }) => id === it)?.key === key.split('-')[0])
  if (/^(summary|text)$/i.test(field)) return ({ summary }) => summary.includes(value(wanted))
  if (/^updated$/i.test(field) && operator === '>=')
    return ({ updatedAt }) => updatedAt.getTime() >= Date.parse(`${value(wanted).replace(' ', 'T')}Z`)
  return null
}
