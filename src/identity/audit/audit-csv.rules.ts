import { csvLine } from '../../kernel/csv.ts'
import type { AuditRecord } from './audit.store.ts'

export const csvHeader = csvLine([
  'id',
  'at',
  'tenantId',
  'actorType',
  'actorId',
  'actorLabel',
  'action',
  'targetType',
  'targetId',
  'outcome',
  'changes',
  'ip',
  'requestId',
])

/** One entry as a CSV row; `changes` is JSON in one cell. */
export function csvRow({ actor, target, ...entry }: AuditRecord): string {
  return csvLine([
    entry.id,
    entry.at.toISOString(),
    entry.tenantId,
    actor.type,
    actor.id,
    actor.label,
    entry.action,
    target.type,
    target.id,
    entry.outcome,
    entry.changes === null ? null : JSON.stringify(entry.changes),
    entry.ip,
    entry.requestId,
  ])
}
