import { setTimeout as delay } from 'node:timers/promises'
import { providerNames } from '../../src/providers/provider.ts'
import { featuresOf, providers } from '../../src/providers/provider-table.ts'
import { type TestApp, testApp } from '../harness/app.ts'
import {
  integrationsBase as base,
  connectAccount,
  emulatorSettings,
  type IntegrationLab,
  integrationLab,
  loggedIn,
} from '../harness/integrations.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import type { Row } from './row.ts'

const users = 50
const slowdownMax = 1.2
/** Below the 20 s after which a call is given up. */
const hangMs = 12_000

/** Tokens at three nodes that end at once, and one provider that hangs. */
export async function integrations(rounds: number, only?: string): Promise<Row[]> {
  await startPostgresServer().then(({ url }) => {
    process.env['ATRIUM_TEST_DATABASE'] = 'postgres'
    process.env['TEST_DATABASE_URL'] = url
  })
  const lab = await integrationLab()
  const twin = () => testApp({ integrations: emulatorSettings(lab.emulators), clock: lab.app.clock })
  const nodes = [lab.app, await twin(), await twin()]
  for (const provider of providerNames) lab.emulators.setExpiringTokens(provider, true)
  const parts = { lab, nodes, person: await lab.app.user(await lab.app.apiKey(await lab.app.tenant())) }
  const rows: Row[] = []
  for (const provider of providerNames)
    if (only === undefined || only.includes(provider)) rows.push(await endedTokens(parts, provider, rounds))
  if (only === undefined || only.includes('hanging')) rows.push(await hangingProvider(parts))
  await lab.close()
  return rows
}

type Parts = { lab: IntegrationLab; nodes: TestApp[]; person: Awaited<ReturnType<TestApp['user']>> }

async function connect({ lab, person }: Parts, provider: (typeof providerNames)[number]): Promise<string> {
  const features = featuresOf(providers[provider])
  const integration = await connectAccount(lab.app.call, person, { provider, features })
  if (integration.status !== 'choosing') return integration.id
  const accountId = integration.choices[0].id
  const url = `${base}/${integration.id}/account`
  await lab.app.call({ method: 'POST', url, headers: person.headers, body: { accountId } })
  return integration.id
}

const check = (node: TestApp, { person }: Parts, id: string) =>
  node.call({ method: 'POST', url: `${base}/${id}/test`, headers: person.headers })

/** All users at once at an integration whose access token has ended. */
async function endedTokens(parts: Parts, provider: (typeof providerNames)[number], rounds: number): Promise<Row> {
  const { lab, nodes } = parts
  const id = await connect(parts, provider)
  const tokenPath = providers[provider].token.url.replace('https://', '')
  let failed = 0
  let most = 0
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    lab.advance(26 * 3600)
    parts.person = await loggedIn(lab.app, parts.person)
    lab.emulators.journal.clear()
    const asked = await Promise.all(
      Array.from({ length: users }, (_, i) => check(nodes[i % nodes.length] as TestApp, parts, id)),
    )
    failed += asked.filter(({ body }) => body.result?.ok !== true).length
    const requests = lab.emulators.journal.entries({ method: 'POST', path: tokenPath }).length
    most = Math.max(most, requests)
    least = Math.min(least, requests)
  }
  const broken = [failed === 0 ? '' : 'failed calls', most === 1 && least === 1 ? '' : 'token requests']
  return {
    trial: `ended tokens, ${provider}`,
    rounds,
    callers: users,
    tokenRequests: least === most ? most : `${least} to ${most}`,
    failed,
    ratio: '',
    broken: broken.filter((it) => it !== '').join(', '),
  }
}

/** The median time of a call to the other providers, in turns with and without one that hangs. */
async function hangingProvider(parts: Parts): Promise<Row> {
  const { lab } = parts
  const google = await connect(parts, 'google')
  const others: string[] = []
  for (const provider of ['slack', 'zoom', 'linear', 'hubspot'] as const) others.push(await connect(parts, provider))
  const free: number[] = []
  const beside: number[] = []
  const measure = async (times: number[]) => {
    for (let i = 0; i < 40; i++) {
      const before = performance.now()
      await check(lab.app, parts, others[i % others.length] as string)
      times.push(performance.now() - before)
    }
  }
  await measure([])
  for (let turn = 0; turn < 5; turn++) {
    await measure(free)
    lab.emulators.faults.add({ provider: 'google', delayMs: hangMs, times: users })
    const hanging = Array.from({ length: users }, () => check(lab.app, parts, google))
    // To begin 50 calls takes the processor, too. What is measured is that they wait.
    await delay(hangMs / 3)
    await measure(beside)
    lab.emulators.faults.clear()
    await Promise.all(hanging)
  }
  const ratio = median(beside) / median(free)
  return {
    trial: 'google hangs, calls to others',
    rounds: 5,
    callers: users,
    tokenRequests: '',
    failed: 0,
    ratio: ratio.toFixed(2),
    broken: ratio <= slowdownMax ? '' : 'slower',
  }
}

function median(times: number[]): number {
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)] as number
}
