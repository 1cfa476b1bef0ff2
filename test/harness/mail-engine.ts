import { effectiveSettings, type Owner, type Replies } from '../../src/email/configs/config.rules.ts'
import { examination, senderFinder } from '../../src/email/replies/examination.ts'
import type { ReceivedMail } from '../../src/email/replies/received-mail.ts'
import { recipientChoice } from '../../src/email/replies/recipients.ts'
import { replyService } from '../../src/email/replies/reply.service.ts'
import { noticeWriter } from '../../src/email/replies/write-notice.ts'
import { suppressionService } from '../../src/email/suppressions/suppression.service.ts'
import { insertThread } from '../../src/email/threads/thread.store.ts'
import { newId } from '../../src/kernel/ids.ts'
import { metricsRegistry } from '../../src/kernel/metrics.ts'
import { knowledgeSearch } from '../../src/knowledge/knowledge-search.ts'
import { hasParticipant } from '../../src/meetings/transcripts/searchable-transcript.store.ts'
import { searchableTranscripts } from '../../src/meetings/transcripts/searchable-transcript.ts'
import { organizationMembers } from '../../src/organizations/membership.ts'
import { eventBus } from '../../src/storage/events.ts'
import { many, maybeOne, run, sql } from '../../src/storage/query.ts'
import type { TenantScope } from '../../src/storage/scope.ts'
import type { TestApp } from './app.ts'
import { recordedJobs } from './mail.ts'

export type Written = Partial<ReceivedMail> & { from: string; text: string }
export type Answered = { status: string; outcome: string; cause: string | null; answer: SentAnswer | null }
export type SentAnswer = { id: string; status: string; to: string[]; subject: string; text: string; revision: number }

/** The engine that answers mails over the database of an app, with mails that are given to it. Nothing is sent. */
export function mailEngine(app: TestApp, { tenantId, orgId }: { tenantId: string; orgId: string }) {
  const { clock, platform } = app
  const defaults = effectiveSettings({}, null)
  const jobs = recordedJobs()
  const events = eventBus()
  const metering = {
    countAnswer: async <A>(_: TenantScope, __: unknown, give: (isWithin: boolean) => Promise<A>) => give(true),
  }
  const { answersForReaders: answers } = knowledgeSearch({
    ...{ platform, clock, events, jobs, metering: metering as never, members: organizationMembers },
    ...{ metrics: metricsRegistry(), transcripts: searchableTranscripts, languageModel: null, embeddings: null },
  })
  const audit = async () => undefined
  const suppressions = suppressionService({ clock, events, audit })
  const received = new Map<string, ReceivedMail>()
  const replies: Replies = { ...defaults.replies, mode: 'send' }
  const scope = app.scopeOf(tenantId)
  const owner: Owner = { ownerId: orgId, orgId }
  const installation = {
    isOwnAddress: (it: string) => it.endsWith('@mail.atrium.example'),
    isOwnMessageId: () => false,
  }
  const findSender = senderFinder({ hasParticipant })
  const sending = {
    readSettings: async () => ({ ...defaults, replies, address: 'team@mail.atrium.example' }),
    takeOfDay: async () => true,
    release: async (tx: TenantScope, { messageId: id }: { messageId: string }) => {
      const mail = sql`tenant_id = ${tenantId} and id = ${id}`
      return (await run(tx, sql`update mail_messages set status = 'queued' where ${mail}`)) > 0
    },
  }
  const service = replyService({
    ...{ clock, jobs, events, suppressions, answers, ...sending },
    recipients: recipientChoice({ installation, answers, findSender }),
    writeNotice: noticeWriter({ clock, ...sending }),
    examine: examination({ installation, answers, findSender, findSuppression: suppressions.find }),
    loadReceived: async (_, id) => received.get(id) ?? null,
  })

  async function thread(people: { address: string; userId?: string }[] = []): Promise<string> {
    const id = newId(clock.now())
    await insertThread(scope, { id, ...owner, subject: 'Launch', now: clock.now() })
    for (const { address, userId = null } of people)
      await run(
        scope,
        sql`insert into email_correspondents (tenant_id, thread_id, address, user_id)
          values (${tenantId}, ${id}, ${address}, ${userId})`,
      )
    return id
  }

  /** Stores a mail as one that came. Returns its id. */
  async function receive({ text, ...rest }: Written): Promise<string> {
    const id = newId(clock.now())
    const mail: ReceivedMail = {
      ...{ id, ...owner, threadId: null, authenticity: 'pass', isStranger: false, quarantine: null, tag: null },
      ...{ subject: 'Launch', text, headers: [], contentTypes: [], envelopeFrom: rest.from, verdicts: {} },
      ...{
        senders: [rest.from],
        recipients: [],
        messageId: `<${id}@example.com>`,
        inReplyTo: null,
        references: [],
        ...rest,
      },
    }
    received.set(id, mail)
    await run(
      scope,
      sql`insert into mail_messages (tenant_id, id, effect_key, message_id, refs, from_address, to_addresses, subject, text,
          verdicts, status, received_at, owner_id, org_id, thread_id, direction, authenticity)
        values (${tenantId}, ${id}, ${id}, ${mail.messageId}, '{}', ${mail.from}, '{}', ${mail.subject}, ${text}, '{}',
          'received', ${clock.now()}, ${orgId}, ${orgId}, ${mail.threadId}, 'in', ${mail.authenticity})`,
    )
    return id
  }

  const process = (id: string): Promise<void> =>
    service.answer({
      id,
      data: { messageId: id },
      scope,
      attempt: 1,
      isLastAttempt: false,
      signal: AbortSignal.timeout(60_000),
    })

  /** What became of a mail, and the newest answer to it. */
  async function read(id: string): Promise<Answered> {
    const mail = await maybeOne(
      scope,
      sql<
        Omit<Answered, 'answer'>
      >`select status, outcome, cause from mail_messages where tenant_id = ${tenantId} and id = ${id}`,
    )
    const answer = await maybeOne(
      scope,
      sql<SentAnswer>`select id, status, to_addresses as "to", subject, text, revision from mail_messages
        where tenant_id = ${tenantId} and answers_id = ${id} order by id desc limit 1`,
    )
    if (mail === null) throw new Error('no such mail')
    return { ...mail, answer }
  }

  async function ask(written: Written): Promise<Answered> {
    const id = await receive(written)
    await process(id)
    return read(id)
  }

  const correspondents = async (threadId: string): Promise<string[]> =>
    (
      await many(
        scope,
        sql<{ address: string }>`select address from email_correspondents
          where tenant_id = ${tenantId} and thread_id = ${threadId} order by 1`,
      )
    ).map(({ address }) => address)

  return { correspondents, ask, receive, process, read, thread, replies, suppressions, jobs, scope }
}
