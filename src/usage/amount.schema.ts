import { Type } from '../kernel/type.ts'

/** The largest integer in a header field (RFC 9651), and so the largest limit. */
export const amountMax = 999_999_999_999_999

export const Amount = Type.Integer({ minimum: 0, maximum: amountMax, examples: [200] })
