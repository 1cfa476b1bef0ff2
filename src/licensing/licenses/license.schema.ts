import type { Static } from 'typebox'
import {
  Id,
  Nullable,
  OwnerOnly,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { licenseStatuses, plans } from './license.rules.ts'

export const keyExample = 'ATR-7K9QX-2M4WB-H8TRN-5VD3E-9C6ZP'
export const Product = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The slug of a product.',
  examples: ['vault-vpn'],
})
const PlanWord = StringEnum(plans, {
  description: 'TRIAL and STARTER have a limited number of uses. PRO and ENTERPRISE are unlimited.',
})
/** The maximum is the largest number that fits the column. */
const MaxUses = Type.Integer({ minimum: 0, maximum: 2_147_483_647, examples: [100] })
const Label = Type.String({ maxLength: 200, examples: ['Order 4711'] })

export const licenseKeyParam = {
  key: Type.String({
    description:
      'The id of the license, or its key. Prefer the id: addresses end up in logs. A key is accepted in lower case, with spaces, without hyphens, with O for 0, and with I or L for 1.',
    examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
  }),
}

export const LicenseAnswer = Type.Object(
  {
    id: Id,
    key: OwnerOnly(
      Type.String({ examples: [keyExample] }),
      'The license key, for the person who may use the license. Null for administrators below OWNER.',
    ),
    keyHint: Type.String({ description: 'The last five characters of the key.', examples: [keyExample.slice(-5)] }),
    tenantId: Id,
    product: Product,
    plan: PlanWord,
    status: StringEnum(licenseStatuses, {
      description:
        'EXPIRED from the instant of `expiresAt` on. REVOKED is final, and shown even if the license has also expired.',
    }),
    maxUses: Nullable(MaxUses, 'Null: unlimited.'),
    usesCount: Type.Integer({ description: 'The number of uses taken and not refunded.', examples: [3] }),
    usesRemaining: Nullable(Type.Integer({ examples: [97] }), 'Null: unlimited.'),
    expiresAt: Nullable(Timestamp, 'Null: never.'),
    label: Nullable(Label, 'A note of your own.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revokedAt: Nullable(Timestamp),
    lastUsedAt: Nullable(Timestamp),
    lastValidatedAt: Nullable(Timestamp, 'Accurate to about a minute.'),
  },
  { title: 'License', additionalProperties: false },
)
export type LicenseAnswer = Static<typeof LicenseAnswer>

export const LicenseDetail = StrictObject({ license: LicenseAnswer })
export const LicenseList = StrictObject({ licenses: Type.Array(LicenseAnswer), pagination: PaginationSchema })

export const NewLicense = StrictObject({
  tenantId: Id,
  product: Product,
  plan: PlanWord,
  maxUses: Type.Optional(
    Nullable(
      MaxUses,
      'Absent or null: 5 for TRIAL, 100 for STARTER. Ignored for PRO and ENTERPRISE, which are unlimited.',
    ),
  ),
  expiresAt: Type.Optional(Nullable(TimestampInput, 'A time in the future. Absent or null: never.')),
  label: Type.Optional(Nullable(Label, 'A note of your own.')),
})
export type NewLicense = Static<typeof NewLicense>

export const LicenseChanges = StrictObject({
  plan: Type.Optional(PlanWord),
  maxUses: Type.Optional(
    Nullable(
      MaxUses,
      'Null: unlimited. May be lower than `usesCount`. Absent: kept, or the default of a new `plan`. Ignored for PRO and ENTERPRISE, which are unlimited.',
    ),
  ),
  expiresAt: Type.Optional(Nullable(TimestampInput, 'A time in the future. Null: never.')),
  label: Type.Optional(Nullable(Label, 'Null: none.')),
})
export type LicenseChanges = Static<typeof LicenseChanges>

export const LicenseQuery = StrictObject({
  ...PageQuery,
  id: Type.Optional(Id),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A part of the label, or the last five characters of the key (`keyHint`). Case does not matter.',
      examples: ['order 47'],
    }),
  ),
  tenantId: Type.Optional(Id),
  product: Type.Optional(Product),
  plan: Type.Optional(StringEnum(plans)),
  status: Type.Optional(StringEnum(licenseStatuses, { description: 'The current status.' })),
})
