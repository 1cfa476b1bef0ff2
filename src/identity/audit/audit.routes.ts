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
/** In one request; the answer's `nextSeq` says where the next one goes on. */
const verifiedMax = 50_000

export type AuditRouteDeps = { audit: Audit; chainKey: Buffer }

export function auditRoutes({ audit, chainKey }: AuditRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/audit-logs',
      name: 'listAuditLogs',
      tag,
      summary: 'List who changed what, newest first',
      description: `An entry is written in the transaction of its change: there is none without the other. As \`text/csv\` (by \`Accept\` or \`format=csv\`) all that the filter finds comes in one file, up to the newest ${exportEntriesMax} entries; \`page\` and \`limit\` then do nothing, and \`X-Export-Complete\` says whether that was all. An export is an entry itself.`,
      access: admin('VIEWER'),
      query: AuditQuery,
      answers: { 200: { json: AuditList, rawTypes: [csv], description: 'A page of entries, or a file of them.' } },
      handle: async ({ platform, query: { page = 1, limit = 20, format, ...asked }, headers }) => {
        const filter = parseFilter(asked)
        const type = format ?? (preferredMediaType(headers.accept, ['application/json', csv]) === csv ? 'csv' : 'json')
        if (type === 'csv') return csvAnswer(await exportEntries(platform, { audit, filter, asked }))
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
      summary: 'Verify that the audit log is as it was written',
      description: `Follows the hash chain from its oldest entry and names the first place that was changed, removed or added. ${verifiedMax} entries a request. A log that is not as it was written is an answer (\`ok: false\`) and no error.`,
      access: admin('OWNER'),
      body: VerificationRequest,
      answers: { 200: VerificationAnswer },
      handle: async ({ platform, body }) => ok(await verifyAndRecord(platform, { audit, chainKey, request: body })),
    }),
  ]
}

type ExportRequest = { audit: Audit; filter: AuditFilter; asked: Partial<AuditQuery> }

/** What leaves the house is written down before it leaves. */
async function exportEntries(platform: PlatformScope, { audit, filter, asked }: ExportRequest) {
  await transaction(platform, (tx) =>
    audit(tx, { action: 'auditLog.export', target: { type: 'auditLog', id: null }, changes: { ...asked } }),
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

function parseFilter(asked: Omit<AuditQuery, 'page' | 'limit' | 'format'>): AuditFilter {
  return {
    tenantId: parseId(asked.tenantId),
    actorId: parseId(asked.actorId),
    action: asked.action ?? null,
    targetId: asked.targetId ?? null,
    outcome: asked.outcome ?? null,
    from: parseTimestamp(asked.from, '/query/from'),
    to: parseTimestamp(asked.to, '/query/to'),
  }
}

const nobody = '00000000-0000-7000-8000-000000000000'

/** What is no id finds nothing, like an unknown one. */
function parseId(text: string | undefined): string | null {
  if (text === undefined) return null
  return isId(text) ? text : nobody
}

function parseTimestamp(text: string | undefined, path: string): Date | null {
  if (text === undefined) return null
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw invalidField(path, { code: 'format', message: 'must be a moment that exists' })
  return at
}
