import type { Call, Reply, Routes } from '../call.ts'
import type { Delivery, EmulatorClock, VendorName } from '../emulator.ts'
import type { MeetingRooms, RoomBot } from './meeting-rooms.ts'

export type VendorWorld = {
  clock: EmulatorClock
  /** Of the account's webhooks, with its secret. Null: none is set. */
  hook: { url: string; secret: string } | null
  apiKey: string
  deliver(delivery: Delivery): void
  next(): number
}

export type VendorEmulator = {
  name: VendorName
  rooms: MeetingRooms
  routes: Routes
}

/** A list finds a bot only some seconds after it was made, as with the vendors' indexes. */
const indexLagSeconds = 2

export function isIndexed(bot: RoomBot, clock: EmulatorClock): boolean {
  return clock.now().getTime() >= bot.createdAt.getTime() + indexLagSeconds * 1000
}

/** Routes need the key of the account. */
export function keyed(header: string, expected: () => string, refused: Reply) {
  return (handle: (call: Call) => Reply) => (call: Call) =>
    call.headers[header] === expected() ? handle(call) : refused
}
