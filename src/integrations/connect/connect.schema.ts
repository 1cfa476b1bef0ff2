import type { Static } from 'typebox'
import { Id, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { FeatureWord } from '../providers/provider.schema.ts'

export const ConnectBody = StrictObject({
  features: Type.Array(FeatureWord, { minItems: 1, maxItems: 9, description: 'The features to connect.' }),
  orgId: Type.Optional({ ...Id, description: 'For an organization, of which you are an admin. Absent: for yourself.' }),
  returnTo: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        'Where the browser goes at the end, with `integrationId` and `confirmation`, or `error`. Absent: a page of ours shows the confirmation.',
      examples: ['https://app.example.com/integrations'],
    }),
  ),
  integrationId: Type.Optional({
    ...Id,
    description: 'Connects this one again, or adds features to it. It has to be the same account.',
  }),
  broker: Type.Optional(
    Type.Boolean({
      description: 'Whether the access token can be read with the API. Only with an OAuth app of the tenant’s own.',
      examples: [false],
    }),
  ),
})
export type ConnectBody = Static<typeof ConnectBody>

export const ConnectAnswer = StrictObject({
  connect: StrictObject({
    integrationId: Id,
    startUrl: Type.String({
      description: 'For the user’s browser. It works once.',
      examples: ['https://atrium.example.com/assistant/v1/integrations/start/atrconnect_...'],
    }),
    expiresAt: Timestamp,
  }),
})

export const ConfirmBody = StrictObject({
  confirmation: Type.String({ minLength: 1, maxLength: 100, examples: ['7K2Q-9XZB-4M1T'] }),
})

export const OriginsBody = StrictObject({
  origins: Type.Array(Type.String({ minLength: 1, maxLength: 300, examples: ['https://app.example.com'] }), {
    maxItems: 50,
    description: 'Exact origins. Plain HTTP is allowed only for localhost and 127.0.0.1.',
  }),
})

const Line = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** Providers add parameters of their own. */
export const CallbackParams = Type.Object({
  state: Line(200),
  code: Line(4096),
  error: Line(200),
  error_description: Line(4096),
  iss: Line(500),
})

export const ConfirmationParams = Type.Object({ integrationId: Line(100), confirmation: Line(100), error: Line(100) })
