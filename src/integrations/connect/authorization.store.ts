import type { FeatureName, ProviderName } from '../../providers/provider.ts'
import { maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'

/** A user on the way to the provider and back. */
export type Authorization = {
  tenantId: string
  id: string
  integrationId: string
  provider: ProviderName
  userId: string
  status: 'created' | 'started' | 'returned' | 'refused' | 'used'
  verifierSealed: Buffer | null
  codeSealed: Buffer | null
  confirmationHash: Buffer | null
  tries: number
  returnTo: string | null
  features: FeatureName[]
  scopes: string[]
  app: 'own' | 'platform'
  clientId: string
  isBroker: boolean
  expiresAt: Date
}

const columns = sql`tenant_id as "tenantId", id, integration_id as "integrationId", provider, user_id as "userId", status,
  verifier_sealed as "verifierSealed", code_sealed as "codeSealed", confirmation_hash as "confirmationHash", tries,
  return_to as "returnTo", features, scopes, app, client_id as "clientId", is_broker as "isBroker", expires_at as "expiresAt"`

export async function insertAuthorization(
  tx: TenantScope,
  authorization: Authorization,
  { ticketHash, now }: { ticketHash: Buffer; now: Date },
): Promise<void> {
  const it = authorization
  await run(
    tx,
    sql`insert into integration_authorizations (tenant_id, id, integration_id, provider, user_id, status, ticket_hash, return_to, features,
        scopes, app, client_id, is_broker, expires_at, created_at)
      values (${tx.tenantId}, ${it.id}, ${it.integrationId}, ${it.provider}, ${it.userId}, 'created', ${ticketHash}, ${it.returnTo},
        ${JSON.stringify(it.features)}::jsonb, ${JSON.stringify(it.scopes)}::jsonb, ${it.app}, ${it.clientId}, ${it.isBroker},
        ${it.expiresAt}, ${now})`,
  )
}

export type Beginning = Authorization & { tenantName: string; userEmail: string; orgName: string | null }

/** Of any tenant: the page knows only the ticket. Null if it was used or is over. */
export function findByTicket(platform: PlatformScope, ticketHash: Buffer, now: Date): Promise<Beginning | null> {
  return maybeOne(
    platform,
    sql<Beginning>`select a.*, t.name as "tenantName", u.email as "userEmail", o.name as "orgName" from
        (select ${columns}, integration_id from integration_authorizations
          where ticket_hash = ${ticketHash} and status = 'created' and expires_at > ${now}) a
      join tenants t on t.id = a."tenantId" and t.status = 'ACTIVE' and t.deleted_at is null
      join users u on u.tenant_id = a."tenantId" and u.id = a."userId"
      join integrations i on i.tenant_id = a."tenantId" and i.id = a."integrationId"
      left join organizations o on o.tenant_id = i.tenant_id and o.id = i.org_id`,
  )
}

/** Uses the ticket up. Null: it was used, or is over. */
export function startAuthorization(
  platform: PlatformScope,
  ticketHash: Buffer,
  { stateHash, cookieHash, expiresAt, now }: { stateHash: Buffer; cookieHash: Buffer; expiresAt: Date; now: Date },
): Promise<Authorization | null> {
  return maybeOne(
    platform,
    sql<Authorization>`update integration_authorizations set status = 'started', state_hash = ${stateHash},
        cookie_hash = ${cookieHash}, expires_at = ${expiresAt}
      where ticket_hash = ${ticketHash} and status = 'created' and expires_at > ${now} returning ${columns}`,
  )
}

export async function keepVerifier(scope: Scope, { tenantId, id }: Authorization, sealed: Buffer): Promise<void> {
  await run(
    scope,
    sql`update integration_authorizations set verifier_sealed = ${sealed} where tenant_id = ${tenantId} and id = ${id}`,
  )
}

export type Return = {
  stateHash: Buffer
  provider: ProviderName
  /** Null: the browser sent none. */
  cookieHash: Buffer | null
  /** Whether the answer names no wrong issuer. */
  isIssuer: boolean
  now: Date
}

/**
 * Consumes the state in one statement, whatever else is wrong: a state is tried once. Null: it is unknown, used or over. The
 * status tells whether provider, browser and issuer are right.
 */
export function consumeState(
  platform: PlatformScope,
  { stateHash, provider, cookieHash, isIssuer, now }: Return,
): Promise<Authorization | null> {
  return maybeOne(
    platform,
    sql<Authorization>`update integration_authorizations set state_hash = null,
        status = case when provider = ${provider} and cookie_hash = ${cookieHash} and ${isIssuer}::boolean then 'returned' else 'refused' end
      where state_hash = ${stateHash} and status = 'started' and expires_at > ${now} returning ${columns}`,
  )
}

export async function keepCode(
  tx: Scope,
  { tenantId, id }: Authorization,
  { codeSealed, confirmationHash, expiresAt }: { codeSealed: Buffer; confirmationHash: Buffer; expiresAt: Date },
): Promise<void> {
  await run(
    tx,
    sql`update integration_authorizations set code_sealed = ${codeSealed}, confirmation_hash = ${confirmationHash}, expires_at = ${expiresAt}
      where tenant_id = ${tenantId} and id = ${id}`,
  )
}

/** The last one that the user began for the integration, locked: one whose provider has answered goes first. */
export function lockNewest(
  tx: TenantScope,
  { integrationId, userId }: { integrationId: string; userId: string },
): Promise<Authorization | null> {
  return maybeOne(
    tx,
    sql<Authorization>`select ${columns} from integration_authorizations
      where tenant_id = ${tx.tenantId} and integration_id = ${integrationId} and user_id = ${userId}
      order by status = 'returned' desc, created_at desc, id desc limit 1 for update`,
  )
}

export async function countTry(tx: TenantScope, id: string): Promise<void> {
  await run(
    tx,
    sql`update integration_authorizations set tries = tries + 1 where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** The code is forgotten with its use: it is exchanged once. */
export async function endAuthorization(
  tx: Scope,
  { tenantId, id }: Pick<Authorization, 'tenantId' | 'id'>,
): Promise<void> {
  await run(
    tx,
    sql`update integration_authorizations set status = 'used', code_sealed = null, verifier_sealed = null, state_hash = null
      where tenant_id = ${tenantId} and id = ${id}`,
  )
}

/** Tickets and states that are over, and unconfirmed integrations from before this time. */
export async function deleteOver(platform: PlatformScope, { now, before }: { now: Date; before: Date }): Promise<void> {
  await run(
    platform,
    sql`delete from integration_authorizations where expires_at <= ${now} and created_at <= ${before}`,
  )
  await run(
    platform,
    sql`delete from integrations where status = 'pending' and created_at <= ${before}
    and not exists (select from integration_authorizations a where a.tenant_id = integrations.tenant_id
      and a.integration_id = integrations.id and a.expires_at > ${now})`,
  )
}
