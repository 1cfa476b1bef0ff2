import { created } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { isoOrNull, Nullable, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { OwnerQuery } from '../configs/config.schema.ts'
import type { Members } from '../members.ts'
import { emailAccess as access, emailBase, managedOwner, emailTag as tag } from '../owner.ts'
import { dkimRecord } from './dkim.rules.ts'
import { type Dkim, generateKeys } from './dkim.service.ts'
import { DnsRecordSchema } from './dns-record.ts'

const Key = Type.Object(
  {
    selector: Type.String({ examples: ['atrium-7k2f9xq3'] }),
    domain: Type.String({ examples: ['example.com'] }),
    record: DnsRecordSchema,
    seenAt: Nullable(Timestamp, 'When its record was found. It signs from then on. Null: not yet.'),
    createdAt: Timestamp,
  },
  { title: 'EmailDkimKey', additionalProperties: false },
)

export function dkimRoute({ dkim, members }: { dkim: Dkim; members: Pick<Members, 'get'> }): Route {
  return route({
    method: 'POST',
    path: `${emailBase}/config/dkim`,
    name: 'createEmailDkimKey',
    tag,
    summary: 'Create a key that signs your mails',
    description:
      'RSA, 2048 bits, for the domain of `identity.fromAddress`. Publish its record and start a verification. The key is used as soon as its record is found; until then the old key is used. Keep the old record for a week, for mails that are still on their way. A key whose record was never found is replaced.',
    access,
    query: OwnerQuery,
    answers: { 201: StrictObject({ key: Key }) },
    refusals: ['INSUFFICIENT_ROLE', 'NOT_FOUND', 'STATE_CONFLICT'],
    idempotent: true,
    authorizeRepeat: ({ scope, user, query: { orgId } }) => managedOwner(members, scope, { user, orgId }),
    prepare: async ({ scope, user, query: { orgId } }) => {
      await managedOwner(members, scope, { user, orgId })
      return generateKeys()
    },
    handle: async ({ scope, user, query: { orgId }, prepared }) => {
      const key = await dkim.add(scope, { user, orgId }, prepared)
      const { selector, domain, seenAt, createdAt } = key
      const ofOrg = orgId === undefined ? '' : `?orgId=${orgId}`
      return created(`${emailBase}/config${ofOrg}`, {
        key: {
          selector,
          domain,
          record: dkimRecord(key),
          seenAt: isoOrNull(seenAt),
          createdAt: createdAt.toISOString(),
        },
      })
    },
  })
}
