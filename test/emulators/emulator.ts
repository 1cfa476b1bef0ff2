import type { ProviderName } from '../../src/providers/provider.ts'
import type { Call, Routes } from './call.ts'
import type { Grant, OauthBehaviour } from './oauth/grant.ts'

export { type ProviderName, providerNames as providers } from '../../src/providers/provider.ts'

/** Vendors of meeting bots, which have no OAuth. */
export const vendorNames = ['recall', 'attendee', 'vexa'] as const
export type VendorName = (typeof vendorNames)[number]
export type EmulatedName = ProviderName | VendorName

/** What a test asks of the world behind the provider: edit an issue, hold a meeting. */
export type Controls = Record<string, (input: Record<string, unknown>) => unknown>

/** The clock of all emulators. It runs with the machine's and can be advanced. */
export type EmulatorClock = { now(): Date; advance(seconds: number): void }

/** What an emulator is given by the server that runs it. */
export type World = {
  clock: EmulatorClock
  /** The grant of the access token in `Authorization`; null where the token is unknown, revoked or too old. */
  grantOf(call: Call): Grant | null
  deliver(delivery: Delivery): void
  /** Of the app that was registered last. */
  appSecret(): string
  /** A number that no other call gets: for ids. */
  next(): number
}

/** A webhook as the provider sends it. The signature is made when it is sent. */
export type Delivery = {
  url: string
  /** Which resource it tells of, for tests that deliver late, twice or in another order. */
  about: string
  sign(now: Date): { headers: Record<string, string>; body: string }
}

export type Emulator = {
  name: ProviderName
  oauth: OauthBehaviour
  routes: Routes
  controls: Controls
}
