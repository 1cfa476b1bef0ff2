import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { Handle } from '../storage/handle.ts'
import { type Sql, sql } from '../storage/sql.ts'

export type Boss = PgBoss
export type ClaimedJob = JobWithMetadata<object>

/** Opens pg-boss when it is first needed, and tries again after a failure. */
export function openBossLazily(handle: Handle, onError: (error: Error) => void) {
  let opened: Promise<Boss> | null = null
  const boss = (): Promise<Boss> => {
    opened ??= openBoss(handle, onError).catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
  const close = async (): Promise<void> => {
    const made = await opened?.catch(() => null)
    await made?.stop({ graceful: false, close: false })
  }
  return { boss, close }
}

/**
 * pg-boss over our own connections. Its statements claim, complete and fail jobs. Its loops stay off: its workers would
 * poll for each kind, and its supervision reads the whole table of jobs. Loaded here, because that takes 0.13 s.
 */
async function openBoss(handle: Handle, onError: (error: Error) => void): Promise<Boss> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: { executeSql: (text, values = []) => handle.execute(toStatement(text, values)) },
    schema: 'jobs',
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    queueCacheIntervalSeconds: 3600,
  })
  boss.on('error', onError)
  try {
    return await boss.start()
  } catch (error) {
    await boss.stop({ graceful: false, close: false })
    throw error
  }
}

/**
 * Converts a text with `$1` placeholders to our own type. The size of a claim becomes a value, too: each size would be a
 * statement of its own, which every connection plans again.
 */
function toStatement(text: string, values: unknown[]): Sql<Record<string, unknown>> {
  const parts = text.split(/(\$\d+|(?<=LIMIT )\d+)/)
  if (parts.length === 1) return sql.raw(text)
  const texts = parts.filter((_, index) => index % 2 === 0)
  const used = parts.filter((_, index) => index % 2 === 1)
  const toValue = (part: string) => (part.startsWith('$') ? values[Number(part.slice(1)) - 1] : Number(part))
  return sql(Object.assign(texts, { raw: texts }), ...used.map(toValue))
}
