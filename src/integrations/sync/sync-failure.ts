/** What a provider answered cannot be used: `reason` is the cause that the owner is shown. */
export class SyncFailure extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`The provider's data cannot be read: ${reason}.`)
    this.name = 'SyncFailure'
    this.reason = reason
  }
}
