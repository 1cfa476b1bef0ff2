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

/** One entry as a line under `csvHeader`; `changes` is JSON in one cell. */
export function csvLineOf({ actor, target, ...entry }: AuditRecord): string {
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

/** RFC 4180; an empty cell is a null. */
function csvLine(cells: (string | null)[]): string {
  return `${cells.map((cell) => quoted(harmless(cell ?? ''))).join(',')}\r\n`
}

/** A spreadsheet takes what begins so for a formula (OWASP, CSV injection): with an apostrophe before it, for text. */
function harmless(cell: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
