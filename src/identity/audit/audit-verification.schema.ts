import type { Static } from 'typebox'
import { Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { verificationReasons } from './audit-chain.rules.ts'

const Checkpoint = StrictObject({
  seq: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [1840] }),
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    examples: ['9b1c5d0e7f2a4b6c8d0e1f3a5b7c9d1e2f4a6b8c0d2e4f6a8b0c1d3e5f7a9b2c'],
  }),
})

export const VerificationRequest = StrictObject({
  fromSeq: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Where to continue: the `nextSeq` of the previous answer.',
      examples: [1],
    }),
  ),
  checkpoint: Type.Optional({
    ...Checkpoint,
    description: 'The `head` of an earlier answer. Verifies that the log still contains it.',
  }),
})
export type VerificationRequest = Static<typeof VerificationRequest>

export const VerificationAnswer = Type.Object(
  {
    ok: Type.Boolean({ examples: [true] }),
    checked: Type.Integer({ description: 'The number of sealed entries that were checked.', examples: [1840] }),
    redacted: Type.Integer({ description: 'How many of them belong to erased tenants.', examples: [0] }),
    unsealed: Type.Integer({
      description: 'The number of newest entries that are not in the chain yet.',
      examples: [2],
    }),
    firstBadSeq: Nullable(
      Type.Integer({ examples: [null] }),
      'The first wrong position. Null also if the problem has no position.',
    ),
    firstBadId: Nullable(Type.String({ examples: [null] }), 'The id of the entry at this position, if there is one.'),
    reason: Nullable(StringEnum(verificationReasons)),
    head: Nullable(
      Checkpoint,
      'The newest position and its hash. Store it outside the server and send it later as `checkpoint`.',
    ),
    nextSeq: Nullable(Type.Integer({ examples: [null] }), 'Where to continue. Null: everything was checked.'),
  },
  { title: 'AuditVerification' },
)
