/** Whose address it is: an organization's, or the tenant's own. */
export type Owner = { ownerId: string; orgId: string | null }

export const transportKinds = ['platform', 'smtp', 'integration', 'none'] as const
export const inboundKinds = ['platform', 'webhook', 'imap', 'none'] as const
export const securities = ['tls', 'starttls', 'none'] as const
export const replyModes = ['off', 'draft', 'send'] as const
export const audiences = ['members', 'participants', 'domains', 'anyone'] as const
export const checkedStatuses = ['unverified', 'verified', 'failing'] as const
export type CheckedStatus = (typeof checkedStatuses)[number]
export type Security = (typeof securities)[number]

export type Identity = { fromName: string | null; fromAddress: string | null; signature: string | null }

export type Transport = {
  kind: (typeof transportKinds)[number]
  host: string | null
  port: number | null
  security: Security | null
  userName: string | null
}

export type Inbound = {
  kind: (typeof inboundKinds)[number]
  connectionId: string | null
  host: string | null
  port: number | null
  security: Security | null
  userName: string | null
  folder: string | null
}

export type Replies = {
  mode: (typeof replyModes)[number]
  audience: (typeof audiences)[number]
  domains: string[]
  /** Users who approve drafts. Empty: all administrators of the organization. */
  approvers: string[]
  perSenderHour: number
  perThreadDay: number
  perDay: number
  /** Domains whose ARC seals are trusted. */
  trustedForwarders: string[]
}

export type Commands = { invites: boolean; transcripts: boolean; documents: boolean }

export type Settings = {
  identity: Identity
  transport: Transport
  inbound: Inbound
  replies: Replies
  commands: Commands
}

/** What one level sets. All else is inherited. */
export type OwnSettings = { [Section in keyof Settings]?: Partial<Settings[Section]> }

const noServer = { host: null, port: null, security: null, userName: null }

/** What holds where nobody has set anything. */
const defaultSettings: Settings = {
  identity: { fromName: null, fromAddress: null, signature: null },
  transport: { kind: 'platform', ...noServer },
  inbound: { kind: 'platform', connectionId: null, folder: null, ...noServer },
  replies: {
    mode: 'draft',
    audience: 'members',
    domains: [],
    approvers: [],
    perSenderHour: 5,
    perThreadDay: 3,
    perDay: 200,
    trustedForwarders: [],
  },
  commands: { invites: false, transcripts: false, documents: false },
}

/**
 * The settings that hold for an organization, or for the tenant where `tenants` is null. A server goes with its password, so
 * a transport is inherited as a whole; how mail is received is never inherited, because each owner has its own address.
 */
export function effectiveSettings(own: OwnSettings, tenants: OwnSettings | null): Settings {
  const base = tenants ?? {}
  return {
    identity: { ...defaultSettings.identity, ...base.identity, ...own.identity },
    transport: { ...defaultSettings.transport, ...(own.transport ?? base.transport) },
    inbound: { ...defaultSettings.inbound, ...own.inbound },
    replies: { ...defaultSettings.replies, ...base.replies, ...own.replies },
    commands: { ...defaultSettings.commands, ...base.commands, ...own.commands },
  }
}

/** A change: a section or field that is absent stays as it is, and null takes away what is set. */
export type SettingsChange = {
  [Section in keyof Settings]?: { [Field in keyof Settings[Section]]?: Settings[Section][Field] | null } | null
}

export function changeSettings(own: OwnSettings, change: SettingsChange): OwnSettings {
  const changed: Record<string, object | null> = change
  const sections = { ...own, ...changed }
  const merged = Object.entries(sections).map(([name, section]) => {
    if (section === null || changed[name] === undefined) return [name, section] as const
    const fields = Object.entries({ ...own[name as keyof Settings], ...section })
    return [name, Object.fromEntries(fields.filter(([, value]) => value !== null))] as const
  })
  return Object.fromEntries(merged.filter(([, section]) => section !== null && Object.keys(section ?? {}).length > 0))
}

type ServerFields = { [Field in (typeof serverFields)[number]]?: unknown }

const serverFields = ['kind', 'host', 'port', 'security', 'userName'] as const

/** Whether a stored password would be sent to another server or for another user: then it has to be given again. */
export function isOtherServer(before: ServerFields | undefined, after: ServerFields | undefined): boolean {
  return serverFields.some((field) => before?.[field] !== after?.[field])
}
