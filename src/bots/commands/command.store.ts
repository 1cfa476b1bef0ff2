import { many, one, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

export type CommandKind = 'leave' | 'message' | 'stop'
export type Command = { id: string; botId: string; kind: CommandKind; reason: string | null; text: string | null }

export async function insertCommand(
  tx: TenantScope,
  { botId, id, kind, reason, text, byUser, createdAt }: Command & { byUser: string | null; createdAt: Date },
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
      where tenant_id = ${scope.tenantId} and bot_id = any (${botIds}::uuid[]) and done_at is null order by created_at, id limit 200`,
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

/** The messages that people sent since a time. The bot must be locked. */
export async function countMessages(tx: TenantScope, botId: string, since: Date): Promise<number> {
  const { sent } = await one(
    tx,
    sql<{ sent: number }>`select count(*)::int as sent from bot_commands
      where tenant_id = ${tx.tenantId} and bot_id = ${botId} and kind = 'message' and by_user is not null and created_at > ${since}`,
  )
  return sent
}
