import { isId } from '../../kernel/ids.ts'
import type { FieldError } from '../../kernel/refusal.ts'
import type { Account, FeatureName, ProviderName, ProviderRow, Target } from '../../providers/provider.ts'
import { targetProblem } from './target.rules.ts'

export const integrationStatuses = ['pending', 'choosing', 'active', 'reauth_required', 'disconnecting'] as const
export type IntegrationStatus = (typeof integrationStatuses)[number]

export const featureStatuses = ['on', 'off', 'scope_missing', 'admin_consent'] as const
export type FeatureStatus = (typeof featureStatuses)[number]

export type FeatureSettings = {
  target?: Target
  when?: string
  calendarIds?: string[]
  fileIds?: string[]
  collectionId?: string
}
export type Feature = { name: FeatureName; status: FeatureStatus; settings: FeatureSettings }

/** A connection to a provider, without its tokens. */
export type Integration = {
  tenantId: string
  id: string
  provider: ProviderName
  /** Whose it is: one of both. */
  userId: string | null
  orgId: string | null
  connectedBy: string | null
  status: IntegrationStatus
  cause: string | null
  accountId: string | null
  accountName: string | null
  choices: Account[] | null
  features: Feature[]
  scopes: string[]
  app: 'own' | 'platform'
  clientId: string
  isBroker: boolean
  tokenVersion: number
  expiresAt: Date | null
  lastUsedAt: Date | null
  lastSuccessAt: Date | null
  failures: number
  nextTryAt: Date | null
  revision: number
  createdAt: Date
  updatedAt: Date
}

const filesMax = 100
export const ownMax = { user: 10, org: 50 }

const words: Partial<Record<FeatureName, readonly string[]>> = {
  post: ['manual', 'completed'],
  tasks: ['manual', 'accepted'],
  export: ['manual', 'completed'],
  calendar: ['none', 'mine', 'accepted', 'all'],
  crm: ['manual', 'completed'],
}
const keys: Partial<Record<FeatureName, readonly string[]>> = {
  post: ['target', 'when'],
  tasks: ['target', 'when'],
  export: ['target', 'when'],
  calendar: ['calendarIds', 'when'],
  import: ['fileIds', 'collectionId'],
  crm: ['when'],
}

/** Rules are set by admins of organizations. Calendars are followed for a user alone, too. */
const onlyManual = ['manual']
const wordsOfUsers = (feature: FeatureName) => (feature === 'calendar' ? words.calendar : onlyManual)

type SettingsSubject = { provider: ProviderName; feature: FeatureName; isOfOrganization: boolean }

/** What is wrong with the settings of a feature; null: nothing. */
export function settingsProblem(
  { provider, feature, isOfOrganization }: SettingsSubject,
  settings: Record<string, unknown>,
  at: string,
): FieldError | null {
  for (const key of Object.keys(settings))
    if (!(keys[feature] ?? []).includes(key))
      return { path: at, code: 'unknown', message: `must not have \`${key}\`: ${feature} has no such setting` }
  const { when, target, calendarIds } = settings
  const allowed = words[feature] ?? []
  if (when !== undefined && !allowed.includes(String(when)))
    return { path: `${at}/when`, code: 'enum', message: `must be one of ${allowed.join(', ')}` }
  if (when !== undefined && !isOfOrganization && !wordsOfUsers(feature)?.includes(String(when)))
    return {
      path: `${at}/when`,
      code: 'owner',
      message: 'must be manual: only integrations of organizations write by themselves',
    }
  if (calendarIds !== undefined && !isIdList(calendarIds))
    return { path: `${at}/calendarIds`, code: 'invalid', message: 'must be a list of up to 20 ids of calendars' }
  const importProblem = feature === 'import' ? importSettingsProblem(settings, isOfOrganization, at) : null
  if (importProblem !== null) return importProblem
  if (target === undefined) return null
  if (typeof target !== 'object' || target === null || Array.isArray(target))
    return { path: `${at}/target`, code: 'type', message: 'must be an object' }
  return targetProblem({ provider, feature }, target as Record<string, unknown>, `${at}/target`)
}

/** Documents belong to organizations. */
function importSettingsProblem(
  { fileIds, collectionId }: Record<string, unknown>,
  isOfOrganization: boolean,
  at: string,
): FieldError | null {
  if (fileIds === undefined && collectionId === undefined) return null
  if (!isOfOrganization)
    return { path: at, code: 'owner', message: 'must be empty: only integrations of organizations import files' }
  const isFileId = (entry: unknown) => typeof entry === 'string' && /^[\w-]{1,200}$/.test(entry)
  if (fileIds !== undefined && !(Array.isArray(fileIds) && fileIds.length <= filesMax && fileIds.every(isFileId)))
    return { path: `${at}/fileIds`, code: 'invalid', message: `must be a list of up to ${filesMax} ids of files` }
  if (collectionId !== undefined && !(typeof collectionId === 'string' && isId(collectionId)))
    return { path: `${at}/collectionId`, code: 'invalid', message: 'must be the id of a collection' }
  return null
}

function isIdList(value: unknown): boolean {
  const isIdText = (entry: unknown) => typeof entry === 'string' && /^[^\p{Cc}]{1,300}$/u.test(entry)
  return Array.isArray(value) && value.length <= 20 && value.every(isIdText)
}

type Granting = {
  /** Those that the user was asked for now. */
  asked: readonly FeatureName[]
  isGranted(feature: FeatureName): boolean
}

/** The features after the user has allowed the access. What was switched off before and is not asked for stays off. */
export function grantedFeatures(
  row: ProviderRow,
  before: readonly Feature[],
  { asked, isGranted }: Granting,
): Feature[] {
  return (Object.keys(row.scopes.features) as FeatureName[]).map((name) => {
    const known = before.find((feature) => feature.name === name)
    const settings = known?.settings ?? {}
    if (!asked.includes(name) && known?.status === 'admin_consent') return { ...known, settings }
    const isWanted = asked.includes(name) || (known !== undefined && known.status !== 'off')
    const status = isWanted ? (isGranted(name) ? 'on' : 'scope_missing') : 'off'
    return { name, status, settings }
  })
}

/**
 * The features whose scopes are asked for: those of before, too, because a provider may replace the earlier scopes. What an
 * administrator has to allow is asked for only by its name, because the provider would refuse the others with it.
 */
export function askedFeatures(before: readonly Feature[], added: readonly FeatureName[]): FeatureName[] {
  const earlier = before.filter(({ status }) => ['on', 'scope_missing'].includes(status)).map(({ name }) => name)
  return [...new Set([...earlier, ...added])]
}

export function ownerOf({ userId, orgId }: Pick<Integration, 'userId' | 'orgId'>): 'user' | 'org' {
  return orgId === null && userId !== null ? 'user' : 'org'
}

/** The target of an audit entry. */
export function auditTarget({ id }: { id: string }) {
  return { type: 'integration', id }
}
