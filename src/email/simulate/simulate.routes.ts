import { ok } from '../../http/answer.ts'
import { type RawBody, type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { checkAuthenticity, type ResolveRecords } from '../../mime/authenticity.ts'
import { MailTooComplex } from '../../mime/mail-limits.ts'
import type { Tokens } from '../../mime/mail-token.ts'
import { readMail } from '../../mime/read-mail.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Owner, Settings } from '../configs/config.rules.ts'
import { OwnerQuery } from '../configs/config.schema.ts'
import type { Members } from '../members.ts'
import { emailAccess as access, emailBase, managedOwner, emailTag as tag } from '../owner.ts'
import { believedOf } from '../receiving/receive.service.ts'
import type { ReceivedMessage } from '../receiving/received-message.ts'
import { ownName } from '../receiving/recipient-name.ts'
import { findThread } from '../receiving/thread-lookup.service.ts'
import type { Orders } from '../replies/command.service.ts'
import { Simulated, traceView } from '../replies/draft.schema.ts'
import { toReceivedMail } from '../replies/parsed-mail.ts'
import type { Replies } from '../replies/reply.service.ts'
import type { Trace } from '../replies/trace.rules.ts'

export type SimulateDeps = {
  clock: Clock
  members: Pick<Members, 'get'>
  replies: Pick<Replies, 'foresee'>
  orders: Pick<Orders, 'foresee'>
  tokens: Tokens
  resolve: ResolveRecords
  hostname: string
  /** The domain of the addresses of this installation. */
  domain: string | null
  readSettings(
    scope: TenantScope,
    owner: Owner,
  ): Promise<{ stored: { localPart: string | null }; replies: Settings['replies'] }>
  findVerifiedUser(scope: TenantScope, address: string): Promise<string | null>
}

const bytesMax = 25 * 1024 * 1024
const example =
  'From: Ana <ana@example.com>\r\nTo: team@mail.example.com\r\nSubject: Venue\r\n\r\nWhen does it open?\r\n'

export function simulateRoute(deps: SimulateDeps): Route {
  return route({
    method: 'POST',
    path: `${emailBase}/simulate`,
    name: 'simulateEmail',
    tag,
    summary: 'Show what would happen to a mail',
    description:
      'Returns the trace and the answer, as if the mail had arrived at the address of the organization or the tenant now, from its `Return-Path`. If the mail is a command, the answer says what it would do. Nothing is stored, sent or counted, and no language model is asked.',
    access,
    query: OwnerQuery,
    rawBody: { examples: { 'message/rfc822': example }, bytesMax },
    answers: { 200: Simulated },
    refusals: ['INSUFFICIENT_ROLE', 'NOT_FOUND', 'UNAVAILABLE'],
    handle: async ({ scope, user, query: { orgId }, raw }) => {
      const owner = await managedOwner(deps.members, scope, { user, orgId })
      const { trace, draft } = await simulate(deps, scope, { owner, bytes: (raw as RawBody).bytes })
      return { ...ok({ trace: traceView(trace), draft }), headers: { 'cache-control': 'no-store' } }
    },
  })
}

async function simulate(deps: SimulateDeps, scope: TenantScope, { owner, bytes }: { owner: Owner; bytes: Buffer }) {
  const message = await readReceived(deps, scope, { owner, bytes })
  const mail = typeof message === 'string' ? null : toReceivedMail(message)
  if (mail === null || typeof message === 'string') {
    const detail = `The mail is kept aside: ${message}.`
    const trace: Trace = [{ step: 'parsed', result: 'stopped', cause: 'QUARANTINED', detail }]
    return { trace, draft: null }
  }
  return (await deps.orders.foresee(scope, message)) ?? deps.replies.foresee(scope, mail, owner)
}

/** The mail, or why it would be kept aside. */
async function readReceived(
  { clock, tokens, resolve, hostname, domain, readSettings, findVerifiedUser }: SimulateDeps,
  scope: TenantScope,
  { owner, bytes }: { owner: Owner; bytes: Buffer },
): Promise<ReceivedMessage | string> {
  const mail = await readMail(bytes).catch((error) => {
    if (error instanceof MailTooComplex) return String(error.cause)
    throw error
  })
  if (typeof mail === 'string') return mail
  const [sender, ...others] = mail.from
  if (sender === undefined || others.length > 0) return 'it names no sender, or several'
  const from = sender.address.toLowerCase()
  const returnPath = mail.headers.find(([name]) => name === 'return-path')?.[1]
  const envelopeFrom = returnPath === undefined ? from : returnPath.replace(/[<>\s]/g, '')
  const checked = await checkAuthenticity(bytes, { from: envelopeFrom, client: null }, { resolve, hostname })
  const { stored, replies } = await readSettings(scope, owner)
  const { tag, ...name } = ownName([...mail.to, ...mail.cc], stored.localPart, { domain, tokens })
  const { inReplyTo, references } = mail
  const thread = await findThread(scope, tokens, {
    ...name,
    ownerId: owner.ownerId,
    sender: from,
    inReplyTo,
    references,
  })
  const authenticity = believedOf(checked, replies)
  const claimedUserId = await findVerifiedUser(scope, from)
  const now = clock.now()
  return {
    ...{ ...mail, ...owner, tag, authenticity, envelopeFrom, claimedUserId },
    ...{ id: newId(now), receivedAt: now, from: sender, verdicts: checked.verdicts },
    threadId: thread?.threadId ?? null,
    isStranger: thread?.isStranger ?? false,
    senderUserId: authenticity === 'pass' ? claimedUserId : null,
  }
}
