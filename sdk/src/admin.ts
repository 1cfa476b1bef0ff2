import { Client, type ClientOptions } from './client.ts'
import { adminTable } from './generated/admin-table.ts'
import type { AdminGroups, AdminOperationId } from './generated/groups.ts'

export type { AdminGroups, AdminOperationId } from './generated/groups.ts'
export * from './shared.ts'

/** Without `adminKey` the credential is added by a `fetch` of your own, or by the browser. */
export type AtriumAdminOptions = ClientOptions & { adminKey?: string }

export type AtriumAdmin = Client<AdminOperationId> & AdminGroups

class AdminClient extends Client<AdminOperationId> {
  constructor({ adminKey, ...options }: AtriumAdminOptions) {
    super(options, adminTable)
    this.credentials = { headers: adminKey ? { 'x-admin-key': adminKey } : {}, tokens: null }
  }
}

/** For administration, with an administrator's key. */
export const AtriumAdmin = AdminClient as unknown as new (options: AtriumAdminOptions) => AtriumAdmin
