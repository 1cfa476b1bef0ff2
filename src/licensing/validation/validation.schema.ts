import type { Static } from 'typebox'
import { Nullable, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { plans, verdictCodes } from '../licenses/license.rules.ts'
import { keyExample, Product } from '../licenses/license.schema.ts'

const KeyText = Type.String({
  maxLength: 200,
  description: 'The license key, under either name.',
  examples: [keyExample],
})

export const ValidationRequest = StrictObject({
  licenseKey: Type.Optional(KeyText),
  key: Type.Optional(KeyText),
  product: Type.Optional(Product),
  consume: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Also take one use, for a product without a connect of its own; a VPN connect takes its use itself. Send an `Idempotency-Key` to take it once.',
      examples: [false],
    }),
  ),
})
export type ValidationRequest = Static<typeof ValidationRequest>

export const ValidationAnswer = Type.Object(
  {
    valid: Type.Boolean({ examples: [true] }),
    code: StringEnum(verdictCodes, {
      description:
        'NOT_FOUND stands for an unknown, a mistyped and another tenant’s key alike. PRODUCT_MISMATCH: the license is for another product than asked, or for one that the API key does not list.',
    }),
    plan: Nullable(StringEnum(plans), 'Null with NOT_FOUND and PRODUCT_MISMATCH.'),
    usesRemaining: Nullable(
      Type.Integer({ examples: [97] }),
      'Null: unlimited. 0 where `valid` is false. After the use that `consume` took.',
    ),
    expiresAt: Nullable(Timestamp, 'Null: never, or not known.'),
  },
  { title: 'LicenseVerdict', additionalProperties: false },
)
export type ValidationAnswer = Static<typeof ValidationAnswer>
