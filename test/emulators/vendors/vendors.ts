import { createDeliveries, type Deliveries } from '../deliveries.ts'
import { type EmulatorClock, type VendorName, vendorNames } from '../emulator.ts'
import { createFaults, type Faults } from '../faults.ts'
import { createJournal, type Journal } from '../journal.ts'
import { router } from '../router.ts'
import { listen, type Target } from '../server.ts'
import { attendeeEmulator } from './attendee.ts'
import type { MeetingRooms } from './meeting-rooms.ts'
import { recallEmulator } from './recall.ts'
import type { VendorEmulator, VendorWorld } from './vendor-emulator.ts'
import { vexaEmulator } from './vexa.ts'

const makers: Record<VendorName, (world: VendorWorld) => VendorEmulator> = {
  recall: recallEmulator,
  attendee: attendeeEmulator,
  vexa: vexaEmulator,
}

export type VendorEmulators = {
  /** The value of `BOT_VENDOR_ENDPOINTS`. */
  endpoints: Map<string, string>
  faults: Faults
  journal: Journal
  deliveries: Deliveries
  rooms(vendor: VendorName): MeetingRooms
  apiKey(vendor: VendorName): string
  /** Where the account's webhooks go. */
  setHook(vendor: VendorName, hook: VendorWorld['hook']): void
  close(): Promise<void>
}

/** The three vendors of meeting bots on one port of loopback, with what people do in the meetings. */
export async function startVendors(clock: EmulatorClock): Promise<VendorEmulators> {
  const faults = createFaults()
  const journal = createJournal()
  const deliveries = createDeliveries(clock)
  let last = 100
  const parts = vendorNames.map((name) => {
    const world: VendorWorld = {
      clock,
      hook: null,
      apiKey: `key-of-the-emulated-${name}`,
      deliver: (delivery) => deliveries.add(delivery),
      next: () => {
        last += 1
        return last
      },
    }
    const emulator = makers[name](world)
    return { name, world, emulator, find: router(emulator.routes) }
  })
  const find = (method: string, host: string, path: string): Target => {
    for (const { name, find: findRoute } of parts) {
      const match = findRoute(method, host, path)
      if (match !== null) return { provider: name, match }
    }
    return { provider: null, match: null }
  }
  const server = await listen({ port: 0, clock, faults, journal, find })
  const partOf = (vendor: VendorName) => {
    const part = parts.find(({ name }) => name === vendor)
    if (part === undefined) throw new Error(`there is no emulator of ${vendor}`)
    return part
  }
  return {
    endpoints: new Map(vendorNames.map((name) => [name, server.origin])),
    faults,
    journal,
    deliveries,
    rooms: (vendor) => partOf(vendor).emulator.rooms,
    apiKey: (vendor) => partOf(vendor).world.apiKey,
    setHook: (vendor, hook) => {
      partOf(vendor).world.hook = hook
    },
    close: () => server.close(),
  }
}
