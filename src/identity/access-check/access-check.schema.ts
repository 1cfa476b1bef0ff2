import type { Static } from 'typebox'
import { accessChecks } from '../../kernel/access-check.ts'
import { refusals } from '../../kernel/refusal.ts'
import { Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

const exampleId = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'

export const AccessQuestion = Type.Object(
  {
    keyId: Type.Optional(
      Type.String({ maxLength: 64, description: 'The id of an API key. Send either this or `apiKey`.' }),
    ),
    apiKey: Type.Optional(Type.String({ maxLength: 4096, description: 'The key itself, if you do not know its id.' })),
    product: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The slug of a product.' })),
    licenseKey: Type.Optional(Type.String({ maxLength: 128 })),
    licenseId: Type.Optional(Type.String({ maxLength: 64, description: 'The id of a license, instead of its key.' })),
    userId: Type.Optional(Type.String({ maxLength: 64 })),
  },
  {
    additionalProperties: false,
    examples: [
      {
        keyId: exampleId,
        product: 'vault-vpn',
        licenseKey: 'ATR-7K3MX-Q9T4B-2VWZD-H5N8J-0F6RC',
        userId: '0193b6a0-7d2f-7c10-8e4a-5d1b9f3c6e28',
      },
    ],
  },
)
export type AccessQuestion = Static<typeof AccessQuestion>

export const AccessVerdict = Type.Object(
  {
    allowed: Type.Boolean({ description: 'Whether no check failed.', examples: [true] }),
    checks: Type.Array(
      StrictObject({
        check: StringEnum(accessChecks),
        passed: Nullable(
          Type.Boolean({ examples: [true] }),
          'Null: not part of the request, or skipped because an earlier check failed.',
        ),
        code: Nullable(StringEnum(Object.keys(refusals)), 'The error code that the caller would get.'),
        detail: Type.String({ examples: ['app (atr_Ab3d...) of tenant 0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57.'] }),
      }),
    ),
  },
  { title: 'AccessVerdict' },
)
