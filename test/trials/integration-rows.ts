import { countLostAnswers, type Effect, foundWith, rowsOf } from '../harness/integration-effects.ts'
import { integrationsBase as base } from '../harness/integrations.ts'
import type { TrackerCase } from '../harness/tracker-cases.ts'
import type { Asked, Trial } from './integration-trial.ts'
import type { Row } from './row.ts'

type Action = {
  integrationId: string
  action: string
  subject: { id: string }
  target: object
  status: string
  cause: string | null
}

/** All of the organization. */
export async function listActions({ lab }: Trial): Promise<Action[]> {
  await lab.login()
  const all: Action[] = []
  for (let page = 1; ; page++) {
    const { body } = await lab.own('GET', `${base}/actions?orgId=${lab.orgId}&limit=100&page=${page}`)
    all.push(...body.actions)
    if (body.actions.length < 100) return all
  }
}

/** What a trial has asked for of this kind, and what is at the provider. */
export function effectRow({ lab, asked, integrations }: Trial, effect: Effect, actions: readonly Action[]): Row {
  const row = { trial: effect.name, asked: 0, answersLost: 0, done: 0, undecided: 0, lost: 0, doubled: 0 }
  row.answersLost = countLostAnswers(lab.emulators, effect)
  const own = actions.filter(
    ({ action, integrationId }) => action === effect.action && integrationId === integrations.get(effect.provider),
  )
  const problems = new Set<string>()
  for (const { mark, subjectId } of asked.filter((it) => it.effect === effect)) {
    const action = own.find(({ subject, target }) =>
      subjectId === null ? JSON.stringify(target).includes(mark) : subject.id === subjectId,
    )
    const there = foundWith(lab.emulators, effect, mark).length
    row.asked += 1
    row.doubled += there > 1 ? 1 : 0
    // What was renamed before it was written is written with its new name: then there is no update.
    if (action?.status === 'done' || (action === undefined && there > 0)) row.done += 1
    if (there === 0 && (action === undefined || action.status === 'done')) {
      row.lost += 1
      console.error('lost', effect.name, mark, action)
    }
    if (there > 1) console.error('doubled', effect.name, mark, action)
    // A person is asked to decide: nobody can tell whether it was written.
    if (action?.status === 'failed' && action.cause === 'UNKNOWN_OUTCOME') row.undecided += 1
    else if (action !== undefined && action.status !== 'done') problems.add(`${action.status} ${action.cause}`)
  }
  if (row.lost > 0) problems.add('lost')
  if (row.doubled > 0) problems.add('doubled')
  if (row.undecided > 0 && effect.isUndecidable !== true) problems.add('undecided')
  return { ...row, broken: [...problems].join(', ') }
}

/** What the tracker knows an issue by: to edit it, and to read it. */
export function issueKeys({ lab }: Trial, { effect, mark }: Asked): { edit: string; read: string } | null {
  const [issue] = foundWith(lab.emulators, effect, mark)
  if (issue === undefined) return null
  const { provider } = effect
  const edit = String(provider === 'github' ? issue['number'] : provider === 'linear' ? issue['id'] : issue['key'])
  return { edit, read: provider === 'atlassian' ? String(issue['id']) : edit }
}

/** All pages are written from summaries of the same length, so one with more or fewer lines was rewritten badly. */
export function pageRow({ lab }: Trial): Row {
  const pages = rowsOf(lab.emulators.control('notion', 'pages')).filter((it) => JSON.stringify(it).includes('atrium:'))
  const lines = pages.map(({ blocks }) => rowsOf(blocks).length)
  const lengths = [...new Set(lines)].sort((one, other) => one - other)
  return { trial: 'pages', pages: pages.length, lines: lengths.join(', '), broken: lengths.length > 1 ? 'pages' : '' }
}

export async function calendarRow({ lab, events }: Trial): Promise<Row> {
  const meetings: { title: string; status: string }[] = []
  for (let page = 1; ; page++) {
    const { body } = await lab.own('GET', `/assistant/v1/meetings?limit=100&page=${page}`)
    meetings.push(...body.meetings)
    if (body.meetings.length < 100) break
  }
  const wrong = events.filter(({ title, isCancelled }) => {
    const own = meetings.filter((it) => it.title === title)
    // What was cancelled before it was ever read is no meeting.
    if (isCancelled) return own.length > 1 || own.some(({ status }) => status !== 'cancelled')
    return own.length !== 1 || own[0]?.status !== 'scheduled'
  })
  for (const it of wrong.slice(0, 5))
    console.error(
      it,
      meetings.filter(({ title }) => title === it.title),
    )
  return { trial: 'calendars', events: events.length, wrong: wrong.length, broken: wrong.length > 0 ? 'meetings' : '' }
}

export async function issueRow(trial: Trial, it: TrackerCase): Promise<Row> {
  const { lab, asked } = trial
  let [equal, conflicts, wrong] = [0, 0, 0]
  for (const task of asked.filter(
    ({ effect }) => effect.action === 'create_issue' && effect.provider === it.provider,
  )) {
    const keys = issueKeys(trial, task)
    if (keys === null) continue
    const issue = it.read(lab as never, keys.read)
    const ours = (await lab.own('GET', `/assistant/v1/orgs/${lab.orgId}/tasks/${task.subjectId}`)).body.task
    if (issue.title === ours.title && issue.status === ours.status) equal += 1
    else if (ours.conflicts?.length > 0) conflicts += 1
    else {
      wrong += 1
      console.error(it.provider, issue, ours.title, ours.status)
    }
  }
  const doubled = rowsOf(lab.emulators.control(it.provider, 'issues')).length - equal - conflicts - wrong
  return {
    trial: `issues, ${it.provider}`,
    equal,
    conflicts,
    wrong,
    doubled,
    broken: wrong + doubled > 0 ? 'issues' : '',
  }
}
