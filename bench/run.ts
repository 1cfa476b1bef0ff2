// npm run bench -- [scenario...] [--quick] [--rounds n]: measures the service beside floors, by turns in one run, and
// keeps what it saw in bench/results. A missed limit is shown and fails nothing: a clock is no test. A wrong answer does.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeCircumstances, loadNow } from './circumstances.ts'
import { openPostgres, type Postgres } from './ground/postgres.ts'
import { type Seeded, seed } from './ground/seed.ts'
import type { Ground } from './ground/service.ts'
import type { Job, Load } from './load.ts'
import { readOptions } from './options.ts'
import type { Outcome } from './outcome.ts'
import type { Plan, Scenario } from './plan.ts'
import { keep, renderSection } from './report.ts'
import { assistant } from './scenarios/assistant.ts'
import { consumeMany, consumeOne } from './scenarios/consume.ts'
import { devices } from './scenarios/devices.ts'
import { hooks } from './scenarios/hooks.ts'
import { listsEmbedded, listsOnServer } from './scenarios/lists.ts'
import { live } from './scenarios/live.ts'
import { logins } from './scenarios/logins.ts'
import { nodes } from './scenarios/nodes.ts'
import { pages } from './scenarios/pages.ts'
import { publicReads } from './scenarios/public.ts'
import { scaleEmbedded, scaleOnServer } from './scenarios/scale.ts'
import { start } from './scenarios/start.ts'
import { usage } from './scenarios/usage.ts'
import { validate } from './scenarios/validate.ts'
import { views } from './scenarios/views.ts'
import { webhooks } from './scenarios/webhooks.ts'
import { webhooksOut } from './scenarios/webhooks-out.ts'
import { startWorker } from './worker.ts'

const scenarios: Scenario[] = [
  start,
  hooks,
  validate,
  consumeOne,
  consumeMany,
  devices,
  nodes,
  logins,
  live,
  assistant,
  usage,
  publicReads,
  views,
  webhooks,
  webhooksOut,
  scaleOnServer,
  listsOnServer,
  scaleEmbedded,
  listsEmbedded,
  pages,
]

const { scenarios: chosen, ...options } = readOptions(process.argv.slice(2), scenarios)
const loadBefore = loadNow()
const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
const postgres = await openPostgres()
const load = startWorker<Job, Load>(new URL('./load.ts', import.meta.url))
try {
  const plan = createPlan(postgres)
  const { outcomes, faults } = await runAll(plan)
  const circumstances = await describeCircumstances(plan, {
    isQuick: options.isQuick,
    loadBefore,
    postgres: postgres.version,
  })
  const isWhole = scenarios.every(({ name, isOptional }) => isOptional || chosen.includes(name))
  await keep({ circumstances, outcomes, faults }, { isWhole })
  if (faults.length > 0) process.exitCode = 1
} finally {
  load.stop()
  await postgres.end()
  await rm(folder, { recursive: true })
}

/** One scenario that fails is told and fails the run, but takes nothing from what the others have measured in minutes. */
async function runAll(plan: Plan): Promise<{ outcomes: Outcome[]; faults: string[] }> {
  const outcomes: Outcome[] = []
  const faults: string[] = []
  for (const { name, about, run } of scenarios.filter(({ name }) => chosen.includes(name))) {
    console.error(`${new Date().toISOString()} ${name}`)
    try {
      const outcome = { scenario: name, about, ...(await run(plan)) }
      outcomes.push(outcome)
      console.log(renderSection(outcome).join('\n'))
    } catch (error) {
      console.error(error)
      faults.push(`${name}: ${String(error).split('\n')[0]}`)
    }
  }
  return { outcomes, faults }
}

function createPlan({ meter, create }: Postgres): Plan {
  const made = new Map<string, Promise<Seeded>>()
  let grounds = 0
  const empty = async (kind: Ground['kind']): Promise<Ground> => {
    const dataFolder = join(folder, String(++grounds))
    return { kind, dataFolder, url: kind === 'postgres' ? await create() : null }
  }
  const seeded = (kind: Ground['kind'], licenses: number): Promise<Seeded> => {
    const name = `${kind} ${licenses}`
    const known = made.get(name) ?? empty(kind).then((ground) => seed(ground, licenses))
    made.set(name, known)
    return known
  }
  return {
    rounds: options.rounds,
    ...(options.isQuick ? { warmUpMs: 300, measuredMs: 1000 } : { warmUpMs: 1000, measuredMs: 3000 }),
    // The deep page lies behind 100,000 licenses.
    sizes: { few: 1_000, many: options.isQuick ? 120_000 : 1_000_000 },
    load,
    databaseMeter: meter,
    seeded,
    empty,
  }
}
