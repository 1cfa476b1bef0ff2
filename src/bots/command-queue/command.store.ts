import { many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

export type CommandKind = 'leave' | 'message' | 'stop'
export type Command = { id: string; botId: string; kind: CommandKind; reason: string | null; text: string | null }

/** `question`: of the chat, which the service itself has to answer. */
type NewCommand = Omit<Command, 'kind'> & { kind: CommandKind | 'question'; byUser: string | null; createdAt: Date }

export async function insertCommand(
  tx: TenantScope,
  { botId, id, kind, reason, text, byUser, createdAt }: NewCommand,
): Promise<void> {
  await run(
    tx,
    sql`insert into bot_commands (tenant_id, bot_id, id, kind, reason, text, by_user, created_at)
      values (${tx.tenantId}, ${botId}, ${id}, ${kind}, ${reason}, ${text}, ${byUser}, ${createdAt})`,
  )
}

/** What a bot has not confirmed yet, oldest first. */
export function listOpenCommands(scope: TenantScope, botIds: string[]): Promise<Command[]> {
  return many(
    scope,
    sql<Command>`select id, bot_id as "botId", kind, reason, text from bot_commands
      where tenant_id = ${scope.tenantId} and bot_id = any (${botIds}::uuid[]) and done_at is null and kind <> 'question'
      order by created_at, id limit 200`,
  )
}

export async function closeCommand(
  tx: TenantScope,
  { botId, id, outcome, now }: { botId: string; id: string; outcome: string; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`update bot_commands set done_at = ${now}, outcome = ${outcome}
      where tenant_id = ${tx.tenantId} and bot_id = ${botId} and id = ${id} and done_at is null`,
  )
}

/** The messages since a time, of people or of the bot itself. The bot must be locked. */
export async function countMessages(
  tx: TenantScope,
  { botId, by, since }: { botId: string; by: 'people' | 'bot'; since: Date },
): Promise<number> {
  const { sent } = await one(
    tx,
    sql<{ sent: number }>`select count(*)::int as sent from bot_commands
      where tenant_id = ${tx.tenantId} and bot_id = ${botId} and kind = 'message' and created_at > ${since}
        and (by_user is not null) = ${by === 'people'}`,
  )
  return sent
}

type QuestionKey = { botId: string; id: string }

/** Null: it is answered, or erased. */
export async function findQuestion(scope: TenantScope, { botId, id }: QuestionKey): Promise<string | null> {
  const found = await maybeOne(
    scope,
    sql<{ text: string }>`select text from bot_commands
      where tenant_id = ${scope.tenantId} and bot_id = ${botId} and id = ${id} and kind = 'question'`,
  )
  return found?.text ?? null
}

/** False: it was deleted before. */
export async function deleteQuestion(tx: TenantScope, { botId, id }: QuestionKey): Promise<boolean> {
  const deleted = await run(
    tx,
    sql`delete from bot_commands
      where tenant_id = ${tx.tenantId} and bot_id = ${botId} and id = ${id} and kind = 'question'`,
  )
  return deleted > 0
}

/** Erases what a bot was asked in the chat, and what it itself had to say. */
export async function deleteOwnMessages(tx: TenantScope, botId: string): Promise<void> {
  await run(
    tx,
    sql`delete from bot_commands
      where tenant_id = ${tx.tenantId} and bot_id = ${botId} and kind in ('message', 'question') and by_user is null`,
  )
}
