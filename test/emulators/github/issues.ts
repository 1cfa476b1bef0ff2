import { createHmac, randomUUID } from 'node:crypto'
import { type Call, jsonOf, ok, type Reply, type Routes } from '../call.ts'
import type { Controls, World } from '../emulator.ts'
import { searchIndex } from '../lag.ts'
import type { Grant } from '../oauth/grant.ts'
import { pageOf, pageSize } from '../paging.ts'
import type { secured } from '../secured.ts'

type Issue = {
  id: number
  number: number
  repository: string
  title: string
  body: string | null
  state: 'open' | 'closed'
  stateReason: string | null
  assignees: string[]
  labels: string[]
  comments: { id: number; body: string; user: string; at: Date }[]
  user: string
  createdAt: Date
  updatedAt: Date
}

type Hook = { id: number; repository: string; url: string; secret: string; events: string[] }

export const logins: Record<string, string> = { '583231': 'ada-example', '583232': 'ben-example' }

const notFound: Reply = { status: 404, body: { message: 'Not Found', status: '404' } }
const invalid = (field: string): Reply => ({
  status: 422,
  body: { message: 'Validation Failed', errors: [{ resource: 'Issue', field, code: 'missing_field' }] },
})

/** https://docs.github.com/rest/issues. Nothing makes an issue only once; the search finds it by its text, a little later. */
export function githubIssues(world: World, api: ReturnType<typeof secured>): { routes: Routes; controls: Controls } {
  const repositories = new Set(['example/website', 'example/app'])
  const issues: Issue[] = []
  const hooks: Hook[] = []
  const index = searchIndex(world.clock, 5)
  const login = ({ person }: Grant) => logins[person.id] ?? 'ada-example'

  const repositoryOf = ({ params }: Call) => `${params['owner']}/${params['repo']}`
  const inRepository = (handle: (repository: string, call: Call, grant: Grant) => Reply) =>
    api(['repo', 'public_repo'], (call, grant) => {
      const repository = repositoryOf(call)
      return repositories.has(repository) ? handle(repository, call, grant) : notFound
    })
  const ofIssue = (handle: (issue: Issue, call: Call, grant: Grant) => Reply) =>
    inRepository((repository, call, grant) => {
      const issue = issues.find((it) => it.repository === repository && it.number === Number(call.params['number']))
      return issue === undefined ? notFound : handle(issue, call, grant)
    })

  function create(repository: string, user: string, input: Record<string, unknown>): Issue {
    const now = world.clock.now()
    const issue: Issue = {
      id: 1_000_000 + world.next(),
      number: issues.filter((it) => it.repository === repository).length + 1,
      repository,
      title: String(input['title']),
      body: typeof input['body'] === 'string' ? input['body'] : null,
      state: 'open',
      stateReason: null,
      assignees: textsOf(input['assignees']),
      labels: textsOf(input['labels']),
      comments: [],
      user,
      createdAt: now,
      updatedAt: now,
    }
    issues.push(issue)
    tell('issues', 'opened', issue, user)
    return issue
  }

  function update(issue: Issue, user: string, input: Record<string, unknown>): void {
    const before = issue.state
    if (typeof input['title'] === 'string') issue.title = input['title']
    if (typeof input['body'] === 'string') issue.body = input['body']
    // Whoever cannot be assigned is left out without a word.
    if (Array.isArray(input['assignees']))
      issue.assignees = textsOf(input['assignees']).filter((it) => Object.values(logins).includes(it))
    if (Array.isArray(input['labels'])) issue.labels = textsOf(input['labels'])
    if (input['state'] === 'open' || input['state'] === 'closed') issue.state = input['state']
    issue.stateReason =
      issue.state === 'closed' ? String(input['state_reason'] ?? issue.stateReason ?? 'completed') : null
    issue.updatedAt = world.clock.now()
    const action = before === issue.state ? 'edited' : issue.state === 'closed' ? 'closed' : 'reopened'
    tell('issues', action, issue, user)
  }

  function tell(event: string, action: string, issue: Issue, user: string): void {
    for (const hook of hooks) {
      if (hook.repository !== issue.repository || !(hook.events.includes(event) || hook.events.includes('*'))) continue
      const body = JSON.stringify({
        action,
        issue: shown(issue),
        repository: { full_name: issue.repository },
        sender: { login: user },
      })
      const delivery = randomUUID()
      world.deliver({
        url: hook.url,
        about: `${issue.repository}#${issue.number}`,
        sign: () => ({
          headers: {
            'content-type': 'application/json',
            'x-github-event': event,
            'x-github-delivery': delivery,
            'x-github-hook-id': String(hook.id),
            'x-hub-signature-256': `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`,
          },
          body,
        }),
      })
    }
  }

  const byTest = (input: Record<string, unknown>): Issue => {
    const repository = String(input['repository'] ?? 'example/website')
    const issue = issues.find((it) => it.repository === repository && it.number === Number(input['number']))
    if (issue === undefined) throw new Error('there is no such issue')
    return issue
  }

  return {
    routes: {
      'GET api.github.com/user/repos': api(['repo', 'public_repo'], () =>
        ok(
          [...repositories].map((name, position) => ({ id: position + 1, full_name: name, name: name.split('/')[1] })),
        ),
      ),
      'POST api.github.com/repos/:owner/:repo/issues': inRepository((repository, call, grant) => {
        const input = jsonOf(call)
        if (typeof input['title'] !== 'string' || input['title'] === '') return invalid('title')
        return { status: 201, body: shown(create(repository, login(grant), input)) }
      }),
      'GET api.github.com/repos/:owner/:repo/issues': inRepository((repository, { query }) => {
        const since = Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z')
        const state = query.get('state') ?? 'open'
        const label = query.get('labels')
        const found = issues
          .filter((it) => it.repository === repository && (state === 'all' || it.state === state))
          .filter((it) => it.updatedAt.getTime() >= since && (label === null || it.labels.includes(label)))
          .sort(byTime(query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt'))
        if (query.get('direction') !== 'asc') found.reverse()
        const size = pageSize(query.get('per_page'), { usual: 30, max: 100 })
        const { page } = pageOf(found, String((Number(query.get('page') ?? 1) - 1) * size), size)
        return ok(page.map(shown))
      }),
      'GET api.github.com/repos/:owner/:repo/issues/:number': ofIssue((issue) => ok(shown(issue))),
      'PATCH api.github.com/repos/:owner/:repo/issues/:number': ofIssue((issue, call, grant) => {
        update(issue, login(grant), jsonOf(call))
        return ok(shown(issue))
      }),
      'GET api.github.com/repos/:owner/:repo/issues/:number/comments': ofIssue((issue) =>
        ok(
          issue.comments.map(({ id, body, user, at }) => ({
            id,
            body,
            user: { login: user },
            created_at: at.toISOString(),
          })),
        ),
      ),
      'POST api.github.com/repos/:owner/:repo/issues/:number/comments': ofIssue((issue, call, grant) => {
        const comment = {
          id: world.next(),
          body: String(jsonOf(call)['body']),
          user: login(grant),
          at: world.clock.now(),
        }
        issue.comments.push(comment)
        return { status: 201, body: { id: comment.id, body: comment.body, user: { login: comment.user } } }
      }),
      'GET api.github.com/repos/:owner/:repo/assignees/:login': inRepository((_repository, { params }) =>
        Object.values(logins).includes(params['login'] ?? '') ? { status: 204 } : notFound,
      ),
      // Words in quotes or outside of them, and `repo:`; an issue is found some seconds after it was written.
      'GET api.github.com/search/issues': api([], ({ query }) => {
        const text = query.get('q') ?? ''
        const repository = /\brepo:(\S+)/.exec(text)?.[1]
        const words = text.replace(/\b(repo|is|in|type|author):\S+/g, '').match(/"[^"]+"|\S+/g) ?? []
        const found = issues.filter(
          (it) =>
            index.isIndexed(it.createdAt) &&
            (repository === undefined || it.repository === repository) &&
            words.every((word) => `${it.title}\n${it.body ?? ''}`.includes(word.replaceAll('"', ''))),
        )
        return ok({ total_count: found.length, incomplete_results: false, items: found.map(shown) })
      }),
      'POST api.github.com/repos/:owner/:repo/hooks': api(['admin:repo_hook'], (call) => {
        const { config, events } = jsonOf(call) as { config?: { url?: string; secret?: string }; events?: string[] }
        if (!repositories.has(repositoryOf(call))) return notFound
        if (config?.url === undefined) return invalid('url')
        if (hooks.some((hook) => hook.repository === repositoryOf(call) && hook.url === config.url))
          return { status: 422, body: { message: 'Hook already exists on this repository' } }
        const hook = {
          id: world.next(),
          repository: repositoryOf(call),
          url: config.url,
          secret: config.secret ?? '',
          events: events ?? ['push'],
        }
        hooks.push(hook)
        return { status: 201, body: shownHook(hook) }
      }),
      'GET api.github.com/repos/:owner/:repo/hooks': api(['admin:repo_hook'], (call) =>
        ok(hooks.filter(({ repository }) => repository === repositoryOf(call)).map(shownHook)),
      ),
      'GET api.github.com/repos/:owner/:repo/hooks/:id': api(['admin:repo_hook'], (call) => {
        const hook = hooks.find(({ id }) => id === Number(call.params['id']))
        return hook === undefined ? notFound : ok(shownHook(hook))
      }),
      'DELETE api.github.com/repos/:owner/:repo/hooks/:id': api(['admin:repo_hook'], ({ params }) => {
        const position = hooks.findIndex(({ id }) => id === Number(params['id']))
        if (position < 0) return notFound
        hooks.splice(position, 1)
        return { status: 204 }
      }),
    },
    controls: {
      issues: () => issues.map(shown),
      hooks: () => hooks.map(({ secret: _secret, ...hook }) => hook),
      /** A person opens an issue. */
      createIssue: (input) => shown(create(String(input['repository'] ?? 'example/website'), 'ben-example', input)),
      /** A person edits an issue: `{repository, number, title, body, state, assignees, labels}`. */
      editIssue: (input) => {
        update(byTest(input), 'ben-example', input)
        return shown(byTest(input))
      },
      setSearchLag: ({ seconds }) => {
        index.lagSeconds = Number(seconds)
      },
    },
  }
}

function byTime(name: 'createdAt' | 'updatedAt') {
  return (one: Issue, other: Issue) => one[name].getTime() - other[name].getTime() || one.id - other.id
}

function shownHook({ id, events, url }: Hook) {
  return { id, active: true, events, config: { url, content_type: 'json' } }
}

function shown(issue: Issue) {
  return {
    id: issue.id,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    state_reason: issue.stateReason,
    user: { login: issue.user },
    assignee: issue.assignees[0] === undefined ? null : { login: issue.assignees[0] },
    assignees: issue.assignees.map((login) => ({ login })),
    labels: issue.labels.map((name) => ({ name })),
    comments: issue.comments.length,
    url: `https://api.github.com/repos/${issue.repository}/issues/${issue.number}`,
    html_url: `https://github.com/${issue.repository}/issues/${issue.number}`,
    repository_url: `https://api.github.com/repos/${issue.repository}`,
    created_at: issue.createdAt.toISOString(),
    updated_at: issue.updatedAt.toISOString(),
    closed_at: issue.state === 'closed' ? issue.updatedAt.toISOString() : null,
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((it) => typeof it === 'string') : []
}
