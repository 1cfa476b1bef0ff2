import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from '../emulators/faults.ts'
import {
  answerEffects,
  askedEffects,
  type Effect,
  effects,
  integrationFeatures,
  notionTarget,
  updateEffects,
} from '../harness/integration-effects.ts'
import { type IntegrationNodes, integrationNodes } from '../harness/integration-nodes.ts'
import { integrationsBase as base } from '../harness/integrations.ts'
import { type Random, seededRandom } from '../harness/seeded-random.ts'
import { trackerCases } from '../harness/tracker-cases.ts'
import { askingChats } from './integration-questions.ts'
import { calendarRow, effectRow, issueKeys, issueRow, listActions, pageRow } from './integration-rows.ts'
import type { Subjects, Trial } from './integration-trial.ts'
import type { Row } from './row.ts'

const nodes = 3
/** Of each effect, in each round. */
const eachRound = 9
/** How many meetings, and as many tasks for each tracker, get another name at once when everything is written. */
const renamedAtOnce = 30
/** Once fewer actions wait, nobody is killed any more. */
const waitingMax = 100
const killEveryMs = 15_000
const settleMsMax = 900_000
const trackers = ['github', 'linear', 'atlassian']

/**
 * Kills nodes (`kill -9`) while they write to eight providers, most of whose answers are lost, and while they follow calendars and
 * issues. What was answered with 202, each change of what was written and each answer to a question must be at the provider once,
 * and both sides must be equal in the end.
 */
export async function integrationKills(rounds: number): Promise<Row[]> {
  const lab = await integrationNodes(nodes)
  try {
    const trial = await prepare(lab, rounds)
    for (let round = 0; round < rounds; round++) {
      await killRound(trial, round)
      console.error(new Date().toISOString(), 'round', round + 1, 'kills', trial.kills)
    }
    // Kills go on until most of it is written; faults stay, each for the request that it is meant for.
    while ((await countWaiting(trial)) > waitingMax) await killSome(trial)
    // Each new name of what is written is an update of its own.
    for (let from = 0; from < trial.subjects.length; from += renamedAtOnce) {
      await lab.login()
      const some = trial.subjects.slice(from, from + renamedAtOnce)
      await Promise.all([...some.flatMap((it) => rename(trial, it, 'renamed again')), killSome(trial)])
      console.error(new Date().toISOString(), 'renamed', from + some.length, 'kills', trial.kills)
    }
    while ((await countWaiting(trial)) > waitingMax) await killSome(trial)
    const unsettled = await settle(trial)
    lab.emulators.faults.clear()
    await syncAll(trial)
    await settle(trial)
    const actions = await listActions(trial)
    const followed = [await calendarRow(trial), ...(await Promise.all(trackerCases.map((it) => issueRow(trial, it))))]
    return [
      ...effects.map((effect) => effectRow(trial, effect, actions)),
      ...followed,
      pageRow(trial),
      { trial: 'all', kills: trial.kills, unsettled, broken: unsettled > 0 ? 'unsettled' : '' },
    ]
  } finally {
    await lab.close()
  }
}

async function prepare(lab: IntegrationNodes, seed: number): Promise<Trial> {
  const integrations = new Map<string, string>()
  for (const [provider, features] of integrationFeatures)
    integrations.set(provider, await lab.connect({ provider, features }))
  // Pages follow their meetings where a rule says so. Nothing ends here, so the rule makes no page of its own.
  const rules = [
    ['notion', { when: 'completed', target: notionTarget(lab.emulators) }],
    ['google', { when: 'completed' }],
  ] as const
  for (const [provider, settings] of rules) {
    const body = { features: [{ name: 'export', settings }] }
    const { status } = await lab.own('PATCH', `${base}/${integrations.get(provider)}`, body)
    if (status !== 200) throw new Error(`${provider} took no rule.`)
  }
  const questions = await askingChats(lab)
  const random = seededRandom(seed)
  return { lab, random, questions, integrations, asked: [], subjects: [], events: [], kills: 0 }
}

async function killRound(trial: Trial, round: number): Promise<void> {
  const { lab } = trial
  await lab.login()
  const made = await Promise.all(Array.from({ length: eachRound }, (_, each) => makeSubjects(trial, round, each)))
  const renamed = trial.subjects.filter(({ renamedInRound }) => renamedInRound === round)
  trial.subjects.push(...made)
  const requests = [
    ...made.flatMap((it) => askForAll(trial, it)),
    ...renamed.flatMap((it) => rename(trial, it, 'renamed')),
    ...Array.from({ length: eachRound }, (_, each) => askInChats(trial, round * eachRound + each)).flat(),
    endIssue(trial),
  ]
  changeCalendars(trial, round)
  const syncs = [...trial.integrations.values()].map((id) =>
    lab.call({ method: 'POST', url: `${base}/${id}/sync`, headers: lab.headers() }),
  )
  await Promise.all([...requests, ...syncs, killSome(trial)])
}

async function killSome(trial: Trial): Promise<void> {
  const { lab, random } = trial
  await delay(random.below(killEveryMs))
  const killed = random.oneOf([[0], [1], [2], [0, 1], [1, 2], [0, 1, 2]])
  trial.kills += killed.length
  await lab.kill(killed)
  await lab.start()
}

async function makeSubjects(trial: Trial, round: number, each: number): Promise<Subjects> {
  const name = `R${round}x${each}`
  const meetingId = await makeMeeting(trial.lab, `${name} meeting`)
  const tasks = trackers.map(async (provider) => {
    const title = `${name} ${provider} task`
    return { title, provider, id: await makeTask(trial.lab, title) }
  })
  // Most when all of it was written, and some while that goes on.
  const renamedInRound = round + (trial.random.below(6) === 0 ? 1 : 4)
  return { name, meetingId, tasks: await Promise.all(tasks), renamedInRound }
}

function askForAll(trial: Trial, { name, meetingId, tasks }: Subjects): Promise<void>[] {
  return askedEffects.map(async (effect) => {
    const { lab, integrations, asked } = trial
    const { provider, action, subject } = effect
    const task = tasks.find((it) => it.provider === provider)
    const [mark, subjectId] = task === undefined ? [`${name} meeting`, meetingId] : [task.title, task.id]
    mayFail(trial, effect, mark)
    const about = subject === 'meeting' ? { meetingId } : { taskId: subjectId }
    const body = { action, target: effect.target(lab.emulators), ...about }
    // The same request again gives the same action.
    const answer = await lab.own('POST', `${base}/${integrations.get(provider)}/actions`, body)
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
    asked.push({ effect, mark, subjectId })
  })
}

/** Meetings that were exported and tasks that became issues, or are about to. */
function rename(trial: Trial, { name, meetingId, tasks }: Subjects, word: string): Promise<void>[] {
  const { lab, asked } = trial
  const renamed = async (url: string, { id, title }: { id: string; title: string }, providers: string[]) => {
    const mark = `${title} ${word}`
    const followers = updateEffects.filter(({ provider }) => providers.includes(provider))
    for (const effect of followers) mayFail(trial, effect, mark)
    const answer = await lab.own('PATCH', `${url}/${id}`, { title: mark })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    asked.push(...followers.map((effect) => ({ effect, mark, subjectId: id })))
  }
  const ofTasks = `/assistant/v1/orgs/${lab.orgId}/tasks`
  return [
    renamed('/assistant/v1/meetings', { id: meetingId, title: `${name} meeting` }, ['google', 'notion']),
    ...tasks.map((task) => renamed(ofTasks, task, [task.provider])),
  ]
}

function askInChats(trial: Trial, number: number): Promise<void>[] {
  const kinds = Object.keys(answerEffects) as (keyof typeof answerEffects)[]
  return kinds.map(async (kind) => {
    const effect = answerEffects[kind]
    const mark = await trial.questions.ask(kind, kinds.indexOf(kind) * 100_000 + number, (known) =>
      mayFail(trial, effect, known),
    )
    trial.asked.push({ effect, mark, subjectId: null })
  })
}

function mayFail({ lab, random }: Trial, { provider, writes, markedIn }: Effect, mark: string): void {
  const fault = randomFault(random)
  if (fault === null) return
  const { method, path } = writes
  const which = markedIn === 'body' ? { path, body: mark } : { path: mark }
  lab.emulators.faults.add({ ...fault, provider, method, ...which })
}

function randomFault(random: Random): Fault | null {
  return random.weighted<Fault | null>([
    [7, { lost: 'after' }],
    [1, { answerDelayMs: random.below(3000) }],
    [1, { delayMs: random.below(1500) }],
    [1, null],
  ])
}

async function makeMeeting(lab: IntegrationNodes, title: string): Promise<string> {
  const meeting = await lab.own('POST', '/assistant/v1/meetings', { title, orgId: lab.orgId })
  if (meeting.status !== 201) throw new Error(JSON.stringify(meeting.body))
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
  for (const provider of ['google', 'microsoft'] as const) {
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

/** Somebody ends an issue. */
async function endIssue(trial: Trial): Promise<void> {
  const ended = trial.random.oneOf(trial.asked.filter(({ effect }) => effect.action === 'create_issue'))
  if (ended === undefined) return
  const keys = issueKeys(trial, ended)
  const tracker = trackerCases.find((it) => it.provider === ended.effect.provider)
  if (keys !== null) tracker?.edit(trial.lab as never, keys.edit, { status: 'done' })
}

async function syncAll({ lab, integrations }: Trial): Promise<void> {
  await lab.login()
  for (const provider of ['google', 'microsoft', 'github', 'linear', 'atlassian'])
    await lab.own('POST', `${base}/${integrations.get(provider)}/sync`)
}

/** How many actions are not over. */
async function countWaiting({ lab }: Trial): Promise<number> {
  await lab.login()
  let waiting = 0
  for (const status of ['queued', 'sending', 'uncertain']) {
    const url = `${base}/actions?orgId=${lab.orgId}&status=${status}&limit=1`
    waiting += (await lab.own('GET', url)).body.pagination.total
  }
  return waiting
}

/** Until nothing waits. Gives how many actions still do. */
async function settle(trial: Trial): Promise<number> {
  const until = performance.now() + settleMsMax
  for (;;) {
    const waiting = await countWaiting(trial)
    if (waiting === 0 || performance.now() > until) return waiting
    await delay(3000)
  }
}
