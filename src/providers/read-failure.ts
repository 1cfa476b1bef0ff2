/** What a provider answered cannot be used: `reason` is the cause that the owner is shown. */
export class ReadFailure extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`The provider's data cannot be read: ${reason}.`)
    this.name = 'ReadFailure'
    this.reason = reason
  }
}

/** Throws ReadFailure. */
export function requireAnswer({ status }: { status: number }): void {
  if (status >= 300) throw new ReadFailure(status === 403 ? 'FORBIDDEN' : 'PROVIDER_UNAVAILABLE')
}
