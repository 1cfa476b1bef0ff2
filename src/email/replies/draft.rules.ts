import type { Citation } from '../message.rules.ts'
import type { CitedPlace } from './answers.ts'

/** A mail of ours that waits for a person. */
export type Draft = {
  id: string
  orgId: string | null
  ownerId: string | null
  threadId: string | null
  status: string
  revision: number
  answersId: string | null
  to: readonly string[]
  places: readonly CitedPlace[]
}

export type NewDraft = {
  id: string
  ownerId: string
  orgId: string | null
  threadId: string | null
  answersId: string | null
  from: string
  to: readonly string[]
  subject: string
  text: string
  inReplyTo: string | null
  references: readonly string[]
  citations: readonly Citation[]
  /** Where the citations stand. */
  places: readonly CitedPlace[]
  cause: string | null
  now: Date
}

/** A draft that nobody has opened for so long is no longer answered. */
export const draftDaysMax = 14
/** Mail programs refuse longer lines of references. */
export const referencesMax = 20
