import { ok } from '../../http/answer.ts'
import { type RawBody, type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { checkAuthenticity, type ResolveRecords } from '../../mime/authenticity.ts'
import { MailTooComplex } from '../../mime/mail-limits.ts'
import { readMail } from '../../mime/read-mail.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'
import { OwnerQuery } from '../configs/config.schema.ts'
import type { Members } from '../members.ts'
import { emailAccess as access, emailBase, managedOwner, emailTag as tag } from '../owner.ts'
import { mailText } from '../receiving/receive.service.ts'
import { findThread } from '../receiving/thread-lookup.service.ts'
import type { Tokens } from '../receiving/token.rules.ts'
import { Simulated, traceView } from './draft.schema.ts'
import { readParts } from './parsed-mail.ts'
import type { ReceivedMail } from './received-mail.ts'
import type { Replies } from './reply.service.ts'
import type { Trace } from './trace.rules.ts'

export type SimulateDeps = {
  clock: Clock
  members: Pick<Members, 'get'>
  replies: Pick<Replies, 'foresee'>
  tokens: Tokens
  resolve: ResolveRecords
  hostname: string
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
    summary: 'Try what would become of a mail',
    description:
      'The trace and the answer, as if the mail had come to the address of the organization or the tenant now, from its `Return-Path`. Nothing is stored, sent or counted, and no language model is asked.',
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
  const mail = await readReceived(deps, scope, { owner, bytes })
  if (typeof mail !== 'string') return deps.replies.foresee(scope, mail, owner)
  const detail = `The mail is kept aside: ${mail}.`
  const trace: Trace = [{ step: 'parsed', result: 'stopped', cause: 'QUARANTINED', detail }]
  return { trace, draft: null }
}

/** The mail, or why it would be kept aside. */
async function readReceived(
  { clock, tokens, resolve, hostname }: SimulateDeps,
  scope: TenantScope,
  { owner, bytes }: { owner: Owner; bytes: Buffer },
): Promise<ReceivedMail | string> {
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
  const lookup = { ownerId: owner.ownerId, sender: from, replyToken: null, bounceToken: null }
  const thread = await findThread(scope, tokens, { ...lookup, inReplyTo: mail.inReplyTo, references: mail.references })
  return {
    ...readParts(mail, from),
    ...{
      id: newId(clock.now()),
      ...owner,
      threadId: thread?.threadId ?? null,
      isStranger: thread?.isStranger ?? false,
    },
    ...{ authenticity: checked.authenticity, verdicts: checked.verdicts, envelopeFrom, tag: null },
    ...{ messageId: mail.messageId, text: mailText(mail), quarantine: null },
  }
}
