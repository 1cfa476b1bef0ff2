export type BodySettings = {
  /** The total of all bodies of verified callers and of senders whom a route knows. Each exists in several copies. */
  knownBytesMax: number
  /** The total of all other bodies. Apart, so that strangers leave room for the others. */
  strangersBytesMax: number
  /** The least speed of a body. */
  bytesPerSecondMin: number
  /** How long a body may stop, or fall behind that speed. */
  patienceMs: number
  /** How often that is checked. */
  checkMs: number
}

export const bodySettings: BodySettings = {
  knownBytesMax: 100 * 1024 * 1024,
  // What they send has 1 MiB at most.
  strangersBytesMax: 32 * 1024 * 1024,
  // Slower than a modem of 1998, and a longer pause than a phone makes in the middle of a request.
  bytesPerSecondMin: 1024,
  patienceMs: 5_000,
  checkMs: 1_000,
}
