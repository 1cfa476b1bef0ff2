import type { Static } from 'typebox'
import { Id, isoOrNull, Nullable, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { DnsRecordSchema } from '../dkim/dns-record.ts'
import { stepCauses, stepNames, stepResults, type Verification, verificationStatuses } from './verification.rules.ts'

const StepAnswer = StrictObject({
  name: StringEnum(stepNames, {
    description:
      'login: at the server that sends. ownership, spf, dkim, dmarc, mx: what the domain of `fromAddress` publishes; without one of your own these are left out. roundTrip: a mail to your own address.',
  }),
  result: StringEnum(stepResults),
  cause: Nullable(StringEnum(stepCauses), 'Why it failed.'),
  detail: Nullable(Type.String({ examples: ['The mail arrived. Its sender counts as pass (DMARC).'] })),
  record: Nullable(DnsRecordSchema, 'What to publish. The values for SPF, DMARC and MX are suggestions.'),
})

const VerificationAnswer = Type.Object(
  {
    id: Id,
    orgId: Nullable(Id, 'Null: the tenant itself.'),
    status: StringEnum(verificationStatuses, {
      description: '`passed` needs login, ownership and round trip. The other steps are advice.',
    }),
    steps: Type.Array(StepAnswer),
    createdAt: Timestamp,
    endedAt: Nullable(Timestamp),
  },
  { title: 'EmailVerification', additionalProperties: false },
)

export const VerificationDetail = StrictObject({ verification: VerificationAnswer })

export function verificationView(verification: Verification): Static<typeof VerificationAnswer> {
  const { id, orgId, status, steps, createdAt, endedAt } = verification
  return { id, orgId, status, steps, createdAt: createdAt.toISOString(), endedAt: isoOrNull(endedAt) }
}
