import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { applyPatch } from 'rfc6902'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { catchUp } from '../../../test/harness/clock.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

type Act =
  | { act: 'save' | 'draft'; title: string }
  | { act: 'publish' | 'unpublish' | 'archive' | 'discard' | 'pass' | 'cancel' }
  | { act: 'schedule'; inSeconds: number }
  | { act: 'restore'; back: number; isDraft: boolean }

/** What a page is, told in the fewest words: titles stand for all that is copied. */
type Model = {
  revision: number
  status: string
  title: string
  draft: string | null
  dueInSeconds: number | null
  states: string[]
}

const title = fc.constantFrom('A', 'B', 'C')
const acts = fc.array(
  fc.oneof(
    fc.record({ act: fc.constantFrom('save' as const, 'draft' as const), title }),
    fc.record({ act: fc.constantFrom('publish', 'unpublish', 'archive', 'discard', 'pass', 'cancel') }),
    fc.record({ act: fc.constant('schedule' as const), inSeconds: fc.constantFrom(30, 90) }),
    fc.record({ act: fc.constant('restore' as const), back: fc.nat(5), isDraft: fc.boolean() }),
  ) as fc.Arbitrary<Act>,
  { minLength: 1, maxLength: 12 },
)

/** What an act makes of the model. */
function modelled(before: Model, act: Act): Model {
  const after = outcomeOf(before, act)
  const { states: _, ...what } = after
  const { states: __, ...was } = before
  if (JSON.stringify(what) === JSON.stringify(was)) return before
  const isPassing = act.act === 'pass' && before.dueInSeconds !== after.dueInSeconds && after.dueInSeconds !== null
  if (isPassing) return after
  const state = isOfDraft(act) ? (after.draft as string) : after.title
  return { ...after, revision: before.revision + 1, states: [...before.states, state] }
}

function isOfDraft(act: Act): boolean {
  return act.act === 'draft' || (act.act === 'restore' && act.isDraft)
}

function outcomeOf(model: Model, act: Act): Model {
  const published = {
    ...model,
    status: 'PUBLISHED',
    title: model.draft ?? model.title,
    draft: null,
    dueInSeconds: null,
  }
  switch (act.act) {
    case 'save':
      return { ...model, title: act.title }
    case 'draft':
      return { ...model, draft: act.title }
    case 'discard':
      return { ...model, draft: null }
    case 'publish':
      return published
    case 'unpublish':
      return { ...model, status: model.status === 'PUBLISHED' ? 'DRAFT' : model.status }
    case 'archive':
      return { ...model, status: 'ARCHIVED', dueInSeconds: null }
    case 'schedule':
      return { ...model, dueInSeconds: act.inSeconds }
    case 'cancel':
      return { ...model, dueInSeconds: null }
    case 'pass': {
      if (model.dueInSeconds === null) return model
      return model.dueInSeconds <= 60 ? published : { ...model, dueInSeconds: model.dueInSeconds - 60 }
    }
    case 'restore': {
      const state = model.states[act.back % model.states.length] as string
      return act.isDraft ? { ...model, draft: state } : { ...model, title: state }
    }
  }
}

function call(method: string, path: string, body?: unknown) {
  const request = { method, url: `/admin/cms/pages/${path}`, headers: app.admin }
  return app.call(body === undefined ? request : { ...request, body })
}

async function perform(id: string, act: Act, model: Model) {
  switch (act.act) {
    case 'save':
      return call('PUT', id, { title: act.title })
    case 'draft':
      return call('PUT', `${id}?draft=true`, { title: act.title })
    case 'discard':
      return call('DELETE', `${id}/draft`)
    case 'schedule':
      return call('POST', `${id}/publish`, {
        publishAt: new Date(app.clock.now().getTime() + act.inSeconds * 1000).toISOString(),
      })
    case 'cancel':
      return call('PUT', id, { publishAt: null })
    case 'pass':
      app.clock.advance({ seconds: 60 })
      await app.settled()
      return call('GET', id)
    case 'restore': {
      const query = act.isDraft ? '?draft=true' : ''
      return call('POST', `${id}/revisions/${(act.back % model.states.length) + 1}/restore${query}`)
    }
    default:
      return call('POST', `${id}/${act.act}`)
  }
}

async function agrees(id: string, slug: string, model: Model): Promise<void> {
  const { page } = (await call('GET', id)).body
  assert.deepEqual(
    [page.revision, page.status, page.title, page.draft?.title ?? null, page.publishAt !== null],
    [model.revision, model.status, model.title, model.draft, model.dueInSeconds !== null],
  )
  const shown = await app.call({ url: `/cms/pages/${slug}` })
  assert.deepEqual(
    [shown.status, shown.body.page?.title],
    model.status === 'PUBLISHED' ? [200, model.title] : [404, undefined],
  )
  if (model.status !== 'PUBLISHED') return
  const { snapshot } = (await call('GET', `${id}/revisions/${shown.body.page.revision}`)).body.revision
  assert.equal(snapshot.title, shown.body.page.title, 'the public copy is the state of its revision')
}

describe('whatever is done to a page', () => {
  test('its public copy, draft and schedule are what a plain model says, each change is one revision, and revisions differ by their patch', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        catchUp(app.clock)
        const slug = unique('p')
        const body = { slug, title: 'A', status: 'DRAFT' }
        const made = await app.call({ method: 'POST', url: '/admin/cms/pages', headers: app.admin, body })
        const { id } = made.body.page
        let model: Model = { revision: 1, status: 'DRAFT', title: 'A', draft: null, dueInSeconds: null, states: ['A'] }
        for (const act of sequence) {
          const { status } = await perform(id, act, model)
          assert.ok(status === 200 || status === 204, `${act.act}: ${status}`)
          model = modelled(model, act)
          await agrees(id, slug, model)
        }
        await revisionsAgree(id, model)
      }),
      { numRuns: 40 },
    )
  })
})

async function revisionsAgree(id: string, { states, revision }: Model): Promise<void> {
  const { revisions } = (await call('GET', `${id}/revisions?limit=100`)).body
  assert.deepEqual(
    revisions.map((line: { number: number; title: string }) => [line.number, line.title]),
    states.map((state, index) => [index + 1, state]).reverse(),
  )
  const { snapshot } = (await call('GET', `${id}/revisions/1`)).body.revision
  const { patch } = (await call('GET', `${id}/revisions/1/diff?against=${revision}`)).body
  applyPatch(snapshot, patch)
  assert.deepEqual(snapshot, (await call('GET', `${id}/revisions/${revision}`)).body.revision.snapshot)
}
