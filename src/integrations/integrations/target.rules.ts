import type { FieldError } from '../../kernel/refusal.ts'
import type { FeatureName, ProviderName, Target } from '../../providers/provider.ts'

type Field = { pattern: RegExp; allowed: string; isOptional?: true }

/** Parts of addresses: no value may contain a slash, but the one of a repository. */
const id = (allowed: string, pattern = /^[\w-]{1,200}$/): Field => ({ pattern, allowed })
const name = '(?!\\.{1,2}(?:/|$))[\\w.-]{1,100}'

const targetFields: Partial<Record<`${ProviderName} ${FeatureName}`, Record<string, Field>>> = {
  'slack post': { channelId: id('the id of a channel', /^[A-Z0-9]{1,30}$/) },
  'microsoft post': {
    teamId: id('the id of a team'),
    channelId: id('the id of a channel', /^[\w:.@=-]{1,200}$/),
  },
  'github tasks': { repository: id('a repository as `owner/name`', new RegExp(`^${name}/${name}$`)) },
  'linear tasks': { teamId: id('the id of a team') },
  'atlassian tasks': {
    projectId: id('the id of a project', /^\d{1,19}$/),
    issueTypeId: { ...id('the id of an issue type', /^\d{1,19}$/), isOptional: true },
  },
  'notion export': { pageId: id('the id of a page', /^[0-9a-fA-F-]{32,36}$/) },
  'google export': { folderId: { ...id('the id of a folder'), isOptional: true } },
}

/** What is wrong with a target; null: nothing. Paths begin with `at`. */
export function targetProblem(
  { provider, feature }: { provider: ProviderName; feature: FeatureName },
  target: Record<string, unknown>,
  at: string,
): FieldError | null {
  const fields = targetFields[`${provider} ${feature}`] ?? {}
  for (const key of Object.keys(target))
    if (!Object.hasOwn(fields, key)) return { path: at, code: 'unknown', message: `must not have \`${key}\`` }
  for (const [key, { pattern, allowed, isOptional }] of Object.entries(fields)) {
    const value = target[key]
    if (value === undefined && isOptional) continue
    if (value === undefined) return { path: `${at}/${key}`, code: 'required', message: 'is required' }
    if (typeof value !== 'string' || !pattern.test(value))
      return { path: `${at}/${key}`, code: 'invalid', message: `must be ${allowed}` }
  }
  return null
}

/** The same text for the same target. */
export function targetKey(target: Target): string {
  return Object.keys(target)
    .sort()
    .map((key) => `${key}=${target[key]}`)
    .join(' ')
}
