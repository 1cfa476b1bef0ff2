import type { SealedColumn } from '../storage/sealed-column.ts'
import type { Secrets } from '../storage/secrets.ts'

type Row = { tenantId: string; id: string }
type TokenColumn = 'access_sealed' | 'refresh_sealed'
type AuthorizationColumn = 'verifier_sealed' | 'code_sealed'

/** Seals what lets somebody act for a user. Each value is bound to its tenant, row and column. */
export function grantSecrets(secrets: Pick<Secrets, 'seal' | 'open'>) {
  return {
    sealToken: (text: string, column: TokenColumn, row: Row) =>
      secrets.seal(text, context('integrations', column, row)),
    openToken: (sealed: Buffer, column: TokenColumn, row: Row) =>
      secrets.open(sealed, context('integrations', column, row)),
    sealStep: (text: string, column: AuthorizationColumn, row: Row) =>
      secrets.seal(text, context('integration_authorizations', column, row)),
    openStep: (sealed: Buffer, column: AuthorizationColumn, row: Row) =>
      secrets.open(sealed, context('integration_authorizations', column, row)),
    sealApp: (text: string, app: { tenantId: string | null; provider: string }) => secrets.seal(text, appContext(app)),
    openApp: (sealed: Buffer, app: { tenantId: string | null; provider: string }) =>
      secrets.open(sealed, appContext(app)),
    sealRevocation: (text: string, id: string) => secrets.seal(text, revocationContext(id)),
    openRevocation: (sealed: Buffer, id: string) => secrets.open(sealed, revocationContext(id)),
  }
}

export type GrantSecrets = ReturnType<typeof grantSecrets>

export const sealedGrants: SealedColumn[] = [
  ...ofRows('integrations', ['access_sealed', 'refresh_sealed']),
  ...ofRows('integration_authorizations', ['verifier_sealed', 'code_sealed']),
  {
    table: 'integration_apps',
    column: 'client_secret_sealed',
    owner: ['tenant_id', 'provider'],
    context: ([tenantId = '', provider = '']) => appContext({ tenantId, provider }),
  },
  {
    table: 'platform_integration_apps',
    column: 'client_secret_sealed',
    owner: ['provider'],
    context: ([provider = '']) => appContext({ tenantId: null, provider }),
  },
  {
    table: 'integration_revocations',
    column: 'grant_sealed',
    owner: ['id'],
    context: ([id = '']) => revocationContext(id),
  },
]

function ofRows(table: string, columns: string[]): SealedColumn[] {
  return columns.map((column) => ({
    table,
    column,
    owner: ['tenant_id', 'id'],
    context: ([tenantId = '', id = '']) => context(table, column, { tenantId, id }),
  }))
}

function context(table: string, column: string, { tenantId, id }: Row): string {
  return `${table}:${tenantId}:${id}:${column}`
}

function appContext({ tenantId, provider }: { tenantId: string | null; provider: string }): string {
  return `integration_apps:${tenantId ?? 'platform'}:${provider}`
}

function revocationContext(id: string): string {
  return `integration_revocations:${id}`
}
