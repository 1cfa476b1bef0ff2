import type { Readable } from 'node:stream'
import { admin } from '../../http/access/access.ts'
import { ok, raw } from '../../http/answer.ts'
import { preferredMediaType } from '../../http/negotiation.ts'
import { type Route, route } from '../../http/route.ts'
import { isId } from '../../kernel/ids.ts'
import { toPagination } from '../../kernel/paging.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { AuditList, AuditQuery } from './audit.schema.ts'
import { type Audit, type AuditFilter, listAuditEntries } from './audit.store.ts'
import { exportAudit, exportEntriesMax } from './audit-export.service.ts'
import { VerificationAnswer, VerificationRequest } from './audit-verification.schema.ts'
import { verifyAudit } from './audit-verification.service.ts'

const tag = 'Administration'
const csv = 'text/csv'
/** Entries per request. The answer's `nextSeq` says where the next request continues. */
const verifiedMax = 50_000

export type AuditRouteDeps = { audit: Audit; chainKey: Buffer }

export function auditRoutes({ audit, chainKey }: AuditRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/audit-logs',
      name: 'listAuditLogs',
      tag,
      summary: 'List audit log entries',
      description: `Shows who changed what, newest first. Each entry is written in the same transaction as its change. To export all matching entries as one file, request \`text/csv\` with \`Accept\` or \`format=csv\`: it has the newest ${exportEntriesMax} entries, \`page\` and \`limit\` are ignored, and the header \`X-Export-Complete\` says whether all entries are included. An export is itself recorded in the log.`,
      access: admin('VIEWER'),
      query: AuditQuery,
      answers: { 200: { json: AuditList, rawTypes: [csv], description: 'A page of entries, or a CSV file.' } },
      handle: async ({ platform, query: { page = 1, limit = 20, format, ...filters }, headers }) => {
        const filter = parseFilter(filters)
        const type = format ?? (preferredMediaType(headers.accept, ['application/json', csv]) === csv ? 'csv' : 'json')
        if (type === 'csv') return csvAnswer(await exportEntries(platform, { audit, filter, filters }))
        const { items, total } = await listAuditEntries(platform, { page, limit, ...filter })
        const auditLogs = items.map((entry) => ({ ...entry, at: entry.at.toISOString() }))
        const body = { auditLogs, pagination: toPagination({ page, limit }, total) }
        return { ...ok(body), headers: { vary: 'Accept' } }
      },
    }),
    route({
      method: 'POST',
      path: '/v1/platform/admin/audit/verify',
      name: 'verifyAuditLog',
      tag,
      summary: 'Verify the audit log',
      description: `Follows the hash chain from the oldest entry and reports the first entry that was changed, removed or added. Checks up to ${verifiedMax} entries per request. If the log was tampered with, the answer is 200 with \`ok: false\`.`,
      access: admin('OWNER'),
      body: VerificationRequest,
      answers: { 200: VerificationAnswer },
      handle: async ({ platform, body }) => ok(await verifyAndRecord(platform, { audit, chainKey, request: body })),
    }),
  ]
}

type ExportRequest = { audit: Audit; filter: AuditFilter; filters: Partial<AuditQuery> }

/** Records the export before any data is sent. */
async function exportEntries(platform: PlatformScope, { audit, filter, filters }: ExportRequest) {
  await transaction(platform, (tx) =>
    audit(tx, { action: 'auditLog.export', target: { type: 'auditLog', id: null }, changes: { ...filters } }),
  )
  return exportAudit(platform, filter)
}

function csvAnswer({ csv: lines, isComplete }: { csv: Readable; isComplete: boolean }) {
  return raw(`${csv}; charset=utf-8; header=present`, lines, {
    'content-disposition': 'attachment; filename="audit-logs.csv"',
    'x-export-complete': String(isComplete),
    vary: 'Accept',
  })
}

type VerifyRequest = AuditRouteDeps & { request: VerificationRequest }

async function verifyAndRecord(platform: PlatformScope, { audit, chainKey, request }: VerifyRequest) {
  const result = await verifyAudit(platform, { key: chainKey, entriesMax: verifiedMax, ...request })
  const { ok: isOk, checked, firstBadSeq, reason } = result
  await transaction(platform, (tx) =>
    audit(tx, {
      action: 'auditLog.verify',
      target: { type: 'auditLog', id: null },
      changes: { ok: isOk, checked, firstBadSeq, reason },
    }),
  )
  return result
}

function parseFilter(query: Omit<AuditQuery, 'page' | 'limit' | 'format'>): AuditFilter {
  return {
    tenantId: parseId(query.tenantId),
    actorId: parseId(query.actorId),
    action: query.action ?? null,
    targetId: query.targetId ?? null,
    outcome: query.outcome ?? null,
    requestId: query.requestId ?? null,
    from: parseTimestamp(query.from, '/query/from'),
    to: parseTimestamp(query.to, '/query/to'),
  }
}

const unknownId = '00000000-0000-7000-8000-000000000000'

/** A malformed id finds nothing, like an unknown one. */
function parseId(text: string | undefined): string | null {
  if (text === undefined) return null
  return isId(text) ? text : unknownId
}

function parseTimestamp(text: string | undefined, path: string): Date | null {
  if (text === undefined) return null
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw invalidField(path, { code: 'format', message: 'must be a valid date and time' })
  return at
}
