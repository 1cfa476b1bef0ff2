import type { ProviderName } from '../provider.ts'
import { githubTracker } from './github-tracker.ts'
import { jiraTracker } from './jira-tracker.ts'
import { linearTracker } from './linear-tracker.ts'
import type { Tracker } from './tracker.ts'

const trackers: Partial<Record<ProviderName, Tracker>> = {
  github: githubTracker,
  linear: linearTracker,
  atlassian: jiraTracker,
}

/** Null: the provider is no tracker. */
export function findTracker(provider: ProviderName): Tracker | null {
  return trackers[provider] ?? null
}

/** Of an integration whose provider is known to be one. */
export function trackerOf(provider: ProviderName): Tracker {
  const tracker = findTracker(provider)
  if (tracker === null) throw new Error(`${provider} is no tracker.`)
  return tracker
}

const providers = { jira: 'atlassian', linear: 'linear', github: 'github' } as const

/** By the name that inbound deliveries have for it. */
export function providerOfTracker(name: Tracker['name']): ProviderName {
  return providers[name]
}
