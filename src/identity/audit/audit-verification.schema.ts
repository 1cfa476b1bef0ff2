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
      description: 'Go on here: the `nextSeq` of the answer before.',
      examples: [1],
    }),
  ),
  checkpoint: Type.Optional({
    ...Checkpoint,
    description: 'The `head` of an earlier answer: the log has to be one that continues it.',
  }),
})
export type VerificationRequest = Static<typeof VerificationRequest>

export const VerificationAnswer = Type.Object(
  {
    ok: Type.Boolean({ examples: [true] }),
    checked: Type.Integer({ description: 'Sealed entries that were looked at.', examples: [1840] }),
    redacted: Type.Integer({ description: 'Of them, those of erased tenants.', examples: [0] }),
    unsealed: Type.Integer({ description: 'Newest entries that wait for their place in the chain.', examples: [2] }),
    firstBadSeq: Nullable(
      Type.Integer({ examples: [null] }),
      'The first place that is not as it was written; null also where the fault has no place.',
    ),
    firstBadId: Nullable(Type.String({ examples: [null] }), 'The entry there, where there is one.'),
    reason: Nullable(StringEnum(verificationReasons)),
    head: Nullable(Checkpoint, 'The newest place and its hash: keep it elsewhere, and ask about it as `checkpoint`.'),
    nextSeq: Nullable(Type.Integer({ examples: [null] }), 'Where to go on; null: all was looked at.'),
  },
  { title: 'AuditVerification' },
)
