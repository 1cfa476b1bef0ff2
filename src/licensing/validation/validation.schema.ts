import type { Static } from 'typebox'
import { Nullable, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { plans, verdictCodes } from '../licenses/license.rules.ts'
import { keyExample, Product } from '../licenses/license.schema.ts'

const KeyText = Type.String({
  maxLength: 200,
  description: 'The license key. Send either `licenseKey` or `key`.',
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
        'Also take one use. Not for the VPN, which takes a use when a session connects. Send an `Idempotency-Key`, so that a repeated request takes only one use.',
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
        'NOT_FOUND: the key is unknown, mistyped or of another tenant. PRODUCT_MISMATCH: the license is for another product than requested, or for one that the API key does not list.',
    }),
    plan: Nullable(StringEnum(plans), 'Null with NOT_FOUND and PRODUCT_MISMATCH.'),
    usesRemaining: Nullable(
      Type.Integer({ examples: [97] }),
      'Null: unlimited. 0 if `valid` is false. With `consume`, the number after this use.',
    ),
    expiresAt: Nullable(Timestamp, 'Null: never, or not known.'),
  },
  { title: 'LicenseVerdict', additionalProperties: false },
)
export type ValidationAnswer = Static<typeof ValidationAnswer>
