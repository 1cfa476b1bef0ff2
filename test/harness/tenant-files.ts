import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { Reply, TestApp } from './app.ts'

// biome-ignore lint/suspicious/noExplicitAny: lines are what JSON gave; a wrong path fails the test
export type TenantFileLines = { head: any; rows: { table: string; row: any }[]; end: any }

export const exportTenant = (app: TestApp, tenantId: string): Promise<Reply> =>
  app.call({ url: `/admin/tenants/${tenantId}/export`, headers: app.admin })

export const erase = (app: TestApp, { id, slug }: { id: string; slug: string }): Promise<Reply> =>
  app.call({ method: 'POST', url: `/admin/tenants/${id}/erase`, headers: app.admin, body: { confirm: slug } })

/** Reads a tenant's file as docs/tenants.md says; throws where it was cut or changed. */
export function readTenantFile(bytes: Buffer): TenantFileLines {
  const text = gunzipSync(bytes).toString('utf8')
  const lines = text.trimEnd().split('\n')
  const [head, ...rest] = lines.map((line) => JSON.parse(line))
  const end = rest.pop()
  assert.equal(end?.end, true, 'the file has no end')
  const before = text.slice(0, text.lastIndexOf('{"end"'))
  assert.equal(end.sha256, createHash('sha256').update(before).digest('hex'))
  const counts: Record<string, number> = {}
  for (const { table } of rest) counts[table] = (counts[table] ?? 0) + 1
  assert.deepEqual(end.counts, counts)
  return { head, rows: rest, end }
}
