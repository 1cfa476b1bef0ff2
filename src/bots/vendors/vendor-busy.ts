import { failureDetail } from '../providers/answer-values.ts'
import { type AskVendor, VendorUnreachable } from '../providers/vendor.ts'

/** The vendor cannot be asked now: it is away, asks to wait, or does not take the key. */
export class VendorBusy extends Error {
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null) {
    super(message)
    this.name = 'VendorBusy'
    this.retryAfterMs = retryAfterMs
  }
}

export type AskStrictly = AskVendor

/** Answers that say nothing about the bot are failures: nothing may be concluded from them. */
export function strictly(ask: AskVendor): AskStrictly {
  return async (request) => {
    try {
      const answer = await ask(request)
      const { status } = answer
      if (status < 500 && ![401, 403, 408, 429].includes(status)) return answer
      throw new VendorBusy(failureDetail(status, answer.body), answer.retryAfterMs)
    } catch (error) {
      throw error instanceof VendorUnreachable ? new VendorBusy(error.message, null) : error
    }
  }
}
