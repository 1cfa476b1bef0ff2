import type { Static } from 'typebox'
import { Nullable, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { vendors } from '../vendor.rules.ts'

const Region = Type.String({
  minLength: 1,
  maxLength: 40,
  description:
    'Of Recall.ai: `us-east-1`, `us-west-2`, `eu-central-1` or `ap-northeast-1`. Its API keys belong to a region.',
  examples: ['eu-central-1'],
})
const BaseUrl = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'The address of your own installation of Attendee or Vexa. Absent: the vendor’s address.',
  examples: ['https://attendee.example.com'],
})

export const NewVendor = Type.Object(
  {
    apiKey: Type.String({
      minLength: 8,
      maxLength: 500,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'Write-only.',
      examples: ['the-key-of-your-account'],
    }),
    region: Type.Optional(Region),
    baseUrl: Type.Optional(BaseUrl),
    webhookSecret: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 500,
        pattern: '^[\\x21-\\x7e]+$',
        description:
          'Write-only. The secret with which the vendor signs its webhooks. Absent: unchanged. Without a secret, the service only asks the vendor every 30 seconds.',
        examples: ['whsec_bXktc2VjcmV0LW9mLXRoZS12ZW5kb3I='],
      }),
    ),
  },
  { additionalProperties: false, examples: [{ apiKey: 'the-key-of-your-account', region: 'eu-central-1' }] },
)
export type NewVendor = Static<typeof NewVendor>

export const VendorAnswer = Type.Object(
  {
    vendor: StringEnum(vendors),
    name: Type.String({ examples: ['Recall.ai'] }),
    region: Nullable(Region),
    baseUrl: Type.String({ examples: ['https://eu-central-1.recall.ai'] }),
    platforms: Type.Array(Type.String({ examples: ['zoom'] })),
    webhookPath: Nullable(
      Type.String({
        examples: ['/assistant/v1/webhooks/inbound/bot/0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
      }),
      'Where the vendor sends its webhooks, below the base address of this installation. Null: no `webhookSecret` was set.',
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'BotVendor', additionalProperties: false },
)
export const VendorDetail = StrictObject({ vendor: VendorAnswer })
export const VendorList = StrictObject({ vendors: Type.Array(VendorAnswer) })
