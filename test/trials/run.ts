// node scripts/node24.js test/trials/run.ts <name> [rounds] [only]: the long versions of what the suite proves in short,
// run by hand. Each prints a table of what was seen and ends with 1 where a promise was broken.
import { actionItems } from './action-items/action-items.ts'
import { attacks } from './attacks/run-attacks.ts'
import { botOneVisit } from './bot-one-visit.ts'
import { botRandomRunners } from './bot-random-runners.ts'
import { botReturns } from './bot-returns.ts'
import { botRollingRestarts } from './bot-rolling-restarts.ts'
import { botRunnerKills } from './bot-runner-kills.ts'
import { botServiceAway } from './bot-service-away.ts'
import { botVendorKills } from './bot-vendor-kills.ts'
import { botVendors } from './bot-vendors.ts'
import { botWords } from './bot-words.ts'
import { consoleSize } from './console-size.ts'
import { documents } from './documents.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { generatedClients } from './generated-clients.ts'
import { integrationKills } from './integration-kills.ts'
import { integrations } from './integrations.ts'
import { killedExtraction } from './killed-extraction.ts'
import { killsEmbedded, killsOnPostgres } from './kills.ts'
import { knowledge } from './knowledge/knowledge.ts'
import { live } from './live.ts'
import { mailAuthenticity } from './mails/authenticity.ts'
import { mailKills } from './mails/kills.ts'
import { mailLoops } from './mails/loops.ts'
import { mailMutations } from './mails/mutations.ts'
import { mailReaders } from './mails/readers.ts'
import { mailTokens } from './mails/tokens.ts'
import { meetings } from './meetings.ts'
import { organizations } from './organizations/organizations.ts'
import { proposalsEmbedded, proposalsOnPostgres } from './proposals.ts'
import { refreshKills } from './refresh-kills.ts'
import { databaseRestarts, rollingRestarts } from './restarts.ts'
import type { Row } from './row.ts'
import { sdkRuntimes } from './sdk-runtimes.ts'
import { sharing } from './sharing.ts'
import { slowClients } from './slow-clients.ts'
import { tasks } from './tasks.ts'
import { twoWay } from './two-way.ts'
import { usageQuotas } from './usage/quotas.ts'
import { usage } from './usage/usage.ts'
import { uses } from './uses.ts'

const trials: Record<string, { rounds: number; run(rounds: number, only?: string): Promise<Row[]> }> = {
  'kills-embedded': { rounds: 50, run: killsEmbedded },
  'kills-postgres': { rounds: 50, run: killsOnPostgres },
  'proposals-embedded': { rounds: 50, run: proposalsEmbedded },
  'proposals-postgres': { rounds: 50, run: proposalsOnPostgres },
  'database-restarts': { rounds: 20, run: databaseRestarts },
  'rolling-restarts': { rounds: 20, run: rollingRestarts },
  live: { rounds: 1, run: live },
  uses: { rounds: 3, run: uses },
  organizations: { rounds: 50, run: organizations },
  sharing: { rounds: 20_000, run: sharing },
  fuzz: { rounds: 50_000, run: fuzz },
  attacks: { rounds: 1, run: attacks },
  'bot-runner-kills': { rounds: 52, run: botRunnerKills },
  'bot-random-runners': { rounds: 1000, run: botRandomRunners },
  'bot-one-visit': { rounds: 30, run: botOneVisit },
  'bot-returns': { rounds: 1000, run: botReturns },
  'bot-rolling-restarts': { rounds: 3, run: botRollingRestarts },
  // Seconds, not rounds.
  'bot-service-away': { rounds: 300, run: botServiceAway },
  // Words.
  'bot-words': { rounds: 1500, run: botWords },
  'bot-vendors': { rounds: 100, run: botVendors },
  'bot-vendor-kills': { rounds: 30, run: botVendorKills },
  'mail-kills': { rounds: 100, run: mailKills },
  'mail-authenticity': { rounds: 1, run: mailAuthenticity },
  'mail-loops': { rounds: 40, run: mailLoops },
  // Mails that try to steer the engine.
  'mail-readers': { rounds: 200, run: mailReaders },
  // Forged ones.
  'mail-tokens': { rounds: 100_000, run: mailTokens },
  'mail-mutations': { rounds: 10_000, run: mailMutations },
  documents: { rounds: 2000, run: documents },
  'killed-extraction': { rounds: 50, run: killedExtraction },
  knowledge: { rounds: 20_000, run: knowledge },
  tasks: { rounds: 1, run: tasks },
  'two-way': { rounds: 500, run: twoWay },
  meetings: { rounds: 1, run: meetings },
  integrations: { rounds: 20, run: integrations },
  'integration-kills': { rounds: 50, run: integrationKills },
  // Of nine providers each.
  'refresh-kills': { rounds: 6, run: refreshKills },
  // Seconds, not rounds.
  usage: { rounds: 600, run: usage },
  // Rows.
  'usage-quotas': { rounds: 1_000_000, run: usageQuotas },
  'action-items': { rounds: 1, run: actionItems },
  // Rows.
  'console-size': { rounds: 200_000, run: consoleSize },
  // Uses, in each version of Node.
  'sdk-runtimes': { rounds: 1000, run: sdkRuntimes },
  'generated-clients': { rounds: 1, run: generatedClients },
  'slow-clients': { rounds: 5, run: slowClients },
}

const [name = '', rounds, only] = process.argv.slice(2)
const trial = trials[name]
if (trial === undefined) {
  console.error(`Which trial? One of ${Object.keys(trials).join(', ')}; then, if you like, how many rounds.`)
  process.exit(2)
}
const rows = await trial.run(Number(rounds ?? trial.rounds), only)
console.table(rows)
process.exit(rows.some(({ broken }) => broken !== '') ? 1 : 0)
