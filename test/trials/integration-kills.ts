import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from '../emulators/faults.ts'
import { type IntegrationNodes, integrationNodes } from '../harness/integration-nodes.ts'
import { integrationsBase as base } from '../harness/integrations.ts'
import { type Random, seededRandom } from '../harness/seeded-random.ts'
import { type TrackerCase, trackerCases } from '../harness/tracker-cases.ts'
import { type Effect, effects, rowsOf, withTitle } from './integration-effects.ts'
import type { Row } from './row.ts'

const nodes = 2
/** Of each effect, in each round. */
const eachRound = 2
const settleMsMax = 600_000
const calendars = ['google', 'microsoft'] as const

/** What was answered with 202. */
type Asked = { effect: Effect; title: string; subjectId: string; actionId: string; isAnswerLost: boolean }
type Event = { provider: (typeof calendars)[number]; id: string; title: string; isCancelled: boolean }
type Trial = {
  lab: IntegrationNodes
  random: Random
  integrations: Map<string, string>
  asked: Asked[]
  events: Event[]
  kills: number
}

/**
 * Kills nodes (`kill -9`) while they write to eight providers, most of whose answers are lost, and while they follow calendars and
 * issues. All that was answered with 202 must be at the provider once, and both sides must be equal in the end.
 */
export async function integrationKills(rounds: number): Promise<Row[]> {
  const lab = await integrationNodes(nodes)
  try {
    const integrations = new Map<string, string>()
    for (const { provider, features } of effects) integrations.set(provider, await lab.connect({ provider, features }))
    const trial: Trial = { lab, random: seededRandom(rounds), integrations, asked: [], events: [], kills: 0 }
    for (let round = 0; round < rounds; round++) await killRound(trial, round)
    lab.emulators.faults.clear()
    const unsettled = await settle(trial)
    await syncAll(trial)
    await settle(trial)
    const written: Row[] = []
    for (const effect of effects) written.push(await effectRow(trial, effect))
    const followed = [await calendarRow(trial), ...(await Promise.all(trackerCases.map((it) => issueRow(trial, it))))]
    return [
      ...written,
      ...followed,
      { trial: 'all', kills: trial.kills, unsettled, broken: unsettled > 0 ? 'unsettled' : '' },
    ]
  } finally {
    await lab.close()
  }
}

async function killRound(trial: Trial, round: number): Promise<void> {
  const { lab, random } = trial
  await lab.login()
  const requests: Promise<void>[] = []
  for (let each = 0; each < eachRound; each++) {
    const name = `R${round}x${each}`
    const meetingId = await makeMeeting(lab, `${name} meeting`)
    for (const effect of effects) {
      const isMeeting = effect.subject === 'meeting'
      const title = isMeeting ? `${name} meeting` : `${name} ${effect.provider} task`
      const subjectId = isMeeting ? meetingId : await makeTask(lab, title)
      requests.push(act(trial, { effect, title, subjectId }))
    }
  }
  changeCalendars(trial, round)
  requests.push(changeIssueAndTask(trial))
  const syncs = [...trial.integrations.values()].map((id) =>
    lab.call({ method: 'POST', url: `${base}/${id}/sync`, headers: lab.headers() }),
  )
  await delay(random.below(2000))
  const killed = random.oneOf([[0], [1], [0, 1]])
  trial.kills += killed.length
  await lab.kill(killed)
  await lab.start()
  await Promise.all([...requests, ...syncs])
}

async function act(
  trial: Trial,
  { effect, title, subjectId }: Omit<Asked, 'actionId' | 'isAnswerLost'>,
): Promise<void> {
  const { lab, integrations, asked } = trial
  const { provider, action, writes, subject } = effect
  const fault = randomFault(trial.random)
  if (fault !== null) lab.emulators.faults.add({ ...fault, ...writes, body: title, provider })
  const about = subject === 'meeting' ? { meetingId: subjectId } : { taskId: subjectId }
  const body = { action, target: effect.target(lab.emulators), ...about }
  // The same request again gives the same action.
  const answer = await lab.own('POST', `${base}/${integrations.get(provider)}/actions`, body)
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
  asked.push({ effect, title, subjectId, actionId: answer.body.action.id, isAnswerLost: fault?.lost === 'after' })
}

function randomFault(random: Random): Fault | null {
  return random.weighted<Fault | null>([
    [5, { lost: 'after' }],
    [3, { answerDelayMs: random.below(3000) }],
    [1, { delayMs: random.below(1500) }],
    [1, null],
  ])
}

async function makeMeeting(lab: IntegrationNodes, title: string): Promise<string> {
  const meeting = await lab.own('POST', '/assistant/v1/meetings', { title })
  const entries = [{ speaker: 'Ben Example', text: 'We ship on Friday, that is decided.', timestamp: '00:00:01' }]
  await lab.own('POST', `/assistant/v1/meetings/${meeting.body.id}/transcript`, { entries })
  return meeting.body.id
}

async function makeTask(lab: IntegrationNodes, title: string): Promise<string> {
  const url = `/assistant/v1/orgs/${lab.orgId}/tasks`
  return (await lab.own('POST', url, { title, description: 'All of it.' })).body.task.id
}

/** A new event in each calendar, and some that are cancelled. */
function changeCalendars({ lab, random, events }: Trial, round: number): void {
  for (const provider of calendars) {
    const start = new Date(Date.now() + (1 + random.below(20)) * 86_400_000)
    const times = { start: start.toISOString(), end: new Date(start.getTime() + 1_800_000).toISOString() }
    const id = `event${round}${provider}`
    const title = `E${round} ${provider}`
    lab.emulators.control(provider, 'createEvent', { id, title, ...times })
    events.push({ provider, id, title, isCancelled: false })
    const other = random.oneOf(events)
    if (random.below(4) > 0 || other.isCancelled) continue
    lab.emulators.control(other.provider, 'cancelEvent', { id: other.id })
    other.isCancelled = true
  }
}

const caseOf = (provider: string): TrackerCase | undefined => trackerCases.find((it) => it.provider === provider)

/** What the tracker knows an issue by: to edit it, and to read it. */
function issueKeys({ lab }: Trial, { effect, title }: Asked): { edit: string; read: string } | null {
  const [issue] = withTitle(lab.emulators, effect, title)
  if (issue === undefined) return null
  const { provider } = effect
  const edit = String(provider === 'github' ? issue['number'] : provider === 'linear' ? issue['id'] : issue['key'])
  return { edit, read: provider === 'atlassian' ? String(issue['id']) : edit }
}

/** Somebody ends an issue, and somebody renames another one's task here. */
async function changeIssueAndTask(trial: Trial): Promise<void> {
  const { lab, random, asked } = trial
  const tasks = asked.filter(({ effect }) => effect.subject === 'task')
  if (tasks.length < 2) return
  const [ended, renamed] = [random.oneOf(tasks), random.oneOf(tasks)]
  const keys = issueKeys(trial, ended)
  if (keys !== null) caseOf(ended.effect.provider)?.edit(lab as never, keys.edit, { status: 'done' })
  const url = `/assistant/v1/orgs/${lab.orgId}/tasks/${renamed.subjectId}`
  await lab.own('PATCH', url, { title: `${renamed.title} renamed` })
}

async function syncAll({ lab, integrations }: Trial): Promise<void> {
  await lab.login()
  for (const provider of ['google', 'microsoft', 'github', 'linear', 'atlassian'])
    await lab.own('POST', `${base}/${integrations.get(provider)}/sync`)
}

/** Until nothing waits. Gives how many actions still do. */
async function settle({ lab }: Trial): Promise<number> {
  const until = performance.now() + settleMsMax
  for (;;) {
    await lab.login()
    let waiting = 0
    for (const status of ['queued', 'sending', 'uncertain']) {
      const url = `${base}/actions?orgId=${lab.orgId}&status=${status}&limit=1`
      waiting += (await lab.own('GET', url)).body.pagination.total
    }
    if (waiting === 0 || performance.now() > until) return waiting
    await delay(3000)
  }
}

async function effectRow({ lab, asked }: Trial, effect: Effect): Promise<Row> {
  const { provider, action, writes } = effect
  const row = { trial: `${action}, ${provider}`, asked: 0, answersLost: 0, done: 0, undecided: 0, lost: 0, doubled: 0 }
  const isWrite = ({ body }: { body: string | null }) => provider !== 'linear' || (body ?? '').includes('issueCreate')
  const entries = lab.emulators.journal.entries({ provider, ...writes }).filter(isWrite)
  row.answersLost = entries.filter(({ lost, status }) => lost === 'after' && status !== null && status < 300).length
  const other = new Set<string>()
  for (const { title, actionId } of asked.filter((it) => it.effect === effect)) {
    const { status, cause } = (await lab.own('GET', `${base}/actions/${actionId}`)).body.action
    const there = withTitle(lab.emulators, effect, title).length
    row.asked += 1
    row.doubled += there > 1 ? 1 : 0
    row.lost += status === 'done' && there === 0 ? 1 : 0
    row.done += status === 'done' ? 1 : 0
    // A person is asked to decide: nobody can tell whether it was written.
    if (status === 'failed' && cause === 'UNKNOWN_OUTCOME') row.undecided += 1
    else if (status !== 'done') other.add(`${status} ${cause}`)
  }
  // Without the scope to read the channel of Teams.
  const isUndecidable = provider === 'microsoft'
  const broken = [
    row.lost > 0 ? 'lost' : '',
    row.doubled > 0 ? 'doubled' : '',
    row.undecided > 0 && !isUndecidable ? 'undecided' : '',
    ...other,
  ]
  return { ...row, broken: broken.filter((it) => it !== '').join(', ') }
}

async function calendarRow({ lab, events }: Trial): Promise<Row> {
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

async function issueRow(trial: Trial, it: TrackerCase): Promise<Row> {
  const { lab, asked } = trial
  let [equal, conflicts, wrong] = [0, 0, 0]
  for (const task of asked.filter(({ effect }) => effect.provider === it.provider)) {
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
