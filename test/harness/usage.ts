import { Refusal } from '../../src/kernel/refusal.ts'
import { run, sql } from '../../src/storage/query.ts'
import { transaction } from '../../src/storage/scope.ts'
import type { Metering } from '../../src/usage/index.ts'
import type { TestApp } from './app.ts'

type Use = Parameters<Metering['count']>[1]

/** Short forms of the requests about limits, and uses without a request. */
export function usageCalls(app: TestApp) {
  const verify = ({ id }: { id: string }) =>
    run(app.platform, sql`update users set email_verified = true where id = ${id}`)
  return {
    verify,
    /** A tenant with an administrator whose address is verified. */
    tenant: async () => {
      const tenant = await app.tenant()
      const key = await app.apiKey(tenant)
      const admin = await app.user(key)
      await app.promote(admin)
      await verify(admin)
      return { ...tenant, key, admin, scope: app.scopeOf(tenant.id) }
    },
    /** As an administrator of the platform. */
    asPlatform: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      app.call({
        method,
        url: `/admin${path}`,
        headers: { ...app.admin, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    /** As a user. */
    as: (user: { headers: Record<string, string> }, method: string, path: string, body?: unknown) =>
      app.call({
        method,
        url: `/assistant/v1/usage${path}`,
        headers: user.headers,
        ...(body === undefined ? {} : { body }),
      }),
    /** Counts uses. Returns the code of the refusal, or null. */
    use: async (
      tenantId: string,
      amounts: Use['amounts'],
      subject: Omit<Use, 'amounts'> = {},
    ): Promise<string | null> => {
      try {
        await transaction(app.scopeOf(tenantId), (tx) => app.app.metering.count(tx, { amounts, ...subject }))
        return null
      } catch (error) {
        if (error instanceof Refusal) return error.code
        throw error
      }
    },
  }
}
