import type { TenantScope } from '../../storage/scope.ts'

/** Where a quote stands: a chunk of a document's version, or an entry of a meeting. `start` and `end` are code points. */
export type CitedPlace = {
  kind: 'document' | 'meeting'
  itemId: string
  version: number
  place: number
  start: number
  end: number
}

/** A quote as it is stored now. */
export type CitedQuote = CitedPlace & {
  quote: string
  title: string
  page: number | null
  headings: string[]
  speaker: string | null
  timestamp: string | null
}

/** Answers questions from what all members of an organization may read. */
export type OpenAnswers = {
  /** Where the sentences stand that answer, best first. Refuses UNAVAILABLE where too many ask. */
  find(scope: TenantScope, orgId: string, question: string): Promise<CitedPlace[]>
  /** Those that still say what they said. Until the transaction ends nothing of them is deleted. */
  hold(tx: TenantScope, orgId: string, places: readonly CitedPlace[]): Promise<CitedPlace[]>
  /** What they say at this moment. Null for what is gone or was closed. */
  quote(scope: TenantScope, orgId: string, places: readonly CitedPlace[]): Promise<(CitedQuote | null)[]>
}
