import assert from 'node:assert/strict'
import { type Answer, ask } from '../../harness/client.ts'
import type { AttackTarget } from './attack.ts'

/** A connection of the attacker's tenant. Returns the address for its provider. */
export async function inboundConnection(
  { base, admin, customer }: AttackTarget,
  connection: { scheme: string; secret?: string; account?: string; settings?: Record<string, string | string[]> },
): Promise<string> {
  const url = `${base}/admin/tenants/${customer.tenantId}/webhooks/connections`
  const answer = await ask({ url, method: 'POST', headers: admin, body: { name: 'Attack', ...connection } })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return base + answer.body.connection.path
}

/** `401 SIGNATURE_INVALID`. */
function describeAnswer({ status, body }: Answer): string {
  return `${status} ${body?.code ?? body?.status ?? body}`
}

/** The answers as one text; throws where one is a 5xx or missing. */
export function describeAnswers(answers: Answer[]): string {
  const seen = [...new Set(answers.map(describeAnswer))].join(', ')
  assert.ok(
    answers.every(({ status }) => status > 0 && status < 500),
    seen,
  )
  return seen
}
