import { setTimeout as delay } from 'node:timers/promises'
import { type ProviderName, providerNames } from '../../src/providers/provider.ts'
import { featuresOf, providers } from '../../src/providers/provider-table.ts'
import { type IntegrationNodes, integrationNodes } from '../harness/integration-nodes.ts'
import { integrationsBase as base } from '../harness/integrations.ts'
import { type Random, seededRandom } from '../harness/seeded-random.ts'
import type { Row } from './row.ts'

const nodes = 2
/** Longer than the lease of a refresh whose process died. */
const settleMsMax = 60_000
/** The one that was under way, and what a grant may be tried with after that. */
const requestsMax = 3

type Seen = { killed: number; active: number; lost: number; requestsMost: number; broken: Set<string> }

/**
 * Kills all nodes (`kill -9`) while they renew the tokens of all nine providers, before or after the provider has done it. Grants
 * live on where the provider takes the earlier refresh token once more; elsewhere they end at once, and nobody asks in a loop.
 */
export async function refreshKills(rounds: number): Promise<Row[]> {
  const lab = await integrationNodes(nodes)
  try {
    const random = seededRandom(rounds)
    const seen = new Map<ProviderName, Seen>()
    const integrations = new Map<ProviderName, string>()
    for (const provider of providerNames) {
      lab.emulators.setExpiringTokens(provider, true)
      const features = featuresOf(providers[provider])
      integrations.set(provider, await lab.connect({ provider, features }))
      seen.set(provider, { killed: 0, active: 0, lost: 0, requestsMost: 0, broken: new Set() })
    }
    for (let round = 0; round < rounds; round++) {
      await killRefreshes(lab, random, [...integrations.values()])
      await Promise.all(
        providerNames.map((it) => judge(lab, seen.get(it) as Seen, { provider: it, id: integrations.get(it) ?? '' })),
      )
    }
    return [...seen].map(([provider, { broken, ...row }]) => ({
      trial: `killed refresh, ${provider}`,
      grace: providers[provider].token.hasGrace ? 'yes' : 'no',
      ...row,
      broken: [...broken].join(', '),
    }))
  } finally {
    await lab.close()
  }
}

const tokenPath = (provider: ProviderName) => providers[provider].token.url.replace('https://', '')
const requests = ({ emulators }: IntegrationNodes, provider: ProviderName) =>
  emulators.journal.entries({ method: 'POST', path: tokenPath(provider) })

async function killRefreshes(lab: IntegrationNodes, random: Random, ids: string[]): Promise<void> {
  const { emulators } = lab
  await lab.login()
  // Longer than any access token lives.
  emulators.clock.advance(26 * 3600)
  emulators.journal.clear()
  for (const provider of providerNames) {
    const wait = random.below(2000)
    const late = random.below(3) === 0 ? { delayMs: wait } : { answerDelayMs: wait }
    emulators.faults.add({ provider, method: 'POST', path: tokenPath(provider), ...late })
  }
  const asked = ids.map((id) => lab.call({ method: 'POST', url: `${base}/${id}/test`, headers: lab.headers() }))
  await delay(300 + random.below(1500))
  await lab.kill([0, 1])
  await Promise.all(asked)
  // What was sent before the kill has its effect.
  await delay(2000)
  emulators.faults.clear()
  await lab.start()
  await lab.login()
}

async function judge(
  lab: IntegrationNodes,
  seen: Seen,
  { provider, id }: { provider: ProviderName; id: string },
): Promise<void> {
  const killed = requests(lab, provider).some(({ lost }) => lost === 'after')
  seen.killed += killed ? 1 : 0
  const test = async () => (await lab.own('POST', `${base}/${id}/test`)).body
  const until = performance.now() + settleMsMax
  let { integration, result } = await test()
  while (!result?.ok && integration?.status !== 'reauth_required' && performance.now() < until) {
    await delay(1000)
    ;({ integration, result } = await test())
  }
  const status = integration?.status
  if (status === 'active' && result.ok) seen.active += 1
  else if (status === 'reauth_required') seen.lost += 1
  else seen.broken.add(`${status} ${result?.cause}`)
  if (status === 'reauth_required') {
    if (providers[provider].token.hasGrace) seen.broken.add('a grant is lost')
    const before = requests(lab, provider).length
    for (let again = 0; again < 3; again++) await test()
    if (requests(lab, provider).length > before) seen.broken.add('asks in a loop')
  }
  seen.requestsMost = Math.max(seen.requestsMost, requests(lab, provider).length)
  if (seen.requestsMost > requestsMax) seen.broken.add('token requests')
  if (status === 'reauth_required')
    await lab.connect({ provider, features: featuresOf(providers[provider]), integrationId: id })
}
