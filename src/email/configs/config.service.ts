import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import { type RandomBytes, randomBase32 } from '../../kernel/checksum.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type FieldError, Refusal, refuseFields } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Members } from '../members.ts'
import { type EmailUser, managedOwner } from '../owner.ts'
import { changeSettings, effectiveSettings, isOtherServer, type Owner, type Settings } from './config.rules.ts'
import type { ConfigChange } from './config.schema.ts'
import { type Config, findConfig, insertConfig, lockConfig, saveConfig } from './config.store.ts'
import { passwordContext } from './config-passwords.ts'
import { brokenFields } from './config-validation.ts'
import { defaultLocalPart } from './local-part.rules.ts'
import type { MailboxHealth } from './mailbox-health.rules.ts'

declare module '../../storage/events.ts' {
  interface DomainEvents {
    /** How mails of a tenant or of one of its organizations are sent, or what is known of it. */
    'mail.settings.changed': { tenantId: string }
  }
}

export type ConfigDeps = {
  clock: Clock
  events: EventBus
  secrets: Pick<Secrets, 'seal' | 'open'>
  audit: Audit
  random: RandomBytes
  members: Members
  /** The domain of addresses of the installation; null: it receives no mail by itself. */
  domain: string | null
  /** Whether the tenant has this inbound webhook. */
  connectionExists(scope: TenantScope, id: string): Promise<boolean>
  /** Whether the organization has an integration that sends and receives mail. */
  hasMailAccount(scope: TenantScope, orgId: string): Promise<boolean>
  /** Null: the owner has no mailbox that is read by IMAP. */
  findMailbox(scope: TenantScope, ownerId: string): Promise<MailboxHealth | null>
  /** For development: allows private hosts. */
  allowPrivate: boolean
}

/** The settings of an owner as they hold, and what is stored for it. */
export type EffectiveConfig = Owner &
  Settings & {
    address: string | null
    /** What is set at this level. */
    stored: Config
    /** The level from which `identity.fromAddress` is, with what is known of its domain. */
    senderFrom: Config
    /** The level from which the transport is, with its password. */
    transportFrom: Config
    transportPassword: Buffer | null
  }

/** With how its mailbox is. */
export type WatchedConfig = EffectiveConfig & { mailbox: MailboxHealth | null }

export type Configs = ReturnType<typeof configService>

export function configService(deps: ConfigDeps) {
  const { clock, events, secrets, audit, members, domain } = deps

  const addressOf = (localPart: string | null, { kind }: Settings['inbound']) =>
    localPart === null || domain === null || kind === 'none' ? null : `${localPart}@${domain}`

  /** The settings that hold. An unknown owner has the defaults. */
  async function readEffective(scope: TenantScope, owner: Owner): Promise<EffectiveConfig> {
    const own = (await findConfig(scope, owner.ownerId)) ?? freshConfig(owner)
    const tenants = owner.orgId === null ? null : await findConfig(scope, scope.tenantId)
    const senderFrom = own.settings.identity?.fromAddress === undefined ? (tenants ?? own) : own
    const transportFrom = own.settings.transport === undefined ? (tenants ?? own) : own
    const settings = effectiveSettings(own.settings, tenants?.settings ?? null)
    return {
      ...owner,
      ...settings,
      address: addressOf(own.localPart, settings.inbound),
      stored: own,
      senderFrom: settings.identity.fromAddress === null ? own : senderFrom,
      transportFrom,
      transportPassword: transportFrom.transportPassword,
    }
  }

  type Target = { user: EmailUser; orgId: string | undefined }

  /** Refuses NOT_FOUND and INSUFFICIENT_ROLE. */
  const get = async (scope: TenantScope, target: Target): Promise<WatchedConfig> =>
    withMailbox(scope, await readEffective(scope, await managedOwner(members, scope, target)))

  const withMailbox = async (scope: TenantScope, config: EffectiveConfig): Promise<WatchedConfig> => ({
    ...config,
    mailbox: await deps.findMailbox(scope, config.ownerId),
  })

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE, VALIDATION_ERROR, SLUG_TAKEN, STATE_CONFLICT and PRECONDITION_FAILED. */
  const change = (
    scope: TenantScope,
    { ifMatch, ...target }: Target & { ifMatch: string | undefined },
    body: ConfigChange,
  ): Promise<WatchedConfig> =>
    transaction(scope, async (tx) => {
      // An organization is locked before what belongs to it.
      if (target.orgId !== undefined) await members.hold(tx, target.orgId)
      const owner = await managedOwner(members, tx, target)
      const before = await lockConfig(tx, owner, clock.now())
      requireRevision(ifMatch, { id: owner.ownerId, revision: before.revision })
      const after = changed(tx, before, body)
      refuseFields(await fieldErrors(tx, owner, body, after))
      if (needsIntegration(body, after) && (owner.orgId === null || !(await deps.hasMailAccount(tx, owner.orgId))))
        throw new Refusal('STATE_CONFLICT', { detail: 'The organization has no integration with mail.' })
      if ((await saveConfig(tx, after, clock.now())) === null)
        throw new Refusal('SLUG_TAKEN', { detail: 'Another address of this installation has this `localPart`.' })
      await events.emit(tx, 'mail.settings.changed', { tenantId: tx.tenantId })
      await audit(tx, {
        action: 'email.config.change',
        target: { type: owner.orgId === null ? 'tenant' : 'org', id: owner.ownerId },
        changes: { sections: Object.keys(body) },
      })
      return withMailbox(tx, await readEffective(tx, owner))
    })

  function changed(tx: TenantScope, before: Config, body: ConfigChange): Config {
    const { transport, inbound } = body
    const { password: transportPassword, ...transportFields } = transport ?? {}
    const { password: inboundPassword, localPart, ...inboundFields } = inbound ?? {}
    const settings = changeSettings(before.settings, {
      ...body,
      ...(transport ? { transport: transportFields } : {}),
      ...(inbound ? { inbound: inboundFields } : {}),
    } as Parameters<typeof changeSettings>[1])
    const seal = (use: 'transport' | 'inbound', text: string) =>
      secrets.seal(text, passwordContext(use, { tenantId: tx.tenantId, ownerId: before.ownerId }))
    const isOtherTransport = isOtherServer(before.settings.transport, settings.transport)
    const isOtherInbound = isOtherServer(before.settings.inbound, settings.inbound)
    const isOtherSender = before.settings.identity?.fromAddress !== settings.identity?.fromAddress
    const after = {
      ...before,
      settings,
      localPart: localPart === undefined ? before.localPart : localPart,
      transportPassword: transportPassword
        ? seal('transport', transportPassword)
        : isOtherTransport || transportPassword === null
          ? null
          : before.transportPassword,
      inboundPassword: inboundPassword
        ? seal('inbound', inboundPassword)
        : isOtherInbound || inboundPassword === null
          ? null
          : before.inboundPassword,
    }
    return {
      ...after,
      sending: isOtherTransport || isOtherSender || transportPassword ? 'unverified' : before.sending,
      receiving:
        isOtherInbound || inboundPassword || after.localPart !== before.localPart ? 'unverified' : before.receiving,
    }
  }

  async function fieldErrors(tx: TenantScope, owner: Owner, body: ConfigChange, after: Config): Promise<FieldError[]> {
    const errors = brokenFields(body, after, { allowPrivate: deps.allowPrivate, isOrganization: owner.orgId !== null })
    const connectionId = body.inbound?.connectionId
    if (connectionId && !(await deps.connectionExists(tx, connectionId)))
      errors.push({ path: '/body/inbound/connectionId', code: 'unknown', message: 'is no connection of the tenant' })
    for (const [index, userId] of (body.replies?.approvers ?? []).entries())
      if (owner.orgId !== null && !(await members.isMember(tx, { orgId: owner.orgId, userId })))
        errors.push({ path: `/body/replies/approvers/${index}`, code: 'unknown', message: 'is no member' })
    return errors
  }

  /** Gives a new organization its address. */
  async function createAddress(tx: TenantScope, orgId: string): Promise<void> {
    const name = (await members.findName(tx, orgId)) ?? ''
    const row = { ownerId: orgId, orgId, revision: 1, now: clock.now() }
    // Names end with 30 random bits: two tries already never meet.
    for (let tried = 0; tried < 5; tried++) {
      const localPart = defaultLocalPart(name, randomBase32(6, deps.random).toLowerCase())
      if (await insertConfig(tx, { ...row, localPart })) return
    }
    await insertConfig(tx, { ...row, localPart: null })
  }

  /** The password of a server; null where none is stored. */
  const openPassword = (scope: TenantScope, use: 'transport' | 'inbound', config: Config): string | null => {
    const sealed = use === 'transport' ? config.transportPassword : config.inboundPassword
    const { ownerId } = config
    return sealed && secrets.open(sealed, passwordContext(use, { tenantId: scope.tenantId, ownerId }))
  }

  return { get, change, readEffective, createAddress, openPassword }
}

/** Whether what is changed logs in by an integration: a mailbox does where it names no server. */
function needsIntegration({ transport, inbound }: ConfigChange, { settings }: Config): boolean {
  if (transport && settings.transport?.kind === 'integration') return true
  return Boolean(inbound) && settings.inbound?.kind === 'imap' && settings.inbound.host === undefined
}

function freshConfig(owner: Owner): Config {
  return {
    ...owner,
    settings: {},
    localPart: null,
    transportPassword: null,
    inboundPassword: null,
    sending: 'unverified',
    receiving: 'unverified',
    revision: 0,
    updatedAt: null,
  }
}
