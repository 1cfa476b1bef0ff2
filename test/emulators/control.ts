import { type Handler, type Json, jsonOf, ok, type Routes } from './call.ts'
import type { Deliveries } from './deliveries.ts'
import type { Emulator, EmulatorClock, ProviderName } from './emulator.ts'
import type { Fault, Faults } from './faults.ts'
import type { Journal, JournalFilter } from './journal.ts'
import type { TokenCore } from './oauth/token-core.ts'

type Parts = {
  emulators: ReadonlyMap<ProviderName, { emulator: Emulator; core: TokenCore }>
  clock: EmulatorClock
  faults: Faults
  journal: Journal
  deliveries: Deliveries
}

/**
 * What tests and people ask of the emulators, below `/control`: faults, the journal, the clock, held webhooks, and for each
 * provider its grants and whatever happens in the world behind it (`POST /control/google/createEvent`).
 */
export function controlRoutes({ emulators, clock, faults, journal, deliveries }: Parts): Routes {
  const part = (call: { params: Record<string, string> }) => emulators.get(call.params['provider'] as ProviderName)
  const missing = { status: 404, body: { error: 'not_found' } }

  const perform: Handler = async (call) => {
    const found = part(call)
    const control = found?.emulator.controls[call.params['action'] ?? '']
    if (control === undefined) return missing
    return ok((await control(jsonOf(call))) ?? {})
  }

  return {
    'GET control/journal': (call) => ok({ entries: journal.entries(Object.fromEntries(call.query) as JournalFilter) }),
    'DELETE control/journal': () => done(() => journal.clear()),
    'POST control/faults': (call) => done(() => faults.add(jsonOf(call) as Fault)),
    'DELETE control/faults': () => done(() => faults.clear()),
    'GET control/clock': () => ok({ now: clock.now().toISOString() }),
    'POST control/clock': (call) => done(() => clock.advance(Number(jsonOf(call)['advanceSeconds']))),
    'GET control/deliveries': () => ok({ waiting: deliveries.waiting(), sent: deliveries.sent() }),
    'PUT control/deliveries': (call) => done(() => deliveries.hold(jsonOf(call)['held'] === true)),
    'POST control/deliveries/:id': async (call) => ok({ status: await deliveries.send(Number(call.params['id'])) }),
    'GET control/:provider/grants': (call) => {
      const grants = part(call)?.core.grants()
      return grants === undefined
        ? missing
        : ok({
            grants: grants.map(({ id, person, scopes, clientId }) => ({ id, clientId, scopes, account: person.id })),
          })
    },
    // What a person does in the provider's own settings: "remove access".
    'DELETE control/:provider/grants': (call) => {
      const core = part(call)?.core
      if (core === undefined) return missing
      const account = call.query.get('account')
      for (const grant of core.grants()) if (account === null || grant.person.id === account) core.revokeGrant(grant.id)
      return { status: 204 }
    },
    'PUT control/:provider/app': (call) => {
      const core = part(call)?.core
      if (core === undefined) return missing
      return done(() => setApp(core, jsonOf(call)))
    },
    'POST control/:provider/:action': perform,
  }
}

/** Registers an OAuth app, or changes what its owner can set. */
function setApp(core: TokenCore, { clientId, clientSecret, expiringTokens }: Json): void {
  if (typeof clientId === 'string' && typeof clientSecret === 'string')
    core.clients.set(clientId, { clientId, clientSecret })
  if (typeof expiringTokens === 'boolean') core.expiringTokens = expiringTokens
}

function done(perform: () => void) {
  perform()
  return { status: 204 }
}
