export const channels = ['stable', 'beta', 'nightly'] as const
export type Channel = (typeof channels)[number]

export type VersionFields = {
  version: string
  /** Sorts as text in the order of semver.org section 11. */
  precedence: string
  channel: Channel
  releasedAt: Date
  notes: string | null
  notesHtml: string | null
  breaking: boolean
  minRequirements: Record<string, string>
  yankedAt: Date | null
  yankReason: string | null
}
