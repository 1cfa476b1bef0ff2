import { admin } from '../../http/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { isId } from '../../kernel/ids.ts'
import { paginationOf } from '../../kernel/paging.ts'
import { faulty } from '../../kernel/refusal.ts'
import { AuditList, AuditQuery } from './audit.schema.ts'
import { listAuditEntries } from './audit.store.ts'

export function auditRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/audit-logs',
      name: 'listAuditLogs',
      tag: 'Administration',
      summary: 'List who changed what, newest first',
      description: 'An entry is written in the transaction of its change: there is none without the other.',
      access: admin('VIEWER'),
      query: AuditQuery,
      answers: { 200: AuditList },
      handle: async ({ platform, query: { page = 1, limit = 20, ...asked } }) => {
        const wanted = {
          tenantId: idOrNull(asked.tenantId),
          actorId: idOrNull(asked.actorId),
          action: asked.action ?? null,
          targetId: asked.targetId ?? null,
          outcome: asked.outcome ?? null,
          from: momentOrNull(asked.from, '/query/from'),
          to: momentOrNull(asked.to, '/query/to'),
        }
        const { items, total } = await listAuditEntries(platform, { page, limit, ...wanted })
        const auditLogs = items.map((entry) => ({ ...entry, at: entry.at.toISOString() }))
        return ok({ auditLogs, pagination: paginationOf({ page, limit }, total) })
      },
    }),
  ]
}

const nobody = '00000000-0000-0000-0000-000000000000'

/** What is no id finds nothing, like an unknown one. */
function idOrNull(text: string | undefined): string | null {
  if (text === undefined) return null
  return isId(text) ? text : nobody
}

function momentOrNull(text: string | undefined, path: string): Date | null {
  if (text === undefined) return null
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw faulty(path, { code: 'format', message: 'must be a moment that exists' })
  return at
}
