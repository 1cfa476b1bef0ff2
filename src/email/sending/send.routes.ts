import type { UserCaller } from '../../http/access/callers.ts'
import { accepted } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Audit } from '../../identity/index.ts'
import { notFound, Refusal, refuseFields } from '../../kernel/refusal.ts'
import { Id, SingleLine, StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'
import { OwnerQuery } from '../configs/config.schema.ts'
import { isAddress } from '../configs/config-validation.ts'
import type { Members } from '../members.ts'
import { EmailMessageDetail, emailMessageView } from '../message.schema.ts'
import { findMessage } from '../message.store.ts'
import { emailAccess as access, type EmailUser, emailBase, emailTag as tag } from '../owner.ts'
import type { Sending } from './sending.service.ts'

export type SendDeps = {
  members: Members
  sending: Pick<Sending, 'add'>
  audit: Audit
  /** A meeting that the user may read. Refuses NOT_FOUND. */
  getMeeting(
    scope: TenantScope,
    user: UserCaller,
    id: string,
  ): Promise<{ orgId: string | null; participants: { email?: string | null }[] }>
  findVerifiedUser(scope: TenantScope, address: string): Promise<string | null>
}

const NewMail = StrictObject({
  to: Type.Array(Type.String({ minLength: 3, maxLength: 254, examples: ['ana@example.com'] }), {
    minItems: 1,
    maxItems: 10,
  }),
  subject: SingleLine({ lettersMax: 200, example: 'Notes of Thursday' }),
  meetingId: Type.Optional({
    ...Id,
    description: 'A meeting of the organization that you may read: members also write to its participants.',
  }),
  text: Type.String({ minLength: 1, maxLength: 100_000, pattern: '^[^\\u0000]*$', examples: ['See you on Thursday.'] }),
})

export function sendRoutes(deps: SendDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: `${emailBase}/send`,
      name: 'sendEmail',
      tag,
      summary: 'Send a mail',
      description:
        'From the address of the organization, in a new thread. Members write to members and to participants of the meeting that `meetingId` names; admins and owners to anybody; administrators of the tenant without `orgId` for the tenant. The mail is sent in the background; its `status` shows what happened to it.',
      access,
      query: OwnerQuery,
      body: NewMail,
      answers: { 202: EmailMessageDetail },
      refusals: ['INSUFFICIENT_ROLE', 'NOT_FOUND', 'QUOTA_EXCEEDED'],
      idempotent: true,
      authorizeRepeat: ({ scope, user, query: { orgId } }) => writer(deps.members, scope, { user, orgId }),
      handle: ({ scope, user, query: { orgId }, body }) =>
        transaction(scope, async (tx) => {
          const { mayWriteToAnybody, ...owner } = await writer(deps.members, tx, { user, orgId })
          refuseFields(
            body.to.flatMap((address, index) =>
              isAddress(address)
                ? []
                : [{ path: `/body/to/${index}`, code: 'format', message: 'must be an e-mail address' }],
            ),
          )
          const to = await Promise.all(
            body.to.map(async (address) => ({ address, userId: await findMember(deps, tx, owner, address) })),
          )
          const participants = await participantsOf(deps, tx, { user, owner, meetingId: body.meetingId })
          const isKnown = ({ address, userId }: (typeof to)[number]) =>
            userId !== null || participants.has(address.toLowerCase())
          if (!mayWriteToAnybody && !to.every(isKnown))
            throw new Refusal('INSUFFICIENT_ROLE', {
              detail:
                'Members write to members and to participants of `meetingId`. Admins and owners of the organization write to anybody.',
            })
          const mail = { ...owner, threadId: null, to, subject: body.subject, text: body.text }
          const { id } = await deps.sending.add(tx, { ...mail, inReplyTo: null, references: [], status: 'queued' })
          await deps.audit(tx, { action: 'email_message.send', target: { type: 'email_message', id } })
          const message = await findMessage(tx, id)
          if (message === null) throw notFound()
          return { ...accepted({ message: emailMessageView(message) }), subjectId: id }
        }),
    }),
  ]
}

/** For whom a user writes. Refuses NOT_FOUND and INSUFFICIENT_ROLE. */
async function writer(
  members: Members,
  tx: TenantScope,
  { user, orgId }: { user: EmailUser; orgId: string | undefined },
): Promise<Owner & { mayWriteToAnybody: boolean }> {
  if (orgId !== undefined) {
    const { role } = await members.get(tx, user, { orgId, least: 'member' })
    return { ownerId: orgId, orgId, mayWriteToAnybody: role !== 'member' }
  }
  if (user.role !== 'ADMIN')
    throw new Refusal('INSUFFICIENT_ROLE', { detail: 'This needs an administrator of the tenant. Or name an `orgId`.' })
  return { ownerId: tx.tenantId, orgId: null, mayWriteToAnybody: true }
}

/** The addresses of the people of a meeting. Refuses NOT_FOUND for one of another organization, or that the user may not read. */
async function participantsOf(
  deps: SendDeps,
  tx: TenantScope,
  { user, owner, meetingId }: { user: UserCaller; owner: Owner; meetingId: string | undefined },
): Promise<Set<string>> {
  if (meetingId === undefined) return new Set()
  const { orgId, participants } = await deps.getMeeting(tx, user, meetingId)
  if (orgId !== owner.orgId) throw notFound()
  return new Set(participants.flatMap(({ email }) => email?.toLowerCase() ?? []))
}

/** The user with this verified address who may read the answers. */
async function findMember(deps: SendDeps, tx: TenantScope, { orgId }: Owner, address: string): Promise<string | null> {
  const userId = await deps.findVerifiedUser(tx, address)
  if (userId === null || orgId === null) return userId
  return (await deps.members.isMember(tx, { orgId, userId })) ? userId : null
}
