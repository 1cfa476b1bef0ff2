import { atlassian } from './atlassian.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import { hubspot } from './hubspot.ts'
import { linear } from './linear.ts'
import { microsoft } from './microsoft.ts'
import { notion } from './notion.ts'
import type { FeatureName, ProviderName, ProviderRow } from './provider.ts'
import { slack } from './slack.ts'
import { zoom } from './zoom.ts'

export const providers: Record<ProviderName, ProviderRow> = {
  google,
  microsoft,
  slack,
  zoom,
  atlassian,
  github,
  linear,
  notion,
  hubspot,
}

/** The features that the provider has, in the order of its row. */
export function featuresOf({ scopes }: ProviderRow): FeatureName[] {
  return Object.keys(scopes.features) as FeatureName[]
}

/** The scopes to ask for, each once. */
export function scopesFor(row: ProviderRow, features: readonly FeatureName[]): string[] {
  return [...new Set([...row.scopes.base, ...features.flatMap((feature) => row.scopes.features[feature] ?? [])])]
}

/** Whether the granted scopes allow the feature. */
export function isGranted(row: ProviderRow, feature: FeatureName, granted: readonly string[]): boolean {
  const needed = row.scopes.features[feature]
  if (needed === undefined) return false
  return needed.every((scope) => granted.includes(scope) || row.unlistedScopes.includes(scope))
}
